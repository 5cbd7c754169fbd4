public import ImageCore

/// What a JPEG may lose.
public struct JPEGQuality: Sendable, Hashable, Codable {
  /// How much colour resolution is kept.
  public enum ChromaSubsampling: String, Sendable, Hashable, Codable, CaseIterable {
    /// All of it.
    case s444
    /// A quarter: one colour for 2x2 pixels.
    case s420
  }

  /// libjpeg's scale, 1...100.
  public var quality: Int
  /// How much colour resolution is kept.
  public var chroma: ChromaSubsampling

  /// - Parameter quality: 1...100.
  public init(quality: Int = 92, chroma: ChromaSubsampling = .s444) {
    self.quality = quality
    self.chroma = chroma
  }
}

/// How the samples of a TIFF are packed. Both lose nothing.
public enum TIFFCompression: String, Sendable, Hashable, Codable, CaseIterable {
  case none, deflate
}

/// What to write: everything about a picture but its pixels.
public struct PictureSpec: Sendable {
  /// The stored pixels' size.
  public var size: PixelSize
  /// How rows are handed over, and what is stored.
  public var format: PixelFormat
  /// The file format.
  public var container: PictureContainer
  /// Used by JPEG alone.
  public var jpeg: JPEGQuality
  /// Used by TIFF alone.
  public var tiffCompression: TIFFCompression
  /// Used by OpenEXR alone.
  public var exr: EXROptions
  /// Used by HEIF alone.
  public var heif: HEIFOptions
  /// Used by JPEG XL alone.
  public var jxl: JXLOptions
  /// The space of the pixels, for formats that name it besides the profile; `nil` when it has no name.
  public var space: OutputColourSpace?
  /// Embedded as it is, but for the orientation, which is ``orientation``.
  public var metadata: PictureMetadata
  /// What a viewer has to do to the stored pixels; `.up` when it is already done.
  public var orientation: Orientation

  /// A picture of this size, format and container.
  public init(
    size: PixelSize, format: PixelFormat, container: PictureContainer, jpeg: JPEGQuality = JPEGQuality(),
    tiffCompression: TIFFCompression = .none, exr: EXROptions = EXROptions(),
    heif: HEIFOptions = HEIFOptions(), jxl: JXLOptions = JXLOptions(), space: OutputColourSpace? = nil,
    metadata: PictureMetadata = PictureMetadata(), orientation: Orientation = .up
  ) {
    self.size = size
    self.format = format
    self.container = container
    self.jpeg = jpeg
    self.tiffCompression = tiffCompression
    self.exr = exr
    (self.heif, self.jxl, self.space) = (heif, jxl, space)
    self.metadata = metadata
    self.orientation = orientation
  }

  /// Bytes of one row without padding.
  var rowBytes: Int { size.width * format.bytesPerPixel }

  /// Throws when the container cannot hold the picture.
  func check() throws(PhotoFileError) {
    try PictureLimits.check(size, container)
    let side = container == .jpeg ? PictureLimits.jpegSide : PictureLimits.side
    guard max(size.width, size.height) <= side else {
      throw .usage(found: "\(size) pixels", expected: "at most \(side) pixels a side for \(container.rawValue)")
    }
    let samples: [SampleType] =
      switch container {
      case .jpeg: [.uint8]
      case .png: [.uint8, .uint16]
      case .tiff: SampleType.allCases
      case .exr: [.float32]
      case .heif: [.uint8, .uint16]
      case .jxl: SampleType.allCases
      }
    guard samples.contains(format.sample), container != .jpeg || !format.channels.hasAlpha else {
      throw .usage(
        found: "\(format) for \(container.rawValue)",
        expected: samples.map(\.rawValue).joined(separator: ", ") + (container == .jpeg ? " without alpha" : ""))
    }
    guard container != .exr || orientation == .up else {
      throw .usage(
        found: "orientation \(orientation.rawValue) for OpenEXR, which cannot say it", expected: "upright pixels")
    }
    guard container != .heif || format.channels != .greyAlpha else {
      throw .usage(found: "\(format) for HEIF", expected: "grey without alpha, RGB or RGBA")
    }
    guard (1...100).contains(heif.quality), [8, 10, 12].contains(heif.bits), (1...100).contains(jxl.quality),
      (1...9).contains(jxl.effort)
    else {
      throw .usage(
        found: "quality \(heif.quality) or \(jxl.quality), \(heif.bits) bits, effort \(jxl.effort)",
        expected: "quality 1...100, 8, 10 or 12 bits, effort 1...9")
    }
    guard (1...100).contains(jpeg.quality) else {
      throw .usage(found: "JPEG quality \(jpeg.quality)", expected: "1...100")
    }
  }
}

/// Sizes beyond which a header is taken for a lie.
enum PictureLimits {
  static let side = 1_000_000
  static let area = 1_000_000_000
  /// JPEG stores sizes in 16 bits; libjpeg stops a little earlier (JPEG_MAX_DIMENSION).
  static let jpegSide = 65_500

  static func check(_ size: PixelSize, _ container: PictureContainer) throws(PhotoFileError) {
    guard size.width > 0, size.height > 0, size.width <= side, size.height <= side, size.area <= area else {
      throw .implausibleSize(
        container, found: size, limit: "1...\(side) a side and \(area / 1_000_000) megapixels")
    }
  }
}
