import ImageCore
import RawFiles
import TIFFTags
import Testing

/// Whole files of other writers.
@Suite struct ForeignTests {
  static let size = PixelSize(width: 37, height: 29)
  static let layouts = [(true, false), (false, false), (true, true), (false, true)]

  @Test(
    "Either byte order, classic and BigTIFF, uncompressed and compressed tiles", arguments: layouts, [false, true])
  func whole(layout: (Bool, Bool), compressed: Bool) throws {
    let files = try Files()
    let writer = ForeignDNG(littleEndian: layout.0, isBig: layout.1)
    let tiles = (0..<6).map { tile -> [UInt8] in
      let samples = (0..<256).map { index -> UInt16 in
        let (x, y) = (tile % 3 * 16 + index % 16, tile / 3 * 16 + index / 16)
        return x < 37 && y < 29 ? sample(x, y) : 0
      }
      return LosslessJPEGTests.encode(samples, width: 16, components: 2)
    }
    let bytes = writer.file(width: 37, height: 29, tiles: compressed ? tiles : nil) { sample($0, $1) }
    let path = try files.save(bytes, as: "a.dng")
    for workers in [1, 4] {
      let photo = try RawReader().read(path, resources: Resources(workers: Workers(count: workers)))
      let mosaic = try #require(photo.mosaic)
      #expect(mosaic.samples == Image<UInt16>(Self.size) { sample($0, $1) })
      #expect(mosaic.cfa == CFAPattern(named: "grbg"))
      #expect(mosaic.levels == SensorLevels(black: 64.5, white: 65535))
      #expect(photo.orientation == Orientation(exif: 6))
      #expect(photo.calibration.asShotWhite == .neutral([0.5, 1, 0.75]))
      #expect(photo.facts.make == "Other")
    }
    #expect(try RawReader().describe(path).compression == (compressed ? "lossless JPEG" : "none"))
  }

  @Test("A file cut off in its tags is called cut off, not something else", arguments: layouts)
  func cutInTags(layout: (Bool, Bool)) throws {
    let files = try Files()
    let writer = ForeignDNG(littleEndian: layout.0, isBig: layout.1)
    let whole = writer.file(width: 37, height: 29) { sample($0, $1) }
    // From the magic number on: shorter files say nothing about themselves.
    for length in Array(4..<1100) + [1500, 2000, 2047, 2048, 3000, whole.count - 40] {
      let refusal = RawReader().refusal(of: try files.save(Array(whole[..<length]), as: "a.dng"))
      guard case .truncated(let found, let expected) = refusal else {
        Issue.record("\(length) bytes: \(refusal?.description ?? "read")")
        continue
      }
      #expect(found <= length && expected > found)
    }
  }

  @Test("A speed beyond 65535 is read from the tags of EXIF 2.3")
  func sensitivity() throws {
    let files = try Files()
    for value in [100.0, 65535, 65536, 102_400, 3_276_800] {
      var written = mosaicPhoto(.rggb, Self.size)
      written.facts.iso = value
      #expect(try RawReader().read(try files.save(written, as: "a.dng")).facts.iso == value)
    }
  }
}
