import ImageCore
public import PhotoFiles

/// The file a picture becomes.
public struct OutputSettings: Sendable, Hashable {
  /// The kinds of file that can be written.
  public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
    case jpeg, tiff, png, heif, jxl, exr, dng

    /// The format that a file name asks for.
    public init?(fileExtension: String) {
      switch fileExtension {
      case "jpg", "jpeg", "jpe": self = .jpeg
      case "tif", "tiff": self = .tiff
      case "png": self = .png
      case "exr": self = .exr
      case "heic", "heif": self = .heif
      case "jxl": self = .jxl
      case "dng": self = .dng
      default: return nil
      }
    }

    /// The usual ending of such files, without a dot.
    public var fileExtension: String {
      switch self {
      case .jpeg: "jpg"
      case .tiff: "tif"
      case .png: "png"
      case .exr: "exr"
      case .heif: "heic"
      case .jxl: "jxl"
      case .dng: "dng"
      }
    }
  }

  /// JPEG quality unless told otherwise: no visible loss in photographs.
  public static let defaultQuality = 92

  /// The quality unless told otherwise, on each format's own scale: about the same picture in all of them.
  public static func defaultQuality(_ format: Format?) -> Int {
    switch format {
    case .heif: HEIFOptions().quality
    case .jxl: JXLOptions().quality
    default: defaultQuality
    }
  }

  /// The kind of file.
  public var format: Format
  /// 1...100, for JPEG, HEIF and JPEG XL, each on its own scale.
  public var quality: Int
  /// 8, 16 or 32 (floating point). OpenEXR's 16 bits are floating point too.
  public var bits: Int
  /// How TIFF samples are packed.
  public var compression: TIFFCompression
  /// How much colour resolution JPEG keeps; HEIF keeps all of it from ``HEIFOptions/fullChromaQuality`` on, too.
  public var chroma: JPEGQuality.ChromaSubsampling
  /// Leave out EXIF, GPS and XMP.
  public var strip: Bool

  /// - Throws: usage (64) when the quality is not in 1...100 or the format has no samples of so many bits.
  public init(
    format: Format, quality: Int? = nil, bits: Int? = nil,
    compression: TIFFCompression = .none, chroma: JPEGQuality.ChromaSubsampling = .s420, strip: Bool = false
  ) throws(JobFailure) {
    let quality = quality ?? Self.defaultQuality(format)
    let depth = bits ?? (format == .exr ? 16 : 8)
    guard (1...100).contains(quality) else { throw JobFailure(.usage, "--quality \(quality) is not in 1...100") }
    let allowed: [Int] =
      switch format {
      case .jpeg: [8]
      case .png: [8, 16]
      case .tiff: [8, 16, 32]
      case .exr: [16, 32]
      case .heif: [8, 10, 12]
      case .jxl: [8, 16, 32]
      case .dng: [8, 16, 32]
      }
    guard allowed.contains(depth) else {
      throw JobFailure(
        .usage,
        "\(format.rawValue) has no \(depth)-bit samples (only \(allowed.map(String.init).joined(separator: ", ")))")
    }
    self.format = format
    self.quality = quality
    self.bits = depth
    self.compression = compression
    self.chroma = chroma
    self.strip = strip
  }

  var container: PictureContainer? {
    switch format {
    case .jpeg: .jpeg
    case .tiff: .tiff
    case .png: .png
    case .exr: .exr
    case .heif: .heif
    case .jxl: .jxl
    case .dng: nil
    }
  }

  /// Whether the encoder holds all of a picture before it writes any.
  var isEncodedWhole: Bool { format == .heif || format == .jxl }

  /// How samples are held before they are written.
  var sample: SampleType {
    switch (format, bits) {
    case (.exr, _), (_, 32): .float32
    case (_, 8): .uint8
    default: .uint16
    }
  }
}
