internal import CHEIF
internal import CJXL
internal import Glibc
internal import ImageCore

/// EXIF, XMP and the profile of a file that Exiv2 does not take apart itself, as they lie in it.
struct MetadataBlocks {
  /// A TIFF structure without anything in front; empty when there is none.
  private(set) var exif: [UInt8] = []
  private(set) var xmp: [UInt8] = []
  private(set) var icc: [UInt8] = []
  /// Why something was left out.
  private(set) var warning: String?

  /// `nil` for files that Exiv2 reads.
  init?(path: [UInt8]) {
    let signatureBytes = 12
    guard let first = try? InputFile(path: path).firstBytes(signatureBytes) else { return nil }
    switch PictureContainer.sniff(first) {
    case .heif: readHEIF(path)
    case .jxl: readJXL(path)
    default: return nil
    }
  }

  private mutating func readHEIF(_ path: [UInt8]) {
    if let missing = cheif_missing(0) {
      warning = PhotoFileError.codecMissing(.heif, detail: String(cString: missing)).description
      return
    }
    guard let heif = cheif_open() else {
      warning = "out of memory"
      return
    }
    defer { cheif_close(heif) }
    var blobs = cheif_blobs()
    let status = withPath(path) { cheif_read_metadata(heif, $0, &blobs) }
    let reason = String(cString: cheif_error(heif))
    if status != 0 || !reason.isEmpty { warning = "metadata were left out: \(reason)" }
    xmp = Array(UnsafeBufferPointer(start: blobs.xmp, count: blobs.xmp_count))
    icc = Array(UnsafeBufferPointer(start: blobs.icc, count: blobs.icc_count))
    take(exifItem: Array(UnsafeBufferPointer(start: blobs.exif, count: blobs.exif_count)))
  }

  private mutating func readJXL(_ path: [UInt8]) {
    if let missing = cjxl_missing() {
      warning = PhotoFileError.codecMissing(.jxl, detail: String(cString: missing)).description
      return
    }
    var found = cjxl_boxes()
    defer { cjxl_free_boxes(&found) }
    var error = [CChar](repeating: 0, count: Int(CJXL_ERROR))
    do throws(PhotoFileError) {
      let file = try InputFile(path: path)
      let bytes = try file.firstBytes(file.byteCount)
      if cjxl_read_boxes(bytes, bytes.count, &found, &error) != 0 {
        warning = "metadata were left out: \(textOf(error))"
      }
    } catch {
      warning = "metadata were left out: \(error)"
    }
    xmp = Array(UnsafeBufferPointer(start: UnsafePointer(found.xmp), count: found.xmp_count))
    take(exifItem: Array(UnsafeBufferPointer(start: UnsafePointer(found.exif), count: found.exif_count)))
  }

  private mutating func take(exifItem item: [UInt8]) {
    guard !item.isEmpty else { return }
    if let structure = Self.structure(inItem: item) {
      exif = structure
    } else {
      warning = warning ?? "the EXIF data are damaged and were left out"
    }
  }

  /// The TIFF structure in an item of HEIF (ISO/IEC 23008-12, annex A.2.1) or a box of JPEG XL (ISO/IEC 18181-2): four
  /// bytes say, big-endian, how far behind them it starts. Some writers put JPEG's signature in front and do not count it.
  static func structure(inItem item: [UInt8]) -> [UInt8]? {
    let lengthBytes = 4
    let skipped = item.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
    var body = item.dropFirst(lengthBytes).dropFirst(skipped)
    if body.starts(with: EXIFBlob.jpegSignature) { body = body.dropFirst(EXIFBlob.jpegSignature.count) }
    return PictureContainer.sniff(Array(body.prefix(lengthBytes))) == .tiff ? Array(body) : nil
  }
}
