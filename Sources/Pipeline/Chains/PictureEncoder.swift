public import ImageCore
import PhotoFiles
import TIFFTags

/// The last stage of each chain: pixels, metadata and profile → file.
public struct PictureEncoder: Sendable {
  let output: OutputSettings
  let software: String
  var applied: AppliedTransform?
  /// The space of the pixels; `nil` when it is not one of those written here.
  var space: OutputColourSpace?
  /// Threads for formats that are encoded whole.
  var workers = Workers.serial
  /// The primaries of linear light when they are not those of a space.
  var primaries: RGBPrimaries?

  /// Writes linear sRGB light as a 32-bit TIFF without metadata of a capture.
  public static func writeTruth(_ image: Image<RGB<Float>>, into descriptor: Int32) throws(JobFailure) {
    let spec = PictureSpec(
      size: image.size, format: PixelFormat(.rgb, .float32), container: .tiff,
      metadata: PictureMetadata(icc: ICCProfile.bytes(for: .sRGB, linear: true)))
    do { try write(image, spec, into: descriptor) } catch { throw JobFailure(error) }
  }

  /// Writes a grey picture that is no photograph: PNG, or what the name's extension asks for.
  static func writeMap(_ map: Image<UInt8>, named path: FilePath, into descriptor: Int32) throws(JobFailure) {
    let format = OutputSettings.Format(fileExtension: path.fileExtension) ?? .png
    guard let container = try OutputSettings(format: format).container else {
      throw JobFailure(.usage, "a map is a picture, not a DNG")
    }
    let spec = PictureSpec(size: map.size, format: PixelFormat(.grey, .uint8), container: container)
    do { try write(map, spec, into: descriptor) } catch { throw JobFailure(error) }
  }

  /// Rows are handed over in bands of this many.
  static let rowsPerBand = 64

  /// Writes the header of a picture whose rows are still to come.
  ///
  /// - Parameter source: `nil` when there are no metadata to carry over.
  func open(
    _ size: PixelSize, _ format: PixelFormat, metadataFrom source: FilePath?, icc: [UInt8], tag: Orientation,
    into descriptor: Int32
  ) throws(JobFailure) -> OpenPicture {
    let (spec, warning) = try spec(size: size, format: format, metadataFrom: source, icc: icc, tag: tag)
    do {
      return OpenPicture(
        try PictureWriter(fileDescriptor: descriptor, spec: spec, workers: workers), warning: warning)
    } catch { throw JobFailure(error) }
  }

  private static func write<Pixel>(
    _ image: Image<Pixel>, _ spec: PictureSpec, into descriptor: Int32
  ) throws(PhotoFileError) {
    let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
    try image.withRows { (rows) throws(PhotoFileError) in
      let bytesPerRow = rows.stride * MemoryLayout<Pixel>.stride
      for start in stride(from: 0, to: rows.height, by: rowsPerBand) {
        let count = min(rowsPerBand, rows.height - start)
        try writer.write(rows: count, from: UnsafeRawPointer(rows.row(start)), bytesPerRow: bytesPerRow)
      }
    }
    try writer.finish()
  }

  /// Everything about the file but its pixels.
  func spec(
    size: PixelSize, format: PixelFormat, metadataFrom source: FilePath?, icc: [UInt8], tag: Orientation
  ) throws(JobFailure) -> (PictureSpec, warning: String?) {
    guard let container = output.container else {
      throw JobFailure(.usage, "a picture cannot be written as \(output.format.rawValue)")
    }
    var metadata = PictureMetadata()
    var warning: String?
    if let source, !output.strip {
      (metadata, warning) = PictureMetadata.read(fromFile: source.bytes, for: size, orientation: tag)
    }
    metadata.icc = icc
    if let applied, !output.strip { metadata.xmp = applied.recorded(in: metadata.xmp) }
    let spec = PictureSpec(
      size: size, format: format, container: container,
      jpeg: JPEGQuality(quality: output.quality, chroma: output.chroma),
      tiffCompression: output.compression,
      exr: EXROptions(
        precision: output.bits == 16 ? .half : .float, primaries: primaries ?? space.map(RGBPrimaries.init)),
      heif: HEIFOptions(
        quality: output.quality, chroma: output.chroma == .s444 ? .s444 : nil,
        bits: output.format == .heif ? output.bits : 8), jxl: JXLOptions(quality: output.quality), space: space,
      metadata: metadata, orientation: tag)
    return (spec, warning)
  }
}
