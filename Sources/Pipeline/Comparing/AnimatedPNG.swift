/// Two PNG files of one size → one that shows them in turn.
///
/// Source: W3C, "Portable Network Graphics (PNG) Specification, third edition", sections 5 and 11.3.6.
enum AnimatedPNG {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Bytes of a chunk besides its data: length, type, checksum.
  private static let frameBytes = 12

  /// - Returns: `nil` when the files' headers differ.
  static func joined(_ first: [UInt8], _ second: [UInt8], milliseconds: Int) -> [UInt8]? {
    let (a, b) = (chunks(first), chunks(second))
    guard let header = a.first, header.type == "IHDR", header.data == b.first?.data else { return nil }
    var out = signature
    put("IHDR", header.data, &out)
    put("acTL", word(2) + word(0), &out)
    for chunk in a.dropFirst() where chunk.type != "IDAT" && chunk.type != "IEND" {
      put(chunk.type, chunk.data, &out)
    }
    // Width and height; a frame covers the picture, stays for so long, and is replaced whole.
    let control = Array(header.data.prefix(8)) + word(0) + word(0) + half(milliseconds) + half(1000) + [0, 0]
    put("fcTL", word(0) + control, &out)
    for chunk in a where chunk.type == "IDAT" { put("IDAT", chunk.data, &out) }
    put("fcTL", word(1) + control, &out)
    var number = 2
    for chunk in b where chunk.type == "IDAT" {
      put("fdAT", word(number) + chunk.data, &out)
      number += 1
    }
    put("IEND", [], &out)
    return out
  }

  private static func chunks(_ bytes: [UInt8]) -> [(type: String, data: ArraySlice<UInt8>)] {
    var result: [(type: String, data: ArraySlice<UInt8>)] = []
    var at = signature.count
    while at + frameBytes <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard at + frameBytes + length <= bytes.count else { break }
      result.append(
        (String(decoding: bytes[at + 4..<at + 8], as: UTF8.self), bytes[at + 8..<at + 8 + length]))
      at += frameBytes + length
    }
    return result
  }

  private static func put(_ type: String, _ data: some Collection<UInt8>, _ out: inout [UInt8]) {
    out += word(data.count)
    let start = out.count
    out += type.utf8
    out += data
    out += word(Int(checksum(out[start...])))
  }

  private static func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  private static func half(_ value: Int) -> [UInt8] { [8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  /// CRC-32 of annex D.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc = UInt32.max
    bytes.withUnsafeBufferPointer { buffer in
      for byte in buffer { crc = remainders[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
    }
    return ~crc
  }

  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }
}
