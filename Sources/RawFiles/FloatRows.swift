import CZlib

/// Rows of 32-bit numbers as deflated floating-point DNG holds them: the bytes of equal weight side by side, from the
/// most significant on, then each less the one before it.
///
/// - Source: Adobe Photoshop TIFF Technical Note 3 (2005), "Floating Point Predictor"; DNG 1.4 adds predictors whose
///   differences reach over two and four samples.
enum FloatRows {
  private static let bytes = MemoryLayout<UInt32>.size

  /// Bits of `count` samples → `4 * count` bytes.
  static func pack(_ bits: UnsafePointer<UInt32>, count: Int, reach: Int, into out: UnsafeMutablePointer<UInt8>) {
    for x in 0..<count {
      for byte in 0..<bytes {
        out[byte &* count &+ x] = UInt8(truncatingIfNeeded: bits[x] >> UInt32(8 * (bytes - 1 - byte)))
      }
    }
    var index = count * bytes - 1
    while index >= reach {
      out[index] = out[index] &- out[index &- reach]
      index -= 1
    }
  }

  /// The inverse; `packed` is left summed up.
  static func unpack(
    _ packed: UnsafeMutablePointer<UInt8>, count: Int, reach: Int, into out: UnsafeMutablePointer<UInt32>
  ) {
    if count * bytes > reach {
      for index in reach..<count * bytes { packed[index] = packed[index] &+ packed[index &- reach] }
    }
    for x in 0..<count {
      var value: UInt32 = 0
      for byte in 0..<bytes { value = value << 8 | UInt32(packed[byte &* count &+ x]) }
      out[x] = value
    }
  }

  /// zlib's level: 6 is its default; higher ones take twice as long for a percent.
  private static let level: Int32 = 6

  /// A zlib stream (RFC 1950) of the bytes.
  static func deflated(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var length = compressBound(uLong(source.count))
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      let status = compress2(buffer.baseAddress, &length, source.baseAddress, uLong(source.count), level)
      precondition(status == Z_OK, "compressBound bytes are enough")
      count = Int(length)
    }
  }

  /// Fills `target` from a zlib stream; false unless the stream is whole and holds exactly that much.
  static func inflate(_ stream: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    var length = uLong(target.count)
    let source = stream.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let status = uncompress(target.baseAddress, &length, source, uLong(stream.count))
    return status == Z_OK && Int(length) == target.count
  }
}
