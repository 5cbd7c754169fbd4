internal import CExiv2
public import ImageCore

/// What a picture file says besides its pixels.
public struct PictureMetadata: Sendable, Hashable {
  /// A TIFF structure with IFD0, the EXIF and the GPS directory, without the leading `Exif\0\0`. Empty when there is
  /// none.
  public var exif: [UInt8]
  /// An XMP packet, UTF-8.
  public var xmp: [UInt8]
  /// An ICC profile.
  public var icc: [UInt8]

  /// Metadata of these three blocks.
  public init(exif: [UInt8] = [], xmp: [UInt8] = [], icc: [UInt8] = []) {
    self.exif = exif
    self.xmp = xmp
    self.icc = icc
  }

  /// What is written into the Software tag.
  public static let software = "duo-process"
  /// One JPEG segment holds 65533 bytes; EXIF has a signature of six in front.
  static let exifLimit = 65_533 - EXIFBlob.jpegSignature.count
  /// One JPEG segment, less the XMP signature.
  static let xmpLimit = 65_533 - EXIFBlob.xmpSignature.count

  /// Reads EXIF, GPS and XMP of any file Exiv2 knows, raw files included, made true for a picture developed from it. The
  /// blocks of HEIF are found by libheif, those of JPEG XL by libjxl.
  ///
  /// Tags that describe the source's storage (strips, tiles, colour filters, DNG, thumbnails, raw developer settings)
  /// are left out. A file without readable metadata gives empty metadata and a warning, not an error.
  ///
  /// - Parameters:
  ///   - path: as the system takes it, without a trailing zero.
  ///   - size: of the stored pixels of the new picture.
  ///   - orientation: what the new picture's tag shall say; `.up` when its pixels are upright.
  ///   - colourSpace: of the new picture; EXIF only tells sRGB from others. `icc` is the source's profile, if any, and
  ///     usually replaced by the caller.
  public static func read(
    fromFile path: [UInt8], for size: PixelSize, orientation: Orientation, colourSpace: OutputColourSpace = .sRGB
  ) -> (metadata: PictureMetadata, warning: String?) {
    let exifUncalibrated: UInt16 = 0xFFFF
    let blocks = MetadataBlocks(path: path)
    var result = cexiv2_result()
    defer { cexiv2_free(&result) }
    software.withCString { software in
      var request = cexiv2_request(
        width: UInt32(clamping: size.width), height: UInt32(clamping: size.height),
        orientation: UInt16(orientation.rawValue), colour_space: colourSpace == .sRGB ? 1 : exifUncalibrated,
        software: software, exif_limit: exifLimit, xmp_limit: xmpLimit)
      guard let blocks else { return withPath(path) { cexiv2_read($0, &request, &result) } }
      blocks.exif.withUnsafeBufferPointer { exif in
        blocks.xmp.withUnsafeBufferPointer { xmp in
          let source = cexiv2_source(
            exif: exif.baseAddress, xmp: xmp.baseAddress, exif_count: exif.count, xmp_count: xmp.count)
          cexiv2_convert(source, &request, &result)
        }
      }
    }
    let warning = blocks?.warning ?? textOf(result.warning)
    let metadata = PictureMetadata(
      exif: bytes(result.exif), xmp: bytes(result.xmp), icc: blocks?.icc ?? bytes(result.icc))
    return (metadata, warning.isEmpty ? nil : warning)
  }

  private static func bytes(_ blob: cexiv2_blob) -> [UInt8] {
    Array(UnsafeBufferPointer(start: UnsafePointer(blob.bytes), count: blob.count))
  }
}
