import ImageCore
import RawFiles
import Testing

/// What is written as DNG comes back the same.
@Suite struct RoundTripTests {
  static let patterns = [
    "rggb", "gbrg", "quad-rggb", "quad-rggb+2,3", "nona-bggr+1,4", "hexadeca-rggb+3,6", "xtrans", "gmcy",
  ]
  static let sizes = [(37, 29), (130, 67), (64, 128)].map { PixelSize(width: $0.0, height: $0.1) }

  private func expectSame(_ read: RawPhoto, _ written: RawPhoto) {
    #expect(read.defaultCrop == written.defaultCrop)
    #expect(read.userCrop == written.userCrop)
    #expect(read.pixelAspect == written.pixelAspect)
    #expect(read.calibration == written.calibration)
    #expect(read.baselineExposure == written.baselineExposure)
    #expect(read.noise == written.noise)
    #expect(read.orientation == written.orientation)
    #expect(read.facts == written.facts)
  }

  @Test("Mosaics of any pattern and odd sizes", arguments: patterns, sizes)
  func mosaic(name: String, size: PixelSize) throws {
    let files = try Files()
    let written = mosaicPhoto(try #require(CFAPattern(named: name)), size)
    let path = try files.save(written, as: "a.dng")
    for workers in [1, 3] {
      let read = try RawReader().read(path, resources: Resources(workers: Workers(count: workers)))
      let (before, after) = (try #require(written.mosaic), try #require(read.mosaic))
      #expect(after.samples == before.samples)
      #expect(after.cfa == before.cfa)
      #expect(after.levels == before.levels)
      expectSame(read, written)
    }
    let described = try RawReader().describe(path)
    #expect(described.kind == .dng && described.storedSize == size && described.bits == 16)
    #expect(described.cfa == written.mosaic?.cfa && described.notApplied.isEmpty)
  }

  @Test("Linear pictures", arguments: sizes)
  func linear(size: PixelSize) throws {
    let files = try Files()
    let levels = SensorLevels(
      black: BlackLevel(width: 1, height: 1, planes: 3, values: [10, 20.5, 30]), white: [65535, 65000, 60000])
    let samples = Image<RGB<UInt16>>(size) { x, y in
      RGB(sample(x, y), sample(x, y, plane: 1), sample(x, y, plane: 2))
    }
    let written = photo(.linear(LinearPicture(samples: samples, levels: levels)), [.red, .green, .blue])
    let read = try RawReader().read(try files.save(written, as: "a.dng"))
    let after = try #require(read.linear)
    #expect(after.samples == samples)
    #expect(after.levels == levels)
    expectSame(read, written)
  }

  @Test("A crop, whose rows do not touch in memory, keeps its phase")
  func cropped() throws {
    let files = try Files()
    let whole = try #require(mosaicPhoto(.xTrans, PixelSize(width: 61, height: 53)).mosaic)
    let part = whole.cropped(to: PixelRect(x: 5, y: 3, width: 41, height: 37))
    let written = photo(.mosaic(part), [.red, .green, .blue])
    let after = try #require(try RawReader().read(try files.save(written, as: "a.dng")).mosaic)
    #expect(after.samples == part.samples)
    #expect(after.cfa == part.cfa)
    #expect(after.levels == part.levels)
  }

  @Test("Every orientation", arguments: 1...8)
  func orientation(tag: Int) throws {
    let files = try Files()
    var written = mosaicPhoto(.rggb, PixelSize(width: 16, height: 12))
    written.orientation = try #require(Orientation(exif: tag))
    #expect(try RawReader().read(try files.save(written, as: "a.dng")).orientation == written.orientation)
  }

  @Test("A picture without a colour matrix is not written")
  func colourUnknown() throws {
    let files = try Files()
    var written = mosaicPhoto(.rggb, PixelSize(width: 16, height: 12))
    written.calibration = ColourCalibration()
    #expect(throws: DNGWriteError.colourUnknown) { try files.save(written, as: "a.dng") }
  }

  @Test("The user's levels and pattern win")
  func overridden() throws {
    let files = try Files()
    let path = try files.save(mosaicPhoto(.rggb, PixelSize(width: 37, height: 29)), as: "a.dng")
    var options = RawReadOptions()
    options.black = 7
    options.white = 999
    options.cfa = .xTrans
    let mosaic = try #require(try RawReader(options: options).read(path).mosaic)
    #expect(mosaic.cfa == .xTrans)
    #expect(mosaic.levels == SensorLevels(black: 7, white: 999))
  }
}
