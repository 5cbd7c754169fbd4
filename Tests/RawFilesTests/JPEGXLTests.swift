import ImageCore
import RawFiles
import TIFFTags
import Testing

/// DNG 1.7 with JPEG XL tiles.
@Suite struct JPEGXLTests {
  static let packed = DNGWriteOptions(compression: .jpegXL)
  static let sizes = [(37, 29), (513, 17), (6, 530)].map { PixelSize(width: $0.0, height: $0.1) }

  @Test("Mosaics of odd sizes come back, whatever the number of threads", arguments: ["rggb", "quad-rggb"])
  func mosaics(name: String) throws {
    try expectSameMosaics(name, Self.sizes, Self.packed)
  }

  @Test("Linear pictures of three planes, lossless and close to it")
  func linear() throws {
    let files = try Files()
    let size = PixelSize(width: 133, height: 70)
    let samples = Image<RGB<UInt16>>(size) { x, y in
      RGB(UInt16(20000 + x * 100 + y * 30), UInt16(15000 + y * 200), UInt16(9000 + x * 200))
    }
    let levels = SensorLevels(
      black: BlackLevel(width: 1, height: 1, planes: 3, values: [0, 0, 0]), white: [65535, 65535, 65535])
    var written = photo(.linear(LinearPicture(samples: samples, levels: levels)), [.red, .green, .blue])
    written.defaultCrop = PixelRect(size)
    let path = try files.save(written, as: "a.dng", options: Self.packed)
    #expect(try RawReader().read(path).linear?.samples == samples)
    let lossy = try files.save(
      written, as: "b.dng", options: DNGWriteOptions(compression: .jpegXL, jxlQuality: 95))
    let read = try #require(try RawReader().read(lossy).linear?.samples)
    var worst = 0
    for y in 0..<size.height {
      for x in 0..<size.width { worst = max(worst, abs(Int(read[x, y].green) - Int(samples[x, y].green))) }
    }
    #expect(worst < 1500)
    #expect(try files.bytes("b.dng").count < files.bytes("a.dng").count)
  }

  @Test("The lines of a Bayer mosaic are stored field by field")
  func fields() throws {
    let files = try Files()
    let size = PixelSize(width: 21, height: 13)
    var written = mosaicPhoto(.rggb, size)
    written.defaultCrop = PixelRect(size)
    try files.save(written, as: "a.dng", options: Self.packed)
    var bytes = try files.bytes("a.dng")
    // Rows and columns interleaved 2-fold; patched to say that they are not, the file shows them as they are stored.
    for tag: [UInt8] in [[0x1F, 0xC7], [0x43, 0xCD]] {
      let entry = tag + [4, 0, 1, 0, 0, 0, 2, 0, 0, 0]
      let at = try #require(
        (0..<bytes.count - entry.count).first { bytes[$0..<$0 + entry.count].elementsEqual(entry) })
      bytes[at + 8] = 1
    }
    let stored = try #require(try RawReader().read(files.save(bytes, as: "b.dng")).mosaic?.samples)
    let original = try #require(written.mosaic?.samples)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (across, down) = ((size.width + 1) / 2, (size.height + 1) / 2)
        let column = x < across ? 2 * x : 2 * (x - across) + 1
        let row = y < down ? 2 * y : 2 * (y - down) + 1
        #expect(stored[x, y] == original[column, row], "\(x), \(y)")
      }
    }
  }

  @Test("Damage is named, at every byte of a tile")
  func damage() throws {
    let files = try Files()
    let size = PixelSize(width: 40, height: 24)
    try files.save(mosaicPhoto(.rggb, size), as: "a.dng", options: Self.packed)
    let whole = try files.bytes("a.dng")
    let signature = try #require((0..<whole.count - 1).last { whole[$0] == 0xFF && whole[$0 + 1] == 0x0A })
    for at in stride(from: signature, to: whole.count, by: 7) {
      var bytes = whole
      bytes[at] ^= 0x5A
      do { _ = try RawReader().read(files.save(bytes, as: "b.dng")) } catch let error as RawReadError {
        #expect(error.category == .badData || error.category == .codecUnavailable, "\(at): \(error)")
      }
    }
    let cut = Array(whole.prefix(whole.count - 40))
    let error = #expect(throws: RawReadError.self) { try RawReader().read(files.save(cut, as: "c.dng")) }
    #expect(error?.category == .badData)
  }
}
