import ImageCore
import RawFiles
import TIFFTags
import Testing

/// OpcodeList2 and 3: gain maps are applied, other opcodes reported or, when mandatory, refused.
@Suite struct GainMapTests {
  static let size = PixelSize(width: 40, height: 24)

  private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// An opcode as it is stored.
  static func opcode(_ code: UInt32, flags: UInt32, _ body: [UInt8]) -> [UInt8] {
    big(code) + [1, 3, 0, 0] + big(flags) + big(UInt32(body.count)) + body
  }

  static func list(_ opcodes: [[UInt8]]) -> TIFFValue { .undefined(big(UInt32(opcodes.count)) + opcodes.joined()) }

  struct Map {
    var area: [UInt32] = [0, 0, 24, 40]
    var planes: [UInt32] = [0, 1]
    var pitch: [UInt32] = [1, 1]
    var rows: UInt32 = 1
    var columns: UInt32 = 1
    var spacing = [1.0, 1.0]
    var origin = [0.0, 0.0]
    var mapPlanes: UInt32 = 1
    var gains: [Float]

    var body: [UInt8] {
      (area + planes + pitch + [rows, columns]).flatMap { big($0) }
        + (spacing + origin).flatMap { big($0.bitPattern) } + big(mapPlanes) + gains.flatMap { big($0.bitPattern) }
    }
  }

  private func read(_ extra: [UInt16: TIFFValue], black: Double = 64, white: UInt32 = 1023) throws -> Mosaic {
    let files = try Files()
    var tags: [UInt16: TIFFValue] = [50714: .rationals([black]), 50717: .longs([white])]
    tags.merge(extra) { $1 }
    let bytes = handmadeDNG(Self.size, rowsPerStrip: 24, bits: 10, extra: tags)
    return try #require(try RawReader().read(try files.save(bytes, as: "a.dng")).mosaic)
  }

  /// 1023 fits 16 bits 64 times.
  private static let finer: Float = 64

  @Test("One gain for all: what is above black is multiplied and clipped at white")
  func uniform() throws {
    let mosaic = try read([51009: Self.list([Self.opcode(9, flags: 0, Map(gains: [1.5]).body)])])
    #expect(mosaic.levels == SensorLevels(black: 64 * Self.finer, white: 1023 * Self.finer))
    for (x, y) in [(0, 0), (39, 23), (7, 12), (20, 3)] {
      let stored = Float(sample(x, y, max: 1023))
      let expected = min((stored - 64) * 1.5 + 64, 1023) * Self.finer
      #expect(Float(mosaic.samples[x, y]) == max(0, expected.rounded()), "(\(x), \(y))")
    }
  }

  @Test("Four maps, one a site of the Bayer cell, with their own gains")
  func phases() throws {
    let gains: [Float] = [1.25, 1.5, 1.75, 2]
    let maps = gains.enumerated().map { index, gain in
      Map(area: [UInt32(index / 2), UInt32(index % 2), 24, 40], pitch: [2, 2], gains: [gain]).body
    }
    let mosaic = try read([51009: Self.list(maps.map { Self.opcode(9, flags: 1, $0) })])
    for y in 0..<24 {
      for x in 0..<40 {
        let stored = Float(sample(x, y, max: 1023))
        let expected = min((stored - 64) * gains[y % 2 * 2 + x % 2] + 64, 1023) * Self.finer
        #expect(Float(mosaic.samples[x, y]) == max(0, expected.rounded()), "(\(x), \(y))")
      }
    }
  }

  @Test("Between points gains are bilinear, beyond them constant")
  func interpolation() throws {
    let map = Map(
      rows: 2, columns: 3, spacing: [0.5, 0.25], origin: [0.25, 0.25], gains: [1, 2, 1.5, 1.25, 1, 3])
    let mosaic = try read([51009: Self.list([Self.opcode(9, flags: 0, map.body)])])
    func plain(_ x: Int, _ y: Int) -> Double {
      let v = max(0, min(((Double(y) + 0.5) / 24 - 0.25) / 0.5, 1))
      let h = max(0, min(((Double(x) + 0.5) / 40 - 0.25) / 0.25, 2))
      let (i, j) = (0, min(Int(h), 1))
      func gain(_ row: Int, _ column: Int) -> Double { Double(map.gains[row * 3 + column]) }
      let top = gain(i, j) + (gain(i, j + 1) - gain(i, j)) * (h - Double(j))
      let bottom = gain(i + 1, j) + (gain(i + 1, j + 1) - gain(i + 1, j)) * (h - Double(j))
      return top + (bottom - top) * v
    }
    for y in 0..<24 {
      for x in 0..<40 {
        let stored = Double(sample(x, y, max: 1023))
        let expected = min((stored - 64) * plain(x, y) + 64, 1023) * Double(Self.finer)
        #expect(abs(Double(mosaic.samples[x, y]) - max(0, expected)) <= 1, "(\(x), \(y))")
      }
    }
  }

