internal import CJXL
internal import Glibc
internal import ImageCore

/// Rows out of libjxl. The picture is decoded whole at the first row.
final class JXLDecoder: RowDecoder {
  /// A flat picture takes next to nothing; still no stream describes more pixels with one byte.
  private static let bestRatio = 1 << 20

  let size: PixelSize
  let format: PixelFormat
  let orientation: Orientation
  let iccProfile: [UInt8]
  private let bytes: [UInt8]
  private let workers: Workers
  private var whole: UnsafeMutableRawPointer?
  private var rowsRead = 0

  init(_ file: InputFile, _ workers: Workers) throws(PhotoFileError) {
    if let missing = cjxl_missing() { throw .codecMissing(.jxl, detail: String(cString: missing)) }
    let bytes = try file.firstBytes(file.byteCount)
    self.workers = workers
    let info = try Self.header(bytes, CJXL_UINT8).info
    size = PixelSize(width: Int(info.width), height: Int(info.height))
    try PictureLimits.check(size, .jxl)
    guard size.area / Self.bestRatio <= bytes.count else {
      throw .implausibleSize(.jxl, found: size, limit: "what \(bytes.count) bytes can hold")
    }
    let layouts: [ChannelLayout] = [.grey, .greyAlpha, .rgb, .rgba]
    guard (1...layouts.count).contains(Int(info.channels)) else {
      throw .unsupported(.jxl, found: "\(info.channels) channels", expected: "grey or RGB, with or without alpha")
    }
    let sample: SampleType = info.exponent_bits > 0 || info.bits > 16 ? .float32 : info.bits > 8 ? .uint16 : .uint8
    format = PixelFormat(layouts[Int(info.channels) - 1], sample)
    iccProfile = try Self.header(bytes, sample.cjxl).icc
    orientation = Orientation(exif: Int(info.orientation)) ?? .up
    self.bytes = bytes
  }

  deinit { free(whole) }

  private static func header(
    _ bytes: [UInt8], _ sample: cjxl_sample
  ) throws(PhotoFileError) -> (info: cjxl_info, icc: [UInt8]) {
    var info = cjxl_info()
    var icc: UnsafeMutablePointer<UInt8>?
    var count = 0
    var error = [CChar](repeating: 0, count: Int(CJXL_ERROR))
    guard cjxl_header(bytes, bytes.count, sample, &info, &icc, &count, &error) == 0 else {
      throw .damaged(.jxl, detail: textOf(error))
    }
    defer { free(icc) }
    return (info, Array(UnsafeBufferPointer(start: icc, count: count)))
  }

  func read(rows count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    let rowBytes = size.width * format.bytesPerPixel
    if whole == nil { try decode(rowBytes * size.height) }
    guard let whole else { return }
    for row in 0..<count {
      (rows + row * bytesPerRow).copyMemory(from: whole + (rowsRead + row) * rowBytes, byteCount: rowBytes)
    }
    rowsRead += count
  }

  private func decode(_ byteCount: Int) throws(PhotoFileError) {
    guard let memory = malloc(byteCount) else { throw .damaged(.jxl, detail: "out of memory") }
    var error = [CChar](repeating: 0, count: Int(CJXL_ERROR))
    let status = WorkersRunner(workers).lend { runner, user in
      cjxl_decode(
        bytes, bytes.count, format.sample.cjxl, Int32(format.channels.count), memory, byteCount, runner, user, &error)
    }
    guard status == 0 else {
      free(memory)
      throw .damaged(.jxl, detail: textOf(error))
    }
    whole = memory
  }
}
