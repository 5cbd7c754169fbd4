import ImageCore

/// What a stage made, as bytes to be hashed.
struct StageBytes: Sendable {
  /// Digits of the digest that are compared: 64 bits, against accidents.
  private static let digits = 16
  private(set) var bytes: [UInt8] = []

  init() {}
  init<Pixel>(_ image: Image<Pixel>) { add(image) }
  init(_ text: String) { bytes = Array(text.utf8) }
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Adds size and pixels, row by row.
  mutating func add<Pixel>(_ image: Image<Pixel>) {
    add([image.width, image.height])
    image.withRows { rows in
      for y in 0..<rows.height {
        bytes += UnsafeRawBufferPointer(start: rows.row(y), count: rows.width * MemoryLayout<Pixel>.stride)
      }
    }
  }

  /// Adds whole numbers, 8 bytes each, little-endian.
  mutating func add(_ numbers: [Int]) {
    for number in numbers { withUnsafeBytes(of: Int64(number).littleEndian) { bytes += $0 } }
  }

  /// Lower-case hexadecimal.
  var digest: String { String(FileDigest.sha256(of: bytes).prefix(Self.digits)) }
}
