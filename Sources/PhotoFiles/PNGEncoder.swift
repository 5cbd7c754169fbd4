internal import CPNG
internal import ImageCore

/// Rows into libpng.
final class PNGEncoder: RowEncoder {
  /// zlib's level: 1 is three times as fast as the default and costs a few percent of size.
  private static let level: Int32 = 1
  /// PNG_FILTER_SUB: one fixed filter spares trying all five on every row.
  private static let filter: Int32 = 0x10
  private let png: OpaquePointer

  init(_ descriptor: Int32, _ spec: PictureSpec) throws(PhotoFileError) {
    guard let png = cpng_open(descriptor, 1) else { throw .encoderFailed(.png, detail: "out of memory") }
    self.png = png
    let info = cpng_info(
      width: UInt32(spec.size.width), height: UInt32(spec.size.height), channels: Int32(spec.format.channels.count),
      bits: Int32(spec.format.sample.byteCount * 8), passes: 1)
    let exif = EXIFBlob.setting(spec.orientation, in: spec.metadata.exif)
    let status = spec.metadata.icc.withUnsafeBufferPointer { icc in
      exif.withUnsafeBufferPointer { exif in
        (spec.metadata.xmp + [0]).withUnsafeBytes { xmp in
          let blobs = cpng_blobs(
            icc: icc.baseAddress, exif: exif.baseAddress, xmp: xmp.bindMemory(to: CChar.self).baseAddress,
            icc_count: icc.count, exif_count: exif.count, xmp_count: xmp.count - 1)
          return cpng_write_header(png, info, blobs, Self.level, Self.filter)
        }
      }
    }
    try check(status)
  }

  deinit { cpng_close(png) }

  func write(rows count: Int, from rows: UnsafeRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    try check(cpng_write_rows(png, rows.assumingMemoryBound(to: UInt8.self), bytesPerRow, UInt32(count)))
  }

  func finish() throws(PhotoFileError) { try check(cpng_write_end(png)) }

  private func check(_ status: Int32) throws(PhotoFileError) {
    guard status != 0 else { return }
    let code = cpng_errno(png)
    throw code != 0 ? .io(errno: code) : .encoderFailed(.png, detail: String(cString: cpng_error(png)))
  }
}
