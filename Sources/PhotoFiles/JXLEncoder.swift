internal import CJXL
internal import Glibc
internal import ImageCore

/// Rows into libjxl, which takes a picture whole: it is in memory once, as it is handed over.
final class JXLEncoder: RowEncoder {
  private let spec: PictureSpec
  private let descriptor: Int32
  private let workers: Workers
  private var pixels: UnsafeMutableRawPointer
  private var filled = 0

  init(_ descriptor: Int32, _ spec: PictureSpec, _ workers: Workers) throws(PhotoFileError) {
    if let missing = cjxl_missing() { throw .codecMissing(.jxl, detail: String(cString: missing)) }
    (self.spec, self.descriptor, self.workers) = (spec, descriptor, workers)
    guard let memory = malloc(spec.rowBytes * spec.size.height) else {
      throw .encoderFailed(.jxl, detail: "out of memory")
    }
    pixels = memory
  }

  deinit { free(pixels) }

  func write(rows count: Int, from rows: UnsafeRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    for row in 0..<count {
      (pixels + filled).copyMemory(from: rows + row * bytesPerRow, byteCount: spec.rowBytes)
      filled += spec.rowBytes
    }
  }

  func finish() throws(PhotoFileError) {
    let isFloat = spec.format.sample == .float32
    let info = cjxl_info(
      width: UInt32(spec.size.width), height: UInt32(spec.size.height), channels: Int32(spec.format.channels.count),
      bits: Int32(spec.format.sample.byteCount * 8), exponent_bits: isFloat ? 8 : 0,
      orientation: Int32(spec.orientation.rawValue))
    let options = cjxl_options(
      distance: JXLScale.distance(quality: spec.jxl.quality), effort: Int32(spec.jxl.effort), linear: 0, modular: 0)
    let exif = EXIFBlob.setting(spec.orientation, in: spec.metadata.exif)
    let sink = FileSink(descriptor)
    defer { withExtendedLifetime(sink) {} }
    var error = [CChar](repeating: 0, count: Int(CJXL_ERROR))
    let status = withBlobs(exif) { blobs in
      WorkersRunner(workers).lend { runner, user in
        cjxl_encode(
          info, spec.format.sample.cjxl, pixels, spec.rowBytes * spec.size.height, blobs, options, runner, user,
          { user, bytes, count in FileSink.of(user).put(bytes, count) }, sink.opaque, &error)
      }
    }
    if let failure = sink.failure { throw failure }
    guard status == 0 else { throw .encoderFailed(.jxl, detail: textOf(error)) }
  }

  private func withBlobs(_ exif: [UInt8], _ body: (cjxl_blobs) -> Int32) -> Int32 {
    spec.metadata.icc.withUnsafeBufferPointer { icc in
      exif.withUnsafeBufferPointer { exif in
        spec.metadata.xmp.withUnsafeBufferPointer { xmp in
          body(
            cjxl_blobs(
              icc: icc.baseAddress, exif: exif.baseAddress, xmp: xmp.baseAddress, icc_count: icc.count,
              exif_count: exif.count, xmp_count: xmp.count))
        }
      }
    }
  }
}

extension SampleType {
  var cjxl: cjxl_sample {
    switch self {
    case .uint8: CJXL_UINT8
    case .uint16: CJXL_UINT16
    case .float32: CJXL_FLOAT
    }
  }
}

/// The text of a C character array.
func textOf(_ characters: [CChar]) -> String {
  String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
