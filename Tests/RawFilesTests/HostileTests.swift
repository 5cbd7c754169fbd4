import ImageCore
import RawFiles
import TIFFTags
import Testing

/// Files that lie. Nothing may crash; what cannot be true is refused.
@Suite struct HostileTests {
  static let size = PixelSize(width: 37, height: 29)

  @Test("A DNG cut off anywhere is refused")
  func prefixes() throws {
    let files = try Files()
    try files.save(mosaicPhoto(.rggb, Self.size), as: "whole.dng")
    let whole = try files.bytes("whole.dng")
    for length in Array(stride(from: 0, to: whole.count, by: 5)) + [whole.count - 1] {
      let path = try files.save(Array(whole[..<length]), as: "a.dng")
      #expect(RawReader().refusal(of: path) != nil, "\(length) of \(whole.count) bytes")
    }
  }

  @Test("Any byte of the tags may be wrong", arguments: [UInt8(0), 1, 0x7F, 0x80, 0xFF])
  func wrongBytes(value: UInt8) throws {
    let files = try Files()
    try files.save(mosaicPhoto(.rggb, PixelSize(width: 8, height: 8)), as: "whole.dng")
    let whole = try files.bytes("whole.dng")
    for index in 0..<whole.count - 8 * 8 * 2 {
      var bytes = whole
      bytes[index] = value
      let path = try files.save(bytes, as: "a.dng")
      if let refusal = RawReader().refusal(of: path) { #expect(!refusal.description.isEmpty) }
      _ = try? RawReader().describe(path)
    }
  }

  @Test("The smallest whole number where sizes and places are expected")
  func smallestInteger() throws {
    let files = try Files()
    let least = -0x1p63
    for tag: UInt16 in [256, 257, 273, 277, 278, 33421, 50713, 50717] {
      for isCountGone in [false, true] {
        var extra: [UInt16: TIFFValue] = [tag: .doubles([least])]
        if isCountGone { extra[279] = .text("absent") }
        let path = try files.save(handmadeDNG(Self.size, rowsPerStrip: 29, extra: extra), as: "a.dng")
        #expect(RawReader().refusal(of: path) != nil, "tag \(tag)")
      }
    }
    let areas: [[Double]] = [
      [1, 1, least, least], [1, 1, 29, least], [0x1.fffffffffffffp62, 0, -3, 37], [least, least, 29, 37],
    ]
    for edges in areas {
      let bytes = handmadeDNG(Self.size, rowsPerStrip: 29, extra: [50829: .doubles(edges)])
      #expect(RawReader().refusal(of: try files.save(bytes, as: "a.dng"))?.category == .badData, "\(edges)")
    }
  }

  @Test("Levels that 32 bits cannot hold")
  func endlessLevels() throws {
    let files = try Files()
    for extra: [UInt16: TIFFValue] in [
      [50714: .doubles([-1e300])], [50717: .doubles([1e300])], [50714: .doubles([.nan])], [50717: .doubles([.nan])],
      [50714: .doubles([70000])],
    ] {
      let path = try files.save(handmadeDNG(Self.size, rowsPerStrip: 29, extra: extra), as: "a.dng")
      #expect(RawReader().refusal(of: path)?.category == .badData, "\(extra)")
    }
  }

  @Test("Colour filter arrays that are none")
  func patterns() throws {
    let files = try Files()
    for extra: [UInt16: TIFFValue] in [
      [33421: .shorts([0, 0])], [33421: .shorts([9, 9])], [33421: .shorts([2])], [33422: .bytes([0, 1, 1])],
      [33422: .bytes([0, 1, 1, 9])],
    ] {
      let path = try files.save(handmadeDNG(Self.size, rowsPerStrip: 29, extra: extra), as: "a.dng")
      #expect(RawReader().refusal(of: path)?.category == .badData, "\(extra)")
    }
  }

  @Test("Not a capture, whatever the name says")
  func otherKinds() throws {
    let files = try Files()
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 0, count: 100)
    let kinds: [(name: String, bytes: [UInt8], kind: FileKind)] = [
      ("empty.dng", [], .empty), ("text.dng", Array("Dear diary, no picture today.\n".utf8), .text),
      ("png.dng", png, .png),
    ]
    for (name, bytes, kind) in kinds {
      let refusal = RawReader().refusal(of: try files.save(bytes, as: name))
      #expect(refusal == .notRaw(found: kind))
      #expect(refusal?.category == .badData)
      #expect(try FileSniffer.kind(ofFileAt: files.path(name)) == kind)
    }
    #expect(RawReader().refusal(of: files.path("none.dng")) == .missing)
    #expect(RawReadError.missing.category == .missing)
    #expect(RawReader().refusal(of: files.path("."))?.category == .missing)
  }

  @Test("A plane of one value, of darkness, and one that ends early are no pictures")
  func implausible() throws {
    let files = try Files()
    var written = mosaicPhoto(.rggb, Self.size)
    func refusal(black: Float, _ pixel: (Int, Int) -> UInt16) throws -> RawReadError? {
      let samples = Image<UInt16>(Self.size, pixel: pixel)
      written.pixels = .mosaic(
        Mosaic(samples: samples, cfa: .rggb, levels: SensorLevels(black: black, white: 60000)))
      return RawReader().refusal(of: try files.save(written, as: "a.dng"))
    }
    #expect(try refusal(black: 0) { _, _ in 77 } == .constantPlane(value: 77))
    #expect(try refusal(black: 500) { x, _ in UInt16(x) }?.category == .badData)
    #expect(try refusal(black: 0) { x, y in y < 20 ? sample(x, y) : 0 }?.category == .badData)
    #expect(try refusal(black: 0) { x, y in sample(x, y) } == nil)
  }

  @Test("More pixels than the limit")
  func tooLarge() throws {
    let files = try Files()
    var options = RawReadOptions()
    options.maxPixels = 37 * 29 - 1
    let path = try files.save(mosaicPhoto(.rggb, Self.size), as: "a.dng")
    #expect(RawReader(options: options).refusal(of: path) == .tooLarge(width: 37, height: 29, limit: 37 * 29 - 1))
  }
}
