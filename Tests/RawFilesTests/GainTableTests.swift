import ImageCore
import RawFiles
import TIFFTags
import Testing

/// ProfileGainTableMap in handmade and written files.
@Suite struct GainTableTests {
  /// The tag's bytes in either order.
  private func bytes(littleEndian: Bool, isSecond: Bool, rows: UInt32 = 2) -> [UInt8] {
    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return littleEndian ? little : little.reversed()
    }
    func float(_ value: Float) -> [UInt8] { number(UInt64(value.bitPattern), 4) }
    var result = number(UInt64(rows), 4) + number(3, 4)
    for value in [0.5, 0.25, 0.125, 0.0] { result += number(value.bitPattern, 8) }
    result += number(2, 4)
    for value: Float in [0.25, 0.5, 0.125, 0, 0.125] { result += float(value) }
    if isSecond {
      result += number(0, 4) + float(0.5) + float(1) + float(3)
      return result + (0..<12).map { UInt8($0 * 20) }
    }
    return result + (0..<12).flatMap { float(Float($0) / 4) }
  }

  private func read(_ table: [UInt8], littleEndian: Bool, tag: Int) throws -> ProfileGainTable? {
    let foreign = ForeignDNG(littleEndian: littleEndian, isBig: false)
    let entry = ForeignDNG.Entry(tag: tag, type: 7, values: table.map { Int($0) })
    let file = foreign.file(width: 20, height: 18, rawExtra: [entry]) { x, y in sample(x, y) }
    let files = try Files()
    return try RawReader().read(files.save(file, as: "a.dng")).gainTable
  }

  @Test("Both tags in both byte orders", arguments: [true, false])
  func parsed(littleEndian: Bool) throws {
    let first = try #require(
      try read(bytes(littleEndian: littleEndian, isSecond: false), littleEndian: littleEndian, tag: 52525))
    #expect(first.rows == 2 && first.columns == 3 && first.values == 2 && first.gamma == 1)
    #expect(first.rowSpacing == 0.5 && first.columnSpacing == 0.25 && first.rowOrigin == 0.125)
    #expect(first.weights == [0.25, 0.5, 0.125, 0, 0.125])
    #expect(first.gains == (0..<12).map { Float($0) / 4 })
    let second = try #require(
      try read(bytes(littleEndian: littleEndian, isSecond: true), littleEndian: littleEndian, tag: 52544))
    #expect(second.gamma == 0.5)
    #expect(second.gains == (0..<12).map { 1 + 2 * (Float($0 * 20) / 255) })
  }

  @Test("Tables that contradict themselves are damage")
  func damaged() throws {
    let good = bytes(littleEndian: true, isSecond: false)
    for table in [Array(good.dropLast()), bytes(littleEndian: true, isSecond: false, rows: .max), []] {
      let error = #expect(throws: RawReadError.self) {
        try read(table.isEmpty ? [0] : table, littleEndian: true, tag: 52525)
      }
      #expect(error?.category == .badData)
    }
  }

  @Test("A written file carries the table", arguments: [Float(1), 0.75])
  func carried(gamma: Float) throws {
    var written = mosaicPhoto(.rggb, PixelSize(width: 20, height: 16))
    written.gainTable = ProfileGainTable(
      rows: 1, columns: 2, values: 3, rowSpacing: 1, columnSpacing: 0.5, rowOrigin: 0, columnOrigin: 0.25,
      weights: [0.2, 0.3, 0.1, 0.1, 0.3], gamma: gamma, gains: [1, 2, 3, 0.5, 0.25, 0.1])
    let files = try Files()
    let read = try RawReader().read(files.save(written, as: "a.dng"))
    #expect(read.gainTable != nil && read.gainTable == written.gainTable)
  }
}
