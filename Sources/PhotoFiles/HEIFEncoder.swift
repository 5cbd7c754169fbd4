internal import CHEIF
internal import ImageCore

/// Rows into libheif and x265: they go straight into the picture that is encoded, which is in memory whole.
final class HEIFEncoder: RowEncoder {
  private let spec: PictureSpec
  private let descriptor: Int32
  private let workers: Workers
  private let heif: OpaquePointer
  private let plane: UnsafeMutablePointer<UInt8>
  private let stride: Int
  private var rowsWritten = 0

  init(_ descriptor: Int32, _ spec: PictureSpec, _ workers: Workers) throws(PhotoFileError) {
    if let missing = cheif_missing(1) { throw .codecMissing(.heif, detail: String(cString: missing)) }
    guard let heif = cheif_open() else { throw .encoderFailed(.heif, detail: "out of memory") }
    (self.spec, self.descriptor, self.workers, self.heif) = (spec, descriptor, workers, heif)
    let codes = HEIFColour(spec.space)
    let info = cheif_info(
      width: UInt32(spec.size.width), height: UInt32(spec.size.height), channels: Int32(spec.format.channels.count),
      bits: Int32(spec.format.sample == .uint8 ? 8 : spec.heif.bits), primaries: codes.primaries,
      transfer: codes.transfer)
    var rows: UnsafeMutablePointer<UInt8>?
    var stride = 0
    guard cheif_write_begin(heif, info, &rows, &stride) == 0, let rows else {
      let detail = String(cString: cheif_error(heif))
      cheif_close(heif)
      throw .encoderFailed(.heif, detail: detail)
    }
    (plane, self.stride) = (rows, stride)
  }

  deinit { cheif_close(heif) }

  func write(rows count: Int, from rows: UnsafeRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    let samples = spec.size.width * spec.format.channels.count
    for row in 0..<count {
      let target = UnsafeMutableRawPointer(plane + (rowsWritten + row) * stride)
      let source = rows + row * bytesPerRow
      guard spec.format.sample == .uint16 else {
        target.copyMemory(from: source, byteCount: samples)
        continue
      }
      // The nearest code of fewer bits.
      let (top, full) = (UInt32(1) << UInt32(spec.heif.bits) - 1, UInt32(UInt16.max))
      let words = source.assumingMemoryBound(to: UInt16.self)
      let codes = target.assumingMemoryBound(to: UInt16.self)
      for x in 0..<samples {
        codes[x] = UInt16(truncatingIfNeeded: (UInt32(words[x]) &* top &+ full / 2) / full).littleEndian
      }
    }
    rowsWritten += count
  }

  func finish() throws(PhotoFileError) {
    // Rotation and mirroring are properties of the picture; EXIF's tag is to agree with what readers then see.
    let exif = EXIFBlob.setting(.up, in: spec.metadata.exif)
    let options = cheif_options(
      quality: Int32(spec.heif.quality), full_chroma: spec.heif.chroma == .s444 ? 1 : 0,
      orientation: Int32(spec.orientation.rawValue), threads: Int32(workers.count))
    let sink = FileSink(descriptor)
    defer { withExtendedLifetime(sink) {} }
    let status = spec.metadata.icc.withUnsafeBufferPointer { icc in
      exif.withUnsafeBufferPointer { exif in
        spec.metadata.xmp.withUnsafeBufferPointer { xmp in
          let blobs = cheif_blobs(
            icc: icc.baseAddress, exif: exif.baseAddress, xmp: xmp.baseAddress, icc_count: icc.count,
            exif_count: exif.count, xmp_count: xmp.count)
          return cheif_write_end(
            heif, options, blobs,
            { user, bytes, count in FileSink.of(user).put(bytes, count) }, sink.opaque)
        }
      }
    }
    if let failure = sink.failure { throw failure }
    guard status == 0 else { throw .encoderFailed(.heif, detail: String(cString: cheif_error(heif))) }
  }
}

/// Codes of ITU-T H.273 for colours and curves.
struct HEIFColour {
  static let unspecified: Int32 = 2
  private static let bt709: Int32 = 1
  private static let bt2020: Int32 = 9
  private static let displayP3: Int32 = 12
  private static let sRGBCurve: Int32 = 13
  private static let bt2020Curve: Int32 = 14
  /// Curves of pictures that are brighter than white: PQ and HLG.
  static let highDynamicRange: Set<Int32> = [16, 18]

  var primaries = HEIFColour.unspecified
  var transfer = HEIFColour.unspecified

  init(_ space: OutputColourSpace?) {
    switch space {
    case .sRGB: (primaries, transfer) = (Self.bt709, Self.sRGBCurve)
    case .displayP3: (primaries, transfer) = (Self.displayP3, Self.sRGBCurve)
    case .rec2020: (primaries, transfer) = (Self.bt2020, Self.bt2020Curve)
    case .proPhoto, nil: break
    }
  }

  /// The space that a file's primaries stand for; sRGB when it does not say.
  static func space(primaries: Int32) -> OutputColourSpace {
    switch primaries {
    case displayP3: .displayP3
    case bt2020: .rec2020
    default: .sRGB
    }
  }
}
