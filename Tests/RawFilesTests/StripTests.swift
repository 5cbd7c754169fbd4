import ImageCore
import RawFiles
import TIFFTags
import Testing

/// Uncompressed strips of other writers.
@Suite struct StripTests {
  static let height = 230

  @Test(
    "Rows a strip that do and do not divide the height", arguments: [1, 64, 65, 100, 128, height], [8, 12, 14, 16])
  func strips(rowsPerStrip: Int, bits: Int) throws {
    let files = try Files()
    let size = PixelSize(width: 37, height: Self.height)
    for isReversed in [false, true] {
      let bytes = handmadeDNG(size, rowsPerStrip: rowsPerStrip, bits: bits, reversed: isReversed)
      let path = try files.save(bytes, as: "a.dng")
      for workers in [1, 4] {
        let photo = try RawReader().read(path, resources: Resources(workers: Workers(count: workers)))
        let mosaic = try #require(photo.mosaic)
        #expect(mosaic.samples == Image<UInt16>(size) { sample($0, $1, max: 1 << bits - 1) })
        #expect(mosaic.levels == SensorLevels(black: 0, white: Float(1 << bits - 1)))
      }
    }
  }

  @Test("RowsPerStrip of 2^32-1 means one strip")
  func endless() throws {
    let files = try Files()
    let size = PixelSize(width: 37, height: 29)
    let bytes = handmadeDNG(size, rowsPerStrip: 29, extra: [278: .longs([UInt32.max])])
    let mosaic = try #require(try RawReader().read(try files.save(bytes, as: "a.dng")).mosaic)
    #expect(mosaic.samples == Image<UInt16>(size) { sample($0, $1) })
  }

  @Test("The pattern and the levels belong to the active area")
  func activeArea() throws {
    let files = try Files()
    let size = PixelSize(width: 37, height: 29)
    let bytes = handmadeDNG(size, rowsPerStrip: 10, extra: [50829: .longs([3, 5, 27, 36])])
    let mosaic = try #require(try RawReader().read(try files.save(bytes, as: "a.dng")).mosaic)
    #expect(mosaic.samples == Image<UInt16>(PixelSize(width: 31, height: 24)) { sample($0 + 5, $1 + 3) })
    #expect(mosaic.cfa == .rggb)
  }

  @Test("The lookup of stored counts; counts past its end take the last")
  func linearization() throws {
    let files = try Files()
    let size = PixelSize(width: 37, height: 29)
    let table = (0..<200).map { UInt16($0 * 5 + 1) }
    let bytes = handmadeDNG(size, rowsPerStrip: 10, bits: 8, extra: [50712: .shorts(table), 50717: .longs([996])])
    let mosaic = try #require(try RawReader().read(try files.save(bytes, as: "a.dng")).mosaic)
    #expect(mosaic.samples == Image<UInt16>(size) { table[min(199, Int(sample($0, $1, max: 255)))] })
  }

  @Test("Strips that do not fit the picture are refused")
  func misfits() throws {
    let files = try Files()
    let size = PixelSize(width: 37, height: 29)
    let wrong: [[UInt16: TIFFValue]] = [
      [278: .longs([0])], [278: .longs([7])], [279: .longs([1, 2, 3])], [279: .longs([0])],
      [279: .longs([UInt32.max])], [273: .longs([UInt32.max])], [273: .longs([0])], [257: .longs([30])],
      [256: .longs([UInt32.max])],
    ]
    for extra in wrong {
      let path = try files.save(handmadeDNG(size, rowsPerStrip: 29, extra: extra), as: "a.dng")
      #expect(RawReader().refusal(of: path)?.category == .badData, "\(extra)")
    }
  }
}
