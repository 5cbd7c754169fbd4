public import ImageCore

/// How a DNG is written.
public struct DNGWriteOptions: Sendable, Hashable {
  /// How samples are packed.
  public enum Compression: String, Sendable, Hashable, Codable, CaseIterable {
    /// 16 bits a sample in one strip: the fastest to read.
    case none
    /// Tiles of lossless JPEG (ITU-T T.81, process 14), about half the size; what most cameras and converters write.
    case losslessJPEG = "ljpeg"
    /// Tiles of JPEG XL (DNG 1.7, compression 52546): smaller, slower, read by few programs yet. Loses nothing unless
    /// ``jxlQuality`` is below 100.
    case jpegXL = "jxl"
  }

  /// How samples are packed.
  public var compression: Compression
  /// 1...100 for JPEG XL: 100 loses nothing, see ``JXLScale`` for the others.
  public var jxlQuality: Int

  /// Uncompressed unless told otherwise.
  public init(compression: Compression = .none, jxlQuality: Int = 100) {
    self.compression = compression
    self.jxlQuality = jxlQuality
  }
}

/// A small developed picture for file browsers, in the same stored orientation as the photo.
public enum DNGPreview: Sendable {
  /// A complete JPEG stream: three components, YCbCr, sRGB. `subsampling` is 1 or 2: how many pixels share a colour in
  /// each direction.
  case jpeg([UInt8], size: PixelSize, subsampling: Int)
  /// sRGB.
  case rgb(Image<RGB<UInt8>>)

  /// Columns and rows.
  public var size: PixelSize {
    switch self {
    case .jpeg(_, let size, _): size
    case .rgb(let image): image.size
    }
  }
}

/// What the source said besides its pixels, to be carried into a DNG.
public struct DNGMetadata: Sendable, Hashable {
  /// A TIFF structure with IFD0, the EXIF and the GPS directory. Empty when there is none.
  public var exif: [UInt8]
  /// An XMP packet, UTF-8. Empty when there is none.
  public var xmp: [UInt8]

  /// Nothing unless given.
  public init(exif: [UInt8] = [], xmp: [UInt8] = []) {
    self.exif = exif
    self.xmp = xmp
  }
}

/// What a writer has to say about a file that it wrote.
public struct DNGWriteReport: Sendable, Hashable {
  /// Size of the file.
  public var byteCount = 0
  /// What could not be written as it was; one line each.
  public var warnings: [String] = []
}

/// Why a DNG could not be written; one line without the file's name.
public enum DNGWriteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// DNG readers need to know how the camera's colours relate to CIE XYZ.
  case colourUnknown
  /// Levels that are no numbers, or white that is not above black.
  case levelsUnusable(String)
  /// Classic TIFF ends at 4 GiB.
  case tooLarge
  /// The library of a codec is not installed, or it failed.
  case codec(String, isMissing: Bool)
  /// The system's reason.
  case notWritten(String)

  /// One line.
  public var description: String {
    switch self {
    case .colourUnknown: "has no colour matrix, which a DNG must have"
    case .levelsUnusable(let what): "has levels that a DNG cannot hold: \(what)"
    case .tooLarge: "needs more than the 4 GiB a DNG can hold"
    case .codec(let reason, _): "needs JPEG XL: \(reason)"
    case .notWritten(let reason): "cannot be written: \(reason)"
    }
  }
}
