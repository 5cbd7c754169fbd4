internal import CJPEG
internal import ImageCore

/// Rows out of libjpeg-turbo. What the library would paper over, such as a missing end, is an error.
final class JPEGDecoder: RowDecoder {
  /// More pixels per byte than any encoder reaches (a block of 64 pixels takes two bits when it is coded in sequence;
  /// progressive files reach some hundreds).
  private static let bestPixelsPerByte = 4096

  let size: PixelSize
  let format: PixelFormat
  let orientation: Orientation
  let iccProfile: [UInt8]
  private let file: InputFile
  private let jpeg: OpaquePointer
  private var rowsRead = 0
  private var started = false

  init(_ file: InputFile) throws(PhotoFileError) {
    self.file = file
    guard let jpeg = cjpeg_reader_open(file.descriptor) else { throw .damaged(.jpeg, detail: "out of memory") }
    var info = cjpeg_info()
    var blobs = cjpeg_blobs()
    let status = cjpeg_read_header(jpeg, &info, &blobs)
    do throws(PhotoFileError) {
      try Self.check(status, jpeg)
      size = PixelSize(width: Int(info.width), height: Int(info.height))
      guard info.unsupported == 0 else {
        throw .unsupported(
          .jpeg, found: info.components == 4 ? "CMYK" : "\(info.components) components",
          expected: "grey or RGB with 8 bits")
      }
      try PictureLimits.check(size, .jpeg)
      guard size.area / Self.bestPixelsPerByte <= file.byteCount else {
        throw .implausibleSize(.jpeg, found: size, limit: "what \(file.byteCount) bytes can hold")
      }
    } catch {
      cjpeg_reader_close(jpeg)
      throw error
    }
    self.jpeg = jpeg
    format = PixelFormat(info.components == 1 ? .grey : .rgb, .uint8)
    iccProfile = Array(UnsafeBufferPointer(start: blobs.icc, count: blobs.icc_count))
    let exif = UnsafeBufferPointer(start: blobs.exif, count: blobs.exif_count)
    orientation = EXIFBlob(Array(exif.dropFirst(EXIFBlob.jpegSignature.count)))?.orientation ?? .up
  }

  deinit { cjpeg_reader_close(jpeg) }

  func read(rows count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    if !started { try check(cjpeg_read_start(jpeg)) }
    started = true
    try check(cjpeg_read_rows(jpeg, rows.assumingMemoryBound(to: UInt8.self), bytesPerRow, UInt32(count)))
    rowsRead += count
    if count > 0 && rowsRead == size.height { try check(cjpeg_read_end(jpeg)) }
  }

  private func check(_ status: Int32) throws(PhotoFileError) { try Self.check(status, jpeg) }

  private static func check(_ status: Int32, _ jpeg: OpaquePointer) throws(PhotoFileError) {
    guard status != 0 else { return }
    let code = cjpeg_reader_errno(jpeg)
    throw code != 0 ? .io(errno: code) : .damaged(.jpeg, detail: String(cString: cjpeg_reader_error(jpeg)))
  }
}
