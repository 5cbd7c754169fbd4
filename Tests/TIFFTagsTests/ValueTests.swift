import Foundation
import TIFFTags
import TestSupport
import Testing

/// Values go through a file unchanged.
@Suite struct ValueTests {
  private func written(_ value: TIFFValue) throws -> TIFFDirectory {
    var writer = TIFFDirectoryWriter()
    writer[270] = value
    writer[256] = .shorts([9])
    let directory = writer.serialized(at: 8)
    #expect(directory.count == writer.byteCount)
    return try TIFFFile(ByteSource(TIFFDirectoryWriter.header + directory)).directories[0]
  }

  @Test("Every type that is written, inside its entry and outside", arguments: [1, 2, 3, 4, 5, 9])
  func types(count: Int) throws {
    let numbers = (0..<count).map { Double($0 * 25) }
    for value: TIFFValue in [
      .bytes(numbers.map { UInt8($0) }), .shorts(numbers.map { UInt16($0) }), .longs(numbers.map { UInt32($0) }),
      .rationals(numbers), .signedRationals(numbers), .doubles(numbers), .undefined(numbers.map { UInt8($0) }),
    ] {
      let directory = try written(value)
      #expect(directory.numbers(270) == numbers)
      #expect(directory.integers(270) == numbers.map { Int($0) })
      #expect(directory.integer(256) == 9)
    }
  }

  @Test("Fractions are as near as 32 bits allow")
  func fractions() throws {
    let values = [1.0 / 250, 1.0 / 3, 2.8, 0.1, 123456.789, 4294967295, 1e-9, 0, .pi]
    let read = try #require(try written(.rationals(values)).numbers(270))
    for (value, again) in zip(values, read) { #expect(abs(value - again) <= 1e-9 * max(1, value)) }
    #expect(read[0] == values[0] && read[1] == values[1] && read[2] == values[2])
    #expect(try written(.rationals([-5, 1e30])).numbers(270) == [0, Double(UInt32.max)])
    #expect(try written(.signedRationals([-0.25, -1e30])).numbers(270) == [-0.25, -Double(Int32.max)])
    #expect(try #require(try written(.signedRationals([.nan])).number(270)).isNaN)
    #expect(try written(.doubles([0.5, .infinity])).integers(270) == nil)
  }

  @Test("Text loses its terminator and the blanks around it")
  func text() throws {
    #expect(try written(.text("  A  b ")).text(270) == "A  b")
    #expect(try written(.text("Müller\0rest")).text(270) == "Müller")
    #expect(try written(.text("   ")).text(270) == nil)
    #expect(try written(.text("")).text(270) == nil)
    #expect(try written(.text("12")).numbers(270) == nil)
    #expect(try written(.longs([1])).text(270) == nil)
  }

  @Test("Both byte orders and sizes of offsets", arguments: Draft.all)
  func orders(draft: Draft) throws {
    let bytes = draft.file([
      draft.entry(256, type: 3, count: 2, draft.number(258, 2) + draft.number(0xFFFF, 2)),
      draft.entry(257, type: 4, count: 1, draft.number(0x0102_0304, 4)),
      draft.entry(258, type: 8, count: 1, draft.number(UInt64(bitPattern: -2), 2)),
      draft.entry(259, type: 9, count: 1, draft.number(UInt64(bitPattern: -70000), 4)),
      draft.entry(260, type: 6, count: 1, [0xFF]),
      draft.entry(261, type: 11, count: 1, draft.number(UInt64(Float(-1.5).bitPattern), 4)),
      draft.entry(256, type: 3, count: 1, draft.number(1, 2)),
    ])
    let file = try TIFFFile(ByteSource(bytes))
    let directory = file.directories[0]
    #expect(file.littleEndian == draft.littleEndian && file.isBig == draft.isBig)
    #expect(directory.integers(256) == [258, 0xFFFF])
    #expect(directory.integer(257) == 0x0102_0304)
    #expect(directory.integer(258) == -2)
    #expect(directory.integer(259) == -70000)
    #expect(directory.integer(260) == -1)
    #expect(directory.number(261) == -1.5)
  }

  @Test("Bytes of files and of memory; names need not be UTF-8")
  func sources() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(bytes: Array(folder.url.path.utf8) + Array("/a".utf8))
    try Data([1, 2, 3, 4, 5]).write(to: folder.url.appendingPathComponent("a"))
    for source in [try ByteSource(file: path), ByteSource([1, 2, 3, 4, 5])] {
      #expect(source.byteCount == 5)
      #expect(source.bytes(at: 1, count: 3) == [2, 3, 4])
      #expect(source.bytes(at: 5, count: 0) == [])
      for (offset, count) in [(0, 6), (5, 1), (-1, 1), (0, -1), (Int.max, 1), (1, Int.max), (6, 0), (Int.min, 0)] {
        #expect(source.bytes(at: offset, count: count) == nil)
      }
    }
    #expect(throws: TIFFError.missing) { try ByteSource(file: FilePath(bytes: path.bytes + [0xFF])) }
    #expect(throws: TIFFError.self) { try ByteSource(file: FilePath(folder.url.path)) }
    #expect(throws: TIFFError.self) { try ByteSource(file: FilePath(bytes: [0x61, 0, 0x62])) }
  }
}
