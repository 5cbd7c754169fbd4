internal import CEXR
internal import ImageCore

/// Rows into OpenEXR: scan lines, ZIP, linear light.
final class EXREncoder: RowEncoder {
  private let exr: OpaquePointer

  init(_ descriptor: Int32, _ spec: PictureSpec) throws(PhotoFileError) {
    if let missing = cexr_missing() { throw .codecMissing(.exr, detail: String(cString: missing)) }
    guard let exr = cexr_open(descriptor) else { throw .encoderFailed(.exr, detail: "out of memory") }
    self.exr = exr
    var info = cexr_info()
    info.width = UInt32(spec.size.width)
    info.height = UInt32(spec.size.height)
    info.channels = Int32(spec.format.channels.count)
    info.half = spec.exr.precision == .half ? 1 : 0
    if let primaries = spec.exr.primaries {
      info.has_chromaticities = 1
      let p = primaries.points
      info.chromaticities = (
        Float(p[0].x), Float(p[0].y), Float(p[1].x), Float(p[1].y), Float(p[2].x), Float(p[2].y), Float(p[3].x),
        Float(p[3].y)
      )
    }
    try check(cexr_write_begin(exr, info))
    if let blob = EXIFBlob(spec.metadata.exif) { try writeCapture(blob) }
    try check(cexr_write_header(exr))
  }

  deinit { cexr_close(exr) }

  func write(rows count: Int, from rows: UnsafeRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    try check(cexr_write_rows(exr, rows.assumingMemoryBound(to: UInt8.self), bytesPerRow, UInt32(count)))
  }

  func finish() throws(PhotoFileError) { try check(cexr_write_end(exr)) }

  /// OpenEXR's standard attributes (ImfStandardAttributes.h) that EXIF has: it holds no EXIF block.
  private func writeCapture(_ blob: EXIFBlob) throws(PhotoFileError) {
    let texts: [(tag: UInt16, name: String)] = [
      (0x010F, "cameraMake"), (0x0110, "cameraModel"), (0x9003, "capDate"), (0xA434, "lensModel"), (0x013B, "owner"),
    ]
    let numbers: [(tag: UInt16, name: String)] = [
      (0x829A, "expTime"), (0x829D, "aperture"), (0x8827, "isoSpeed"), (0x920A, "nominalFocalLength"),
    ]
    let entries = blob.image + blob.exif
    for (tag, name) in texts {
      guard let text = entries.first(where: { $0.tag == tag })?.text, !text.isEmpty else { continue }
      try check(cexr_write_text(exr, name, text))
    }
    for (tag, name) in numbers {
      guard let value = entries.first(where: { $0.tag == tag })?.number else { continue }
      try check(cexr_write_number(exr, name, Float(value)))
    }
  }

  private func check(_ status: Int32) throws(PhotoFileError) {
    guard status != 0 else { return }
    let code = cexr_errno(exr)
    throw code != 0 ? .io(errno: code) : .encoderFailed(.exr, detail: String(cString: cexr_error(exr)))
  }
}

extension EXIFBlob.Entry {
  /// Up to the first zero.
  var text: String? {
    let ascii: UInt16 = 2
    return type == ascii ? String(decoding: data.prefix { $0 != 0 }, as: UTF8.self) : nil
  }

  /// The first value of a whole number or an unsigned rational.
  var number: Double? {
    func whole(_ start: Int, _ count: Int) -> Double {
      Double(data[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) })
    }
    switch type {
    case 3 where data.count >= 2: return whole(0, 2)
    case 4 where data.count >= 4: return whole(0, 4)
    case 5 where data.count >= 8:
      let denominator = whole(4, 4)
      return denominator > 0 ? whole(0, 4) / denominator : nil
    default: return nil
    }
  }
}