  @Test("A map of colour planes reaches each photosite by its colour")
  func colours() throws {
    let map = Map(planes: [0, 3], mapPlanes: 3, gains: [1.5, 1, 2])
    let mosaic = try read([51022: Self.list([Self.opcode(9, flags: 0, map.body)])])
    let gains: [Float] = [1.5, 1, 1, 2]
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (38, 22), (39, 23)] {
      let stored = Float(sample(x, y, max: 1023))
      let expected = min((stored - 64) * gains[y % 2 * 2 + x % 2] + 64, 1023) * Self.finer
      #expect(Float(mosaic.samples[x, y]) == max(0, expected.rounded()), "(\(x), \(y))")
    }
  }

  @Test("Linear pictures: planes beyond the map's take its last")
  func linear() throws {
    let files = try Files()
    let map = Map(planes: [1, 2], mapPlanes: 1, gains: [0.5])
    let count = Self.size.area * 3
    let samples = (0..<count).map { sample($0 % 120, $0 / 120) }
    var bytes = handmadeDNG(
      Self.size, rowsPerStrip: 24,
      extra: [
        258: .shorts([16, 16, 16]), 262: .shorts([34892]), 273: .longs([4096]), 277: .shorts([3]),
        279: .longs([UInt32(count * 2)]), 51009: Self.list([Self.opcode(9, flags: 0, map.body)]),
      ])
    bytes = bytes[..<4096] + samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let picture = try #require(try RawReader().read(try files.save(bytes, as: "a.dng")).linear)
    for (x, y) in [(0, 0), (39, 23), (11, 5)] {
      let stored = samples[(y * 40 + x) * 3..<(y * 40 + x) * 3 + 3].map { Float($0) }
      let pixel = picture.samples[x, y]
      #expect(
        [pixel.red, pixel.green, pixel.blue].map { Float($0) } == [
          stored[0], (stored[1] / 2).rounded(), (stored[2] / 2).rounded(),
        ])
    }
  }

  @Test("A polynomial bends what lies between black and white, where it says")
  func polynomial() throws {
    let area: [UInt32] = [2, 3, 20, 30, 0, 1, 1, 2, 2]  // every second column, a curve of the second degree
    let powers: [Double] = [0, 0.25, 0.75]
    var curve: [UInt8] = area.flatMap { Self.big($0) }
    curve += powers.flatMap { Self.big($0.bitPattern) }
    let mosaic = try read([51009: Self.list([Self.opcode(8, flags: 0, curve)])])
    #expect(mosaic.levels == SensorLevels(black: 64, white: 1023))
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let stored = sample(x, y, max: 1023)
        let isMeant = (2..<20).contains(y) && (3..<30).contains(x) && x % 2 == 1
        let range = 959.0
        let light: Double = min(1, max(0, (Double(stored) - 64) / range))
        let bent: Double = 64 + (0.25 * light + 0.75 * light * light) * range
        let expected: UInt16 = isMeant ? UInt16(bent.rounded()) : stored
        #expect(mosaic.samples[x, y] == expected, "(\(x), \(y))")
      }
    }
  }

  @Test("Opcodes that are not known are reported when optional and refused when not")
  func others() throws {
    let files = try Files()
    for (flags, isRead) in [(UInt32(0), false), (1, true), (2, false), (3, true)] {
      let warp = Self.opcode(1, flags: flags, Array(repeating: 0, count: 16))
      let path = try files.save(
        handmadeDNG(Self.size, rowsPerStrip: 24, extra: [51022: Self.list([warp])]), as: "a.dng")
      #expect(try RawReader().describe(path).notApplied == ["OpcodeList3 WarpRectilinear"])
      let refusal = RawReader().refusal(of: path)
      #expect((refusal == nil) == isRead)
      if let refusal { #expect(refusal.category == .codecUnavailable) }
    }
  }

  @Test("Lists that lie")
  func hostile() throws {
    let files = try Files()
    let good = Self.opcode(9, flags: 0, Map(rows: 2, columns: 2, gains: [1, 2, 3, 4]).body)
    let whole = Self.big(UInt32(1)) + good
    for length in 4..<whole.count {
      let bytes = handmadeDNG(Self.size, rowsPerStrip: 24, extra: [51009: .undefined(Array(whole[..<length]))])
      #expect(RawReader().refusal(of: try files.save(bytes, as: "a.dng"))?.category == .badData, "\(length)")
    }
    for index in whole.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var list = whole
        list[index] = value
        let bytes = handmadeDNG(Self.size, rowsPerStrip: 24, extra: [51009: .undefined(list)])
        _ = RawReader().refusal(of: try files.save(bytes, as: "a.dng"))
      }
    }
  }
}
