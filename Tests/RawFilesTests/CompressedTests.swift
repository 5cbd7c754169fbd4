import ImageCore
import RawFiles
import TIFFTags
import Testing

/// Whole DNG files with lossless JPEG tiles.
@Suite struct CompressedTests {
  static let compressed = DNGWriteOptions(compression: .losslessJPEG)
  static let sizes = [(4, 4), (37, 29), (513, 17), (17, 1025), (1030, 515), (512, 512)].map {
    PixelSize(width: $0.0, height: $0.1)
  }

  @Test("Mosaics of odd sizes come back, whatever the number of threads", arguments: ["rggb", "quad-rggb", "xtrans"])
  func mosaics(name: String) throws {
    try expectSameMosaics(name, Self.sizes, Self.compressed)
  }

  @Test("Extremes", arguments: LosslessJPEGTests.contents)
  func extremes(content: String) throws {
    let files = try Files()
    let size = PixelSize(width: 67, height: 35)
    var counts = LosslessJPEGTests.samples(content, count: size.area)
    counts[0] = counts[0] == 5 ? 6 : 5  // a plane of one value is refused as no picture
    counts[size.area - 1] = 9
    let samples = Image<UInt16>(size) { counts[$1 * size.width + $0] }
    var written = mosaicPhoto(.rggb, size)
    written.pixels = .mosaic(Mosaic(samples: samples, cfa: .rggb, levels: SensorLevels(black: 0, white: 65535)))
    let read = try RawReader().read(try files.save(written, as: "a.dng", options: Self.compressed))
    #expect(read.mosaic?.samples == samples)
  }

  @Test("Linear pictures of three planes")
  func linear() throws {
    let files = try Files()
    for size in Self.sizes {
      let samples = Image<RGB<UInt16>>(size) { x, y in
        RGB(sample(x, y), sample(x, y, plane: 1), UInt16(truncatingIfNeeded: x &* y))
      }
      let levels = SensorLevels(
        black: BlackLevel(width: 1, height: 1, planes: 3, values: [0, 0, 0]), white: [65535, 65535, 65535])
      var written = photo(.linear(LinearPicture(samples: samples, levels: levels)), [.red, .green, .blue])
      written.defaultCrop = PixelRect(size)
      let path = try files.save(written, as: "a.dng", options: Self.compressed)
      #expect(try RawReader().read(path).linear?.samples == samples, "\(size)")
    }
  }

  @Test("A view whose rows do not touch in memory")
  func cropped() throws {
    let files = try Files()
    let whole = try #require(mosaicPhoto(.rggb, PixelSize(width: 100, height: 90)).mosaic)
    let part = whole.cropped(to: PixelRect(x: 7, y: 5, width: 61, height: 53))
    var written = photo(.mosaic(part), [.red, .green, .blue])
    written.defaultCrop = PixelRect(part.size)
    let path = try files.save(written, as: "a.dng", options: Self.compressed)
    #expect(try RawReader().read(path).mosaic?.samples == part.samples)
  }

  @Test("Damaged tiles are named, or give pixels; nothing crashes")
  func hostile() throws {
    let files = try Files()
    let size = PixelSize(width: 530, height: 40)
    var written = mosaicPhoto(.rggb, size)
    written.defaultCrop = PixelRect(size)
    try files.save(written, as: "whole.dng", options: Self.compressed)
    let whole = try files.bytes("whole.dng")
    let data = try #require(whole.indices.first { whole[$0...].starts(with: [0xFF, 0xD8, 0xFF, 0xC3]) })
    var reasons = 0
    for round in 0..<120 {
      var bytes = whole
      let place = data + (round * 7919) % (round < 60 ? 120 : whole.count - data)
      bytes[place] ^= UInt8(truncatingIfNeeded: 1 + round * 37)
      let refusal = RawReader().refusal(of: try files.save(bytes, as: "a.dng"))
      if let refusal {
        reasons += 1
        #expect(!refusal.description.isEmpty && refusal.category != .missing, "\(refusal)")
      }
    }
    #expect(reasons > 20)
    // The second tile filled with zeros is found and named.
    var bytes = whole
    let second = try #require(
      whole.indices.dropFirst(data + 4).first { whole[$0...].starts(with: [0xFF, 0xD8, 0xFF, 0xC3]) })
    for index in second..<bytes.count { bytes[index] = 0 }
    let refusal = try #require(RawReader().refusal(of: try files.save(bytes, as: "a.dng")))
    #expect(refusal.category == .badData && refusal.description.contains("tile 2 of 2"), "\(refusal)")
  }

  @Test("Tiles that other writers fold into other widths")
  func folded() throws {
    let files = try Files()
    let size = PixelSize(width: 32, height: 16)
    let samples = (0..<size.area).map { sample($0 % 32, $0 / 32) }
    for (width, components) in [(32, 1), (32, 2), (64, 2), (64, 4), (16, 1), (8, 1)] {
      let stream = LosslessJPEGTests.encode(samples, width: width, components: components)
      let bytes = handmadeDNG(
        size, rowsPerStrip: 16,
        extra: [259: .shorts([7]), 273: .longs([UInt32(4096 + size.area * 2)]), 279: .longs([UInt32(stream.count)])])
      let read = try RawReader().read(try files.save(bytes + stream, as: "a.dng"))
      #expect(read.mosaic?.samples == Image<UInt16>(size) { sample($0, $1) }, "\(width), \(components)")
    }
  }

  @Test("The lookup of stored counts comes after the tiles")
  func linearization() throws {
    let files = try Files()
    let size = PixelSize(width: 32, height: 16)
    let stored = (0..<size.area).map { UInt16($0 % 300) }
    let table = (0..<256).map { UInt16($0 * 100) }
    let stream = LosslessJPEGTests.encode(stored, width: 32, components: 2)
    let bytes = handmadeDNG(
      size, rowsPerStrip: 16,
      extra: [
        259: .shorts([7]), 273: .longs([UInt32(4096 + size.area * 2)]), 279: .longs([UInt32(stream.count)]),
        50712: .shorts(table), 50717: .longs([25500]),
      ])
    let read = try RawReader().read(try files.save(bytes + stream, as: "a.dng"))
    #expect(read.mosaic?.samples == Image<UInt16>(size) { table[min(255, Int(stored[$1 * 32 + $0]))] })
  }
}
