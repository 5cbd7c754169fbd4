/// Encodes 16-bit samples as one lossless JPEG stream: process 14, predictor 1, one Huffman table, made for the data.
/// ITU-T T.81, annexes C and H.
struct LosslessJPEGEncoder {
  /// Samples of a row, all components together; a multiple of ``components``.
  let rowSamples: Int
  let rows: Int
  /// How far back the sample lies that predicts: each of 1...4 interleaved components predicts itself.
  let components: Int

  /// The frame's bits a sample.
  private static let precision: UInt8 = 16
  /// The longest code and magnitude of a sample, doubled by stuffing, bytes.
  private static let maxBytesPerSample = 8
  /// Room for all markers, bytes.
  private static let headerRoom = 256

  /// Memory that tiles reuse.
  struct Scratch {
    fileprivate var differences: [Int16] = []
    fileprivate var output: [UInt8] = []
  }

  /// - Parameter stride: samples from one row to the next.
  func encode(_ samples: UnsafePointer<UInt16>, stride: Int, _ scratch: inout Scratch) -> [UInt8] {
    precondition(rowSamples % components == 0 && rowSamples / components <= UInt16.max && rows <= UInt16.max)
    let count = rowSamples * rows
    if scratch.differences.count < count { scratch.differences = Array(repeating: 0, count: count) }
    let room = count * Self.maxBytesPerSample + Self.headerRoom
    if scratch.output.count < room { scratch.output = Array(repeating: 0, count: room) }
    return scratch.differences.withUnsafeMutableBufferPointer { differences in
      let differences = differences.baseAddress!
      let code = HuffmanCode(frequencies: takeDifferences(samples, stride, into: differences))
      let header = header(code)
      return scratch.output.withUnsafeMutableBufferPointer { output in
        let output = output.baseAddress!
        for (index, byte) in header.enumerated() { output[index] = byte }
        var writer = BitWriter(output + header.count)
        write(UnsafePointer(differences), count, code, &writer)
        let end = writer.finish()
        end[0] = 0xFF
        end[1] = LosslessJPEGHeader.Marker.endOfImage
        return Array(UnsafeBufferPointer(start: output, count: end + 2 - output))
      }
    }
  }

  /// Differences modulo 2^16 to what is left of each sample, or above in the first column; counts categories.
  private func takeDifferences(
    _ samples: UnsafePointer<UInt16>, _ stride: Int, into differences: UnsafeMutablePointer<Int16>
  ) -> [Int] {
    // Four counters a category: neighbours often have the same one, and an addition has to wait for the last.
    let lanes = 4
    var counts = [Int](repeating: 0, count: lanes * 32)
    counts.withUnsafeMutableBufferPointer { counts in
      let counts = counts.baseAddress!
      for y in 0..<rows {
        let row = samples + y * stride
        let out = differences + y * rowSamples
        for x in 0..<components {
          let start = y == 0 ? UInt16(1) << UInt16(Self.precision - 1) : row[x - stride]
          out[x] = Int16(bitPattern: row[x] &- start)
        }
        for x in components..<max(components, rowSamples) {
          out[x] = Int16(bitPattern: row[x] &- row[x &- components])
        }
        for x in 0..<rowSamples { counts[Self.category(out[x]) &* lanes &+ (x & (lanes &- 1))] &+= 1 }
      }
    }
    return (0..<HuffmanCode.categories).map { category in
      (0..<lanes).reduce(0) { $0 + counts[category * lanes + $1] }
    }
  }

  /// Bits of the magnitude: 0...16.
  @inline(__always)
  private static func category(_ difference: Int16) -> Int {
    32 &- UInt32(difference.magnitude).leadingZeroBitCount
  }

  private func write(
    _ differences: UnsafePointer<Int16>, _ count: Int, _ code: HuffmanCode, _ writer: inout BitWriter
  ) {
    // By category: the code moved in front of the magnitude's bits, and the length of both together.
    let table = code.codes.enumerated().map { category, entry -> UInt64 in
      let bits = category == HuffmanCode.categories - 1 ? 0 : category
      return UInt64(entry.code) << UInt64(bits) | UInt64(entry.length + bits) << 32
    }
    let masks = (0..<HuffmanCode.categories).map { UInt64($0 == HuffmanCode.categories - 1 ? 0 : 1 << $0 - 1) }
    table.withUnsafeBufferPointer { table in
      masks.withUnsafeBufferPointer { masks in
        for index in 0..<count {
          let difference = differences[index]
          let category = Self.category(difference)
          let entry = table[category]
          // Negative magnitudes are stored one less, cut to their bits: T.81 F.1.2.1.
          let magnitude = UInt64(bitPattern: Int64(difference &+ (difference &>> 15)))
          writer.put(entry & 0xFFFF_FFFF | magnitude & masks[category], bits: entry &>> 32)
        }
      }
    }
  }

  private func header(_ code: HuffmanCode) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    typealias Marker = LosslessJPEGHeader.Marker
    let names = (1...UInt8(components))
    var bytes: [UInt8] = [0xFF, Marker.startOfImage, 0xFF, Marker.losslessFrame]
    bytes += word(8 + 3 * components) + [Self.precision] + word(rows) + word(rowSamples / components)
    bytes += [UInt8(components)] + names.flatMap { [$0, 0x11, 0] }
    bytes += [0xFF, Marker.huffmanTables] + word(3 + HuffmanCode.maxLength + code.symbols.count)
    bytes += [0] + code.counts.map { UInt8($0) } + code.symbols
    bytes += [0xFF, Marker.startOfScan] + word(6 + 2 * components) + [UInt8(components)]
    bytes += names.flatMap { [$0, 0] }
    let predictLeft: UInt8 = 1
    return bytes + [predictLeft, 0, 0]
  }
}

/// Collects bits, most significant first, and stuffs a zero after each byte of ones.
private struct BitWriter {
  private var collected: UInt64 = 0
  private var count: UInt64 = 0
  private var next: UnsafeMutablePointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>) { next = start }

  /// - Parameter bits: at most 32.
  @inline(__always)
  mutating func put(_ value: UInt64, bits: UInt64) {
    collected = collected &<< bits | value
    count = count &+ bits
    if count >= 32 {
      count = count &- 32
      flush(UInt32(truncatingIfNeeded: collected &>> count))
    }
  }

  @inline(__always)
  private mutating func flush(_ word: UInt32) {
    // Whether any byte is 0xFF: the classic test for a zero byte on the complement.
    let hasOnes = (~word &- 0x0101_0101) & word & 0x8080_8080 != 0
    if _slowPath(hasOnes) { return flushStuffed(word) }
    UnsafeMutableRawPointer(next).storeBytes(of: word.bigEndian, as: UInt32.self)
    next += 4
  }

  @inline(never)
  private mutating func flushStuffed(_ word: UInt32) {
    for shift: UInt32 in [24, 16, 8, 0] { putByte(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  private mutating func putByte(_ byte: UInt8) {
    next[0] = byte
    next += 1
    if byte == 0xFF {
      next[0] = 0
      next += 1
    }
  }

  /// Fills the last byte with ones and returns where the next byte would go.
  mutating func finish() -> UnsafeMutablePointer<UInt8> {
    let padding = (8 - count % 8) % 8
    collected = collected << padding | (1 << padding - 1)
    count += padding
    while count > 0 {
      count -= 8
      putByte(UInt8(truncatingIfNeeded: collected >> count))
    }
    return next
  }
}
