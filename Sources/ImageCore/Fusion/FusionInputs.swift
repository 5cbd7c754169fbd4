/// The picture of little noise that is to be given detail: linear camera RGB of one pixel a cluster (12MP of 48MP).
///
/// Domain: 0 is black and 1 is the white level of the composite's own scale, which may hold more light than the
/// detail frame does; not white-balanced, not clipped to 0...1.
public struct FusionComposite: Sendable {
  /// Linear camera RGB. Where sensors saturate, best cut at one white before colours were mixed: white-balanced light of
  /// 1 where the least amplified colour ends. Beyond it some colours rise alone, and rims of lamps are coloured.
  public var pixels: Image<RGB<Float>>
  /// Column of the detail frame where the composite's first pixel starts; with clusters of two, 0 or -3...3.
  public var originX: Int
  /// The same for rows.
  public var originY: Int

  /// - Parameters:
  ///   - pixels: at least 32 × 32, every value finite.
  ///   - originX: see ``originX``; 0 when both pictures start with a whole cluster.
  ///   - originY: the same for rows.
  public init(pixels: Image<RGB<Float>>, originX: Int = 0, originY: Int = 0) {
    (self.pixels, self.originX, self.originY) = (pixels, originX, originY)
  }
}

/// The picture of fine detail: linear camera RGB of one pixel a photosite (48MP), given band by band so that it never
/// has to be held as a whole.
///
/// Domain: 0 is black and 1 the white level of this frame, at its own exposure; not white-balanced, not clipped.
public struct FusionDetail: Sendable {
  /// Rows of a band that is asked for; the last is shorter.
  public static let rowsPerBand = 256

  /// Columns and rows.
  public var size: PixelSize
  /// Light at this frame's white level (1) in units of the composite: 1 for equal scales, 1/4 when the composite
  /// reaches two stops higher.
  public var lightAtWhite: Double
  /// Writes the rows of a range into a picture of the detail's width and the range's count of rows. Called once for
  /// every band from top to bottom, on the calling thread. Best cut at the same scene light as the composite.
  public var read: @Sendable (Range<Int>, inout Image<RGB<Float>>) -> Void

  /// - Parameters: see the properties.
  public init(
    size: PixelSize, lightAtWhite: Double = 1,
    read: @escaping @Sendable (Range<Int>, inout Image<RGB<Float>>) -> Void
  ) {
    (self.size, self.lightAtWhite, self.read) = (size, lightAtWhite, read)
  }

  /// A picture that is there as a whole.
  public init(_ pixels: Image<RGB<Float>>, lightAtWhite: Double = 1) {
    self.init(size: pixels.size, lightAtWhite: lightAtWhite) { rows, band in
      pixels.withRows { from in
        band.withMutableRows { to in
          for y in rows { to.row(y - rows.lowerBound).update(from: from.row(y), count: from.width) }
        }
      }
    }
  }
}

/// What a fusion may be told.
public struct FusionOptions: Sendable, Hashable, Codable {
  /// Whether to look at how noisy the detail frame is.
  public enum Gate: String, Sendable, Hashable, Codable, CaseIterable {
    /// Too little light: the composite is enlarged instead, see ``FusionReport/Decision``.
    case auto
    /// Detail is always used.
    case open
    /// Detail is never used; the composite is enlarged.
    case closed
  }

  /// How the composite is laid on the detail frame.
  public enum Alignment: String, Sendable, Hashable, Codable, CaseIterable {
    /// By similarity of the whole picture, then tile by tile.
    case auto
    /// The pictures are known to be in register.
    case none
  }

  /// Whether the detail frame decides.
  public var gate = Gate.auto
  /// How the composite is laid on the detail frame.
  public var alignment = Alignment.auto
  /// Noise is taken for this many times what it is when brightness detail is weighed: more is smoother. Above 0.
  public var smoothness = 1.0
  /// Camera values of a neutral grey, largest 1: white balance for the merge, undone afterwards. All above 0.
  public var neutral = RGBTriple(1, 1, 1)

  /// The standard options.
  public init() {}
}

/// Three numbers for red, green and blue.
public struct RGBTriple: Sendable, Hashable, Codable {
  /// For red.
  public var red: Double
  /// For green.
  public var green: Double
  /// For blue.
  public var blue: Double

  /// In this order.
  public init(_ red: Double, _ green: Double, _ blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// By colour index.
  public subscript(index: Int) -> Double { index == 0 ? red : index == 1 ? green : blue }
}

/// Why two pictures cannot be fused; one line without the file's name.
public enum FusionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The composite is not half as wide and high as the detail frame.
  case sizes(composite: PixelSize, detail: PixelSize)
  /// Too small for tiles.
  case tooSmall(PixelSize)
  /// A number is not usable.
  case unusableValue(String)

  /// What was found and what to do.
  public var description: String {
    switch self {
    case .sizes(let composite, let detail):
      "cannot be fused: a composite of \(composite) is not half of \(detail) across and down; give 12MP frames and the 48MP frame of one capture"
    case .tooSmall(let size): "cannot be fused: \(size) is too small, at least 64x64 is needed"
    case .unusableValue(let what): "\(what) is not usable: give finite numbers above 0"
    }
  }
}
