internal import CJPEG
internal import ImageCore

/// Rows into libjpeg-turbo.
final class JPEGEncoder: RowEncoder {
  private let jpeg: OpaquePointer

  init(_ descriptor: Int32, _ spec: PictureSpec) throws(PhotoFileError) {
    guard let jpeg = cjpeg_writer_open(descriptor) else { throw .encoderFailed(.jpeg, detail: "out of memory") }
    self.jpeg = jpeg
    let info = cjpeg_info(
      width: UInt32(spec.size.width), height: UInt32(spec.size.height), components: Int32(spec.format.channels.count),
      unsupported: 0)
    let exif = EXIFBlob.setting(spec.orientation, in: spec.metadata.exif)
    let app1 = exif.isEmpty || exif.count > PictureMetadata.exifLimit ? [] : EXIFBlob.jpegSignature + exif
    let xmp = spec.metadata.xmp
    let xmpSegment = xmp.isEmpty || xmp.count > PictureMetadata.xmpLimit ? [] : EXIFBlob.xmpSignature + xmp
    let status = spec.metadata.icc.withUnsafeBufferPointer { icc in
      app1.withUnsafeBufferPointer { exif in
        xmpSegment.withUnsafeBufferPointer { xmp in
          let blobs = cjpeg_blobs(
            icc: icc.baseAddress, exif: exif.baseAddress, xmp: xmp.baseAddress, icc_count: icc.count,
            exif_count: exif.count, xmp_count: xmp.count)
          return cjpeg_write_header(
            jpeg, info, Int32(spec.jpeg.quality), spec.jpeg.chroma == .s420 ? 1 : 0, blobs)
        }
      }
    }
    try check(status)
  }

  deinit { cjpeg_writer_close(jpeg) }

  func write(rows count: Int, from rows: UnsafeRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    try check(cjpeg_write_rows(jpeg, rows.assumingMemoryBound(to: UInt8.self), bytesPerRow, UInt32(count)))
  }

  func finish() throws(PhotoFileError) { try check(cjpeg_write_end(jpeg)) }

  private func check(_ status: Int32) throws(PhotoFileError) {
    guard status != 0 else { return }
    let code = cjpeg_writer_errno(jpeg)
    throw code != 0 ? .io(errno: code) : .encoderFailed(.jpeg, detail: String(cString: cjpeg_writer_error(jpeg)))
  }
}
