import ImageCore
import RawFiles
import TIFFTags
import Testing

@testable import RawFiles

/// Samples → lossless JPEG → samples.
@Suite struct LosslessJPEGTests {
  static let contents: [String] = ["zeros", "full", "extremes", "random", "ramp", "noise", "checker"]

  /// Samples of a kind; the same on each run.
  static func samples(_ content: String, count: Int) -> [UInt16] {
    var state: UInt64 = 88_172_645_463_325_252
    func random() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    return (0..<count).map { index in
      switch content {
      case "zeros": 0
      case "full": 65535
      case "extremes": random() & 1 == 0 ? 0 : 65535
      case "random": UInt16(truncatingIfNeeded: random() >> 20)
      case "ramp": UInt16(truncatingIfNeeded: index * 3)
      case "noise": UInt16(20000 + random() >> 20 % 97)
      default: index & 1 == 0 ? 0 : 32768
      }
    }
  }

  static func decode(_ stream: [UInt8], isBeforeDNG11: Bool = false) throws -> [UInt16] {
    try stream.withUnsafeBytes { bytes in
      let decoder = try LosslessJPEGDecoder(bytes, isBeforeDNG11: isBeforeDNG11)
      var scratch = LosslessJPEGDecoder.Scratch()
      var result: [UInt16] = []
      let count = decoder.header.width * decoder.header.components
      try decoder.decode(bytes, rows: decoder.header.height, &scratch) { _, line in
        result += UnsafeBufferPointer(start: line, count: count)
      }
      return result
    }
  }

  static func encode(_ samples: [UInt16], width: Int, components: Int) -> [UInt8] {
    var scratch = LosslessJPEGEncoder.Scratch()
    let encoder = LosslessJPEGEncoder(rowSamples: width, rows: samples.count / width, components: components)
    return samples.withUnsafeBufferPointer { encoder.encode($0.baseAddress!, stride: width, &scratch) }
  }

  @Test("What is encoded comes back", arguments: contents, 1...4)
  func roundTrip(content: String, components: Int) throws {
    for (pixels, rows) in [(1, 1), (1, 9), (9, 1), (2, 2), (37, 29), (64, 48)] {
      let width = pixels * components
      let before = Self.samples(content, count: width * rows)
      let after = try Self.decode(Self.encode(before, width: width, components: components))
      let wrong = zip(before, after).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(before.count == after.count && wrong == nil, "\(width)x\(rows): first at \(wrong?.offset ?? -1)")
    }
  }

  @Test("Every difference of two samples")
  func differences() throws {
    var row: [UInt16] = []
    for value in UInt16.min...UInt16.max { row += [value &+ UInt16(row.count & 1) &* 7, value] }
    for width in [2048, 1 << 15] {
      #expect(try Self.decode(Self.encode(row, width: width, components: 1)) == row)
    }
  }

  /// A stream of one row a component whose scan names any predictor, from differences that this test works out plainly.
  @Test("Every predictor, with and without restarts", arguments: 1...7, [0, 3])
  func predictors(predictor: Int, restartRows: Int) throws {
    let (width, height) = (13, 11)
    let samples = Self.samples("random", count: width * height).map { $0 >> 4 }
    var handmade = HandmadeStream(precision: 12, predictor: predictor, restartRows: restartRows)
    #expect(try Self.decode(handmade.encode(samples, width: width, height: height)) == samples)
  }

  @Test("DNG files before 1.1 put 16 bits after category 16, the standard none")
  func longestCategory() throws {
    let samples: [UInt16] = [0, 32768, 5, 32773, 32772, 4, 65535, 32767, 1, 2]
    for isBeforeDNG11 in [false, true] {
      var handmade = HandmadeStream(precision: 16, predictor: 1, restartRows: 0)
      handmade.writesLongest = isBeforeDNG11
      let stream = handmade.encode(samples, width: 5, height: 2)
      #expect(try Self.decode(stream, isBeforeDNG11: isBeforeDNG11) == samples)
    }
  }

  @Test("A point transform gives samples their low bits back as zeros")
  func pointTransform() throws {
    let (width, height) = (13, 11)
    let samples = Self.samples("random", count: width * height).map { $0 >> 4 }
    for predictor in [1, 5] {
      var handmade = HandmadeStream(precision: 12, predictor: predictor, restartRows: 0, pointTransform: 2)
      let stream = handmade.encode(samples.map { $0 >> 2 }, width: width, height: height)
      #expect(try Self.decode(stream) == samples.map { ($0 >> 2) << 2 })
    }
  }

  @Test("No prefix code is longer than 16 bits, and none is wasted on what does not occur")
  func codes() {
    var fibonacci = [1, 1]
    while fibonacci.count < HuffmanCode.categories { fibonacci.append(fibonacci.suffix(2).reduce(0, +)) }
    for frequencies in [fibonacci, fibonacci.reversed(), Array(repeating: 1, count: 17)] {
      let code = HuffmanCode(frequencies: frequencies)
      #expect(code.symbols.count == HuffmanCode.categories)
      #expect(HuffmanCode(counts: code.counts, symbols: code.symbols) == code)
      let used = code.codes.reduce(0) { $0 + (1 << (16 - $1.length)) }
      #expect(used < 1 << 16, "the code of all ones is used")
    }
    var single = [Int](repeating: 0, count: HuffmanCode.categories)
    single[5] = 9
    #expect(HuffmanCode(frequencies: single).codes[5].length == 1)
    let even = HuffmanCode(frequencies: [900, 50, 50] + Array(repeating: 0, count: 14))
    #expect(even.codes[0].length == 1 && even.codes[1].length <= 3)
  }

