/// Grids of a fusion: how the detail frame, the composite and the result lie on each other.
///
/// Pixel `i` of the result is centred on `(i + ½) q / p - ½` of the detail frame; pixel `X` of the composite covers the
/// detail columns `originX + 2X` and `originX + 2X + 1`, so it is centred on `originX + 2X + ½`.
public struct FusionGeometry: Sendable, Hashable {
  /// Detail pixels along a composite pixel's side.
  public static let cluster = 2
  /// The ideal ratio: twice the composite's pixels, half of the detail's.
  static let ideal = 0.5.squareRoot()
  /// Denominators up to this are tried: 17/24 and 45/64 make whole sizes of 48MP and 50MP frames.
  static let largestDenominator = 64
  /// A ratio that misses the ideal by more than this part is not taken.
  static let tolerance = 0.02
  /// Used where no ratio makes whole sizes; the last part of a pixel is cut.
  static let usual = (numerator: 17, denominator: 24)

  /// Columns and rows of the detail frame.
  public let detail: PixelSize
  /// Of the composite.
  public let composite: PixelSize
  /// Of the result; both even.
  public let size: PixelSize
  /// Result pixels for each ``denominator`` pixels of the detail frame.
  public let numerator: Int
  /// See ``numerator``.
  public let denominator: Int
  /// Detail column where the composite starts.
  public let originX: Int
  /// Detail row where the composite starts.
  public let originY: Int

  /// Settles the ratio: the one nearest to √½ with a denominator of at most 64 that makes both sides even; a larger
  /// denominator must pay for itself. 17/24 for 8064 x 6048.
  public init(detail: PixelSize, composite: PixelSize, originX: Int = 0, originY: Int = 0) throws(FusionError) {
    let least = 64
    guard min(detail.width, detail.height) >= least else { throw .tooSmall(detail) }
    guard Self.fits(detail.width, composite.width), Self.fits(detail.height, composite.height) else {
      throw .sizes(composite: composite, detail: detail)
    }
    let ratio = Self.ratio(detail)
    (numerator, denominator) = ratio
    size = PixelSize(
      width: detail.width * ratio.numerator / ratio.denominator & ~1,
      height: detail.height * ratio.numerator / ratio.denominator & ~1)
    (self.detail, self.composite, self.originX, self.originY) = (detail, composite, originX, originY)
  }

  /// A composite may lack some clusters at the border (a crop of it, or of the sensor), or have a few more.
  private static func fits(_ detail: Int, _ composite: Int) -> Bool {
    let whole = Double(detail) / Double(cluster)
    return abs(Double(composite) - whole) <= max(4, whole * 0.03)
  }

  private static func ratio(_ detail: PixelSize) -> (numerator: Int, denominator: Int) {
    var best = (numerator: usual.numerator, denominator: usual.denominator, cost: Double.infinity)
    for q in 2...largestDenominator {
      for p in q / 2...q where p > 0 && detail.width % q == 0 && detail.height % q == 0 {
        guard detail.width / q * p % 2 == 0, detail.height / q * p % 2 == 0 else { continue }
        let miss = abs(Double(p) / Double(q) / ideal - 1)
        // A longer cycle of phases is worth a hundredth of a percent each.
        let cost = miss + Double(q) * 1e-4
        if miss <= tolerance, cost < best.cost { best = (p, q, cost) }
      }
    }
    let common = greatestCommonDivisor(best.numerator, best.denominator)
    return (best.numerator / common, best.denominator / common)
  }

  /// Where the centre of a result column lies in the composite, pixels: exact but for rounding of a Double.
  func compositeX(_ x: Int) -> Double { place(x, originX) }
  func compositeY(_ y: Int) -> Double { place(y, originY) }

  private func place(_ i: Int, _ origin: Int) -> Double {
    let detail = (Double(i) + 0.5) * Double(denominator) / Double(numerator)
    return (detail - Double(origin)) / Double(Self.cluster) - 0.5
  }

  /// Result columns `x` and `x + numerator` have one phase in the detail frame, and phases of the composite are
  /// multiples of one over this.
  var compositePhases: Int { 4 * numerator }
}
