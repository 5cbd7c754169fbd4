import Develop
public import ImageCore
public import PhotoFiles

/// How a picture is turned.
public enum Rotation: Sendable, Hashable {
  /// Pixels are laid upright; the orientation tag becomes 1.
  case apply
  /// Pixels stay as stored; the tag is kept.
  case keep
  /// Stored pixels are turned clockwise by quarter turns, whatever the tag says; the tag becomes 1.
  case quarterTurns(Int)

  /// `apply`, `keep`, `0`, `90`, `180`, `270`.
  public init?(_ text: String) {
    switch text {
    case "apply": self = .apply
    case "keep": self = .keep
    case "0": self = .quarterTurns(0)
    case "90": self = .quarterTurns(1)
    case "180": self = .quarterTurns(2)
    case "270": self = .quarterTurns(3)
    default: return nil
    }
  }

  /// As it is written on the command line.
  public var name: String {
    switch self {
    case .apply: "apply"
    case .keep: "keep"
    case .quarterTurns(let turns): "\(turns * 90)"
    }
  }
}

/// Whether the upright picture is mirrored left to right.
public enum Mirroring: String, Sendable, Hashable, Codable, CaseIterable {
  /// As the capture facts ask; without such facts, not.
  case auto
  case on, off
}

/// How pixels are laid: rotation, mirroring and crop, decided together so that pixels move once.
public struct GeometryChoice: Sendable, Hashable {
  /// How pixels are turned.
  public var rotation: Rotation
  /// Whether the upright picture is mirrored.
  public var mirroring: Mirroring
  /// The exact ratio to crop to, as the picture is seen upright; `nil` for no crop.
  public var aspectRatio: AspectRatio?
  /// Which part a crop keeps.
  public var gravity: Gravity

  /// Upright, not mirrored, not cropped, unless told otherwise.
  public init(
    rotation: Rotation = .apply, mirroring: Mirroring = .auto, aspectRatio: AspectRatio? = nil,
    gravity: Gravity = .center
  ) {
    self.rotation = rotation
    self.mirroring = mirroring
    self.aspectRatio = aspectRatio
    self.gravity = gravity
  }

  /// What to do with stored pixels of size `stored` and orientation tag `tag`.
  ///
  /// - Parameter period: of the colour filter array when the result is a mosaic again, whose crop then keeps whole
  ///   periods; `nil` for pictures.
  /// - Throws: bad data (65) when the picture is too small for the exact aspect ratio.
  func placement(
    of stored: PixelSize, tag: Orientation, period: PixelSize? = nil
  ) throws(JobFailure) -> Placement {
    let mirror: Orientation = mirroring == .on ? .upMirrored : .up
    let lay: Orientation
    let resultTag: Orientation
    let display: Orientation
    switch rotation {
    case .apply: (lay, resultTag, display) = (tag.then(mirror), .up, tag.then(mirror))
    case .keep: (lay, resultTag, display) = (.up, tag.then(mirror), tag.then(mirror))
    case .quarterTurns(let turns):
      let turn = Orientation(clockwiseQuarterTurns: turns).then(mirror)
      (lay, resultTag, display) = (turn, .up, turn)
    }
    var rect = PixelRect(stored)
    if let aspectRatio {
      let upright = display.applied(to: stored)
      let crop = AspectCrop.storedRect(
        in: stored, orientation: display, ratio: aspectRatio, gravity: gravity,
        period: period ?? PixelSize(width: 1, height: 1))
      guard let crop else {
        throw JobFailure(.badData, "\(upright) is too small for an exact \(aspectRatio) crop")
      }
      rect = crop
    }
    return Placement(source: rect, lay: lay, tag: resultTag)
  }
}

/// Which stored pixels are taken, how they are laid, and which tag the result carries.
struct Placement: Sendable, Hashable {
  let source: PixelRect
  let lay: Orientation
  let tag: Orientation

  var size: PixelSize { lay.applied(to: source.size) }
}

/// The file a picture becomes.
public struct OutputSettings: Sendable, Hashable {
  /// The kinds of file that can be written.
  public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
    case jpeg, tiff, png, dng

    /// The format that a file name asks for.
    public init?(fileExtension: String) {
      switch fileExtension {
      case "jpg", "jpeg", "jpe": self = .jpeg
      case "tif", "tiff": self = .tiff
      case "png": self = .png
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
      case .dng: "dng"
      }
    }
  }

  /// JPEG quality unless told otherwise: no visible loss in photographs.
  public static let defaultQuality = 92

  /// The kind of file.
  public var format: Format
  /// 1...100, for JPEG.
  public var quality: Int
  /// 8, 16 or 32 (floating point, TIFF only).
  public var bits: Int
  /// How TIFF samples are packed.
  public var compression: TIFFCompression
  /// How much colour resolution JPEG keeps.
  public var chroma: JPEGQuality.ChromaSubsampling
  /// Leave out EXIF, GPS and XMP.
  public var strip: Bool

  /// - Throws: usage (64) when the quality is not in 1...100 or the format has no samples of so many bits.
  public init(
    format: Format, quality: Int = OutputSettings.defaultQuality, bits: Int? = nil,
    compression: TIFFCompression = .none, chroma: JPEGQuality.ChromaSubsampling = .s420, strip: Bool = false
  ) throws(JobFailure) {
    let depth = bits ?? 8
    guard (1...100).contains(quality) else { throw JobFailure(.usage, "--quality \(quality) is not in 1...100") }
    let allowed: [Int] =
      switch format {
      case .jpeg: [8]
      case .png: [8, 16]
      case .tiff: [8, 16, 32]
      case .dng: [8, 16]
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
    case .dng: nil
    }
  }
}
