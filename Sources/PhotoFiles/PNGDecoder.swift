internal import CPNG
internal import ImageCore

/// Rows out of libpng. An interlaced picture is decoded whole at the first row.
final class PNGDecoder: RowDecoder {
  /// Deflate cannot do better than 1032 to 1 (RFC 1951: 258 bytes in two bits).
  private static let bestRatio = 1032

  let size: PixelSize
  let format: PixelFormat
  let orientation: Orientation
  let iccProfile: [UInt8]
  private let file: InputFile
  private let png: OpaquePointer
  private let passes: Int
  private var whole: [UInt8] = []
  private var rowsRead = 0

  init(_ file: InputFile) throws(PhotoFileError) {
    self.file = file
    guard let png = cpng_open(file.descriptor, 0) else { throw .damaged(.png, detail: "out of memory") }
    var info = cpng_info()
    var blobs = cpng_blobs()
    let status = cpng_read_header(png, UInt32(PictureLimits.side), &info, &blobs)
    do throws(PhotoFileError) {
      try Self.check(status, png)
      size = PixelSize(width: Int(info.width), height: Int(info.height))
      let layouts: [ChannelLayout] = [.grey, .greyAlpha, .rgb, .rgba]
      format = PixelFormat(layouts[Int(info.channels) - 1], info.bits == 16 ? .uint16 : .uint8)
      try PictureLimits.check(size, .png)
      // Before it deflates, a PNG stores at least one bit a pixel (a palette), or its 16-bit samples without alpha.
      let colours = format.channels.count >= 3 ? 3 : 1
      let leastBits = format.sample == .uint16 ? 16 * colours : 1
      let storedBytes = (size.width * leastBits + 7) / 8 * size.height
      guard storedBytes / Self.bestRatio <= file.byteCount else {
        throw .implausibleSize(.png, found: size, limit: "what \(file.byteCount) bytes can hold")
      }
    } catch {
      cpng_close(png)
      throw error
    }
    self.png = png
    passes = Int(info.passes)
    iccProfile = Array(UnsafeBufferPointer(start: blobs.icc, count: blobs.icc_count))
    orientation = EXIFBlob(Array(UnsafeBufferPointer(start: blobs.exif, count: blobs.exif_count)))?.orientation ?? .up
  }

  deinit { cpng_close(png) }

  func read(rows count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    guard passes == 1 else { return try readInterlaced(count, rows, bytesPerRow) }
    try check(cpng_read_rows(png, rows.assumingMemoryBound(to: UInt8.self), bytesPerRow, UInt32(count)))
    rowsRead += count
    if count > 0 && rowsRead == size.height { try check(cpng_read_end(png)) }
  }

  private func readInterlaced(
    _ count: Int, _ rows: UnsafeMutableRawPointer, _ bytesPerRow: Int
  ) throws(PhotoFileError) {
    let rowBytes = size.width * format.bytesPerPixel
    if whole.isEmpty {
      whole = [UInt8](repeating: 0, count: rowBytes * size.height)
      for _ in 0..<passes { try check(cpng_read_rows(png, &whole, rowBytes, UInt32(size.height))) }
      try check(cpng_read_end(png))
    }
    whole.withUnsafeBytes { bytes in
      for row in 0..<count {
        (rows + row * bytesPerRow).copyMemory(
          from: bytes.baseAddress! + (rowsRead + row) * rowBytes, byteCount: rowBytes)
      }
    }
    rowsRead += count
  }

  private func check(_ status: Int32) throws(PhotoFileError) { try Self.check(status, png) }

  private static func check(_ status: Int32, _ png: OpaquePointer) throws(PhotoFileError) {
    guard status != 0 else { return }
    let code = cpng_errno(png)
    throw code != 0 ? .io(errno: code) : .damaged(.png, detail: String(cString: cpng_error(png)))
  }
}
