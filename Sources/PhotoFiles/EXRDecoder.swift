internal import CEXR
internal import ImageCore

/// Rows out of OpenEXR's first part: scan lines or tiles of grey or RGB, as floats. The picture is the data window.
final class EXRDecoder: RowDecoder {
  let size: PixelSize
  let format: PixelFormat
  /// OpenEXR stores pictures upright.
  let orientation = Orientation.up
  let iccProfile: [UInt8]
  let primaries: RGBPrimaries?
  private let file: InputFile
  private let exr: OpaquePointer
  private let bandRows: Int
  private var band: (index: Int, rows: UnsafePointer<Float>, stride: Int)?
  private var rowsRead = 0

  init(_ file: InputFile) throws(PhotoFileError) {
    if let missing = cexr_missing() { throw .codecMissing(.exr, detail: String(cString: missing)) }
    self.file = file
    guard let exr = cexr_open(file.descriptor) else { throw .damaged(.exr, detail: "out of memory") }
    var info = cexr_info()
    do throws(PhotoFileError) {
      let status = cexr_read_header(exr, UInt64(file.byteCount), &info)
      if status == 1 {
        throw .unsupported(.exr, found: String(cString: cexr_error(exr)), expected: "channels R, G, B or Y")
      }
      try Self.check(status, exr)
      size = PixelSize(width: Int(info.width), height: Int(info.height))
      try PictureLimits.check(size, .exr)
      // The table of chunks alone has eight bytes for each of them.
      guard size.height / Int(info.band_rows) * 8 <= file.byteCount else {
        throw .implausibleSize(.exr, found: size, limit: "what \(file.byteCount) bytes can hold")
      }
    } catch {
      cexr_close(exr)
      throw error
    }
    self.exr = exr
    bandRows = Int(info.band_rows)
    let layouts: [ChannelLayout] = [.grey, .greyAlpha, .rgb, .rgba]
    format = PixelFormat(layouts[Int(info.channels) - 1], .float32)
    let c = info.chromaticities
    func point(_ x: Float, _ y: Float) -> Chromaticity { Chromaticity(x: Double(x), y: Double(y)) }
    let found =
      info.has_chromaticities == 0
      ? nil
      : RGBPrimaries(red: point(c.0, c.1), green: point(c.2, c.3), blue: point(c.4, c.5), white: point(c.6, c.7))
    primaries = found
    iccProfile = Self.profile(found, grey: format.channels.count < 3)
  }

  deinit { cexr_close(exr) }

  func read(rows count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    let rowBytes = size.width * format.bytesPerPixel
    for row in 0..<count {
      let index = rowsRead / bandRows
      if band?.index != index {
        var pointer: UnsafePointer<Float>?
        var stride = 0
        try Self.check(cexr_read_band(exr, UInt32(index), &pointer, &stride), exr)
        band = pointer.map { (index, $0, stride) }
      }
      if let band {
        (rows + row * bytesPerRow).copyMemory(
          from: band.rows + (rowsRead - index * bandRows) * band.stride, byteCount: rowBytes)
      }
      rowsRead += 1
    }
  }

  /// Rec. 709 when the file says nothing (OpenEXR's default).
  private static func profile(_ primaries: RGBPrimaries?, grey: Bool) -> [UInt8] {
    guard let primaries, !grey else { return ICCProfile.bytes(for: .sRGB, linear: true, grey: grey) }
    if let space = primaries.space { return ICCProfile.bytes(for: space, linear: true) }
    return ICCProfile.linear(primaries, named: "OpenEXR chromaticities linear")
  }

  private static func check(_ status: Int32, _ exr: OpaquePointer) throws(PhotoFileError) {
    guard status != 0 else { return }
    let code = cexr_errno(exr)
    throw code != 0 ? .io(errno: code) : .damaged(.exr, detail: String(cString: cexr_error(exr)))
  }
}
