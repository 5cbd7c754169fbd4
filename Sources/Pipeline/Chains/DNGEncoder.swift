import Develop
import Glibc
public import ImageCore
import PhotoFiles
public import RawFiles
public import TIFFTags

/// The last stage of chains that end in a DNG: photo, preview, metadata of the source → file.
public struct DNGEncoder: Sendable {
  /// How the file is written.
  public var options: DNGWriteOptions
  /// Leave out EXIF, GPS and XMP of the source, and what the photo says of its capture but for the camera's name.
  public var strip: Bool
  /// The name written into the Software tag.
  public var software: String

  /// An encoder; metadata are kept unless told otherwise.
  public init(options: DNGWriteOptions, strip: Bool = false, software: String) {
    self.options = options
    self.strip = strip
    self.software = software
  }

  /// What a recipe says of its output: lossless JPEG where it says nothing.
  init(_ output: Recipe.Output, software: String) {
    self.init(
      options: DNGWriteOptions(
        compression: output.dngCompression ?? .losslessJPEG,
        jxlQuality: output.dngCompression == .jpegXL ? output.quality ?? 100 : 100), strip: output.strip ?? false,
      software: software)
  }

  /// The preview's longer side has between this many pixels and twice as many, and never more than half of the photo's:
  /// readers look for the largest picture to find the photosites.
  private static let previewSide = 640
  /// JPEG quality of the preview: nobody looks closer than at a list of files.
  private static let previewQuality = 85

  /// Writes an open, empty file.
  ///
  /// - Parameters:
  ///   - source: the file whose EXIF, GPS and XMP are carried over; `nil` when there is none.
  ///   - applied: how pixels were laid, for the XMP.
  /// - Returns: a warning when something could not be written as it was.
  public func encode(
    _ photo: RawPhoto, metadataFrom source: FilePath?, applied: AppliedTransform? = nil, into descriptor: Int32,
    resources: Resources
  ) throws(JobFailure) -> String? {
    var metadata = DNGMetadata()
    var warnings: [String] = []
    if let source, !strip {
      let (read, warning) = PictureMetadata.read(
        fromFile: source.bytes, for: photo.pixels.size, orientation: photo.orientation)
      metadata = DNGMetadata(exif: read.exif, xmp: applied?.recorded(in: read.xmp) ?? read.xmp)
      if let warning { warnings.append(warning) }
    }
    var photo = photo
    if strip {
      var facts = CaptureFacts()
      facts.make = photo.facts.make
      facts.model = photo.facts.model
      photo.facts = facts
    }
    let report: DNGWriteReport
    do {
      report = try DNGWriter.write(
        photo, preview: Self.preview(of: photo, resources: resources), metadata: metadata, options: options,
        to: descriptor, software: software, resources: resources)
    } catch {
      switch error {
      case .notWritten: throw JobFailure(.ioError, error.description)
      case .codec(_, let isMissing): throw JobFailure(isMissing ? .unavailable : .cannotCreate, error.description)
      case .colourUnknown, .levelsUnusable, .tooLarge: throw JobFailure(.badData, error.description)
      }
    }
    warnings += report.warnings
    return warnings.isEmpty ? nil : warnings.joined(separator: "; ")
  }

  /// A small developed picture, stored as the photo is: the DNG's one orientation tag is true for both. `nil` when the
  /// photo cannot be developed, which keeps nobody from writing it.
  static func preview(of photo: RawPhoto, resources: Resources) -> DNGPreview? {
    let crop = photo.defaultCrop.size
    let side = min(previewSide, max(crop.width, crop.height) / 2)
    let small = photo.reduced(toSide: side, resources: resources)
    guard small.pixels.size.area * 4 <= crop.area, let developer = try? Developer(small, options: .standard) else {
      return nil
    }
    var picture = Image<RGB<UInt8>>(uninitialized: small.pixels.size, in: resources.pool)
    developer.render(PixelRect(picture.size), orientation: .up, into: &picture, resources: resources)
    guard let stream = jpeg(picture) else { return .rgb(picture) }
    return .jpeg(stream, size: picture.size, subsampling: 2)
  }

  /// The encoder writes to files; this one has no name and is gone when closed.
  private static func jpeg(_ picture: Image<RGB<UInt8>>) -> [UInt8]? {
    guard let file = tmpfile() else { return nil }
    defer { fclose(file) }
    let descriptor = fileno(file)
    let spec = PictureSpec(
      size: picture.size, format: PixelFormat(.rgb, .uint8), container: .jpeg,
      jpeg: JPEGQuality(quality: previewQuality, chroma: .s420))
    do {
      let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
      try picture.withRows { (rows) throws(PhotoFileError) in
        try writer.write(
          rows: rows.height, from: UnsafeRawPointer(rows.base),
          bytesPerRow: rows.stride * MemoryLayout<RGB<UInt8>>.stride)
      }
      try writer.finish()
    } catch { return nil }
    let count = lseek(descriptor, 0, SEEK_END)
    guard count > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return got == bytes.count ? bytes : nil
  }
}