  @Test("Streams cut off anywhere, and with any byte changed: samples or a reason, never a crash")
  func hostile() throws {
    for (content, components) in [("noise", 1), ("random", 2), ("extremes", 4), ("zeros", 3)] {
      let width = 12 * components
      let whole = Self.encode(Self.samples(content, count: width * 9), width: width, components: components)
      for length in 0..<whole.count - 2 {
        let cut = Array(whole[..<length])
        if content != "zeros" || length < whole.count - 40 {
          #expect(throws: LosslessJPEGError.self, "\(content): \(length) bytes") { try Self.decode(cut) }
        } else {
          _ = try? Self.decode(cut)
        }
      }
      for index in whole.indices {
        for flip: UInt8 in [0x01, 0x80, 0xFF, 0x55] {
          var bytes = whole
          bytes[index] ^= flip
          for isBeforeDNG11 in [false, true] {
            do { _ = try Self.decode(bytes, isBeforeDNG11: isBeforeDNG11) } catch {
              #expect(error is LosslessJPEGError, "\(index)")
            }
          }
        }
      }
    }
  }

  @Test("Absurd sizes are refused before memory is taken")
  func absurd() throws {
    var whole = Self.encode(Self.samples("noise", count: 64 * 8), width: 64, components: 1)
    let frame = try #require(whole.indices.first { whole[$0] == 0xFF && whole[$0 + 1] == 0xC3 })
    whole.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: LosslessJPEGError.endsEarly) { try Self.decode(whole) }
    whole[frame + 1] = 0xC0
    #expect(throws: LosslessJPEGError.otherProcess(marker: 0xC0)) { try Self.decode(whole) }
  }
}

/// The plainest encoder: one component, a fixed code, one bit at a time.
private struct HandmadeStream {
  let precision: Int
  let predictor: Int
  let restartRows: Int
  var pointTransform = 0
  var writesLongest = false
  private var bytes: [UInt8] = []
  private var bits: [UInt8] = []

  init(precision: Int, predictor: Int, restartRows: Int, pointTransform: Int = 0) {
    (self.precision, self.predictor, self.restartRows) = (precision, predictor, restartRows)
    self.pointTransform = pointTransform
  }

  mutating func encode(_ samples: [UInt16], width: Int, height: Int) -> [UInt8] {
    bytes = [0xFF, 0xD8, 0xFF, 0xC3, 0, 11, UInt8(precision), 0, UInt8(height), 0, UInt8(width), 1, 0, 0x11, 0]
    // All 17 categories with codes of 5 bits, in order.
    bytes += [0xFF, 0xC4, 0, 36, 0, 0, 0, 0, 0, 17] + Array(repeating: 0, count: 11) + Array(0...16)
    if restartRows > 0 { bytes += [0xFF, 0xDD, 0, 4, 0, UInt8(restartRows * width)] }
    bytes += [0xFF, 0xDA, 0, 8, 1, 0, 0, UInt8(predictor), 0, UInt8(pointTransform)]
    for y in 0..<height {
      let isFirst = restartRows > 0 ? y % restartRows == 0 : y == 0
      if isFirst && y > 0 {
        flush()
        bytes += [0xFF, 0xD0 + UInt8((y / restartRows - 1) % 8)]
      }
      for x in 0..<width {
        func at(_ dx: Int, _ dy: Int) -> Int { Int(samples[(y - dy) * width + x - dx]) }
        let prediction: Int
        if isFirst {
          prediction = x == 0 ? 1 << (precision - pointTransform - 1) : at(1, 0)
        } else if x == 0 {
          prediction = at(0, 1)
        } else {
          let (a, b, c) = (at(1, 0), at(0, 1), at(1, 1))
          prediction = [a, b, c, a + b - c, a + ((b - c) >> 1), b + ((a - c) >> 1), (a + b) >> 1][predictor - 1]
        }
        put(Int(Int16(truncatingIfNeeded: Int(samples[y * width + x]) - prediction)))
      }
    }
    flush()
    return bytes + [0xFF, 0xD9]
  }

  private mutating func put(_ difference: Int) {
    var category = 0
    while difference.magnitude >> category > 0 { category += 1 }
    for bit in (0..<5).reversed() { bits.append(UInt8(category >> bit & 1)) }
    if category == 16 && !writesLongest { return }
    // The difference of 2^15 modulo 2^16 counts as positive.
    let stored = category == 16 ? 1 << 15 : difference < 0 ? difference - 1 : difference
    for bit in (0..<category).reversed() { bits.append(UInt8(stored >> bit & 1)) }
  }

  private mutating func flush() {
    while bits.count % 8 != 0 { bits.append(1) }
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | $1 }
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
    bits = []
  }
}
