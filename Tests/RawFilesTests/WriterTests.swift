import ImageCore
import RawFiles
import TIFFTags
import Testing

/// What the writer says about a photo, read back tag by tag.
@Suite struct WriterTests {
  static let size = PixelSize(width: 37, height: 29)

  private func write(_ photo: RawPhoto, preview: DNGPreview? = nil, metadata: DNGMetadata = DNGMetadata()) throws
    -> (file: TIFFFile, files: Files)
  {
    let files = try Files()
    try files.save(photo, as: "a.dng", preview: preview, metadata: metadata)
    return (try TIFFFile(ByteSource(try files.bytes("a.dng"))), files)
  }

  private func with(black: BlackLevel, white: Float) -> RawPhoto {
    var result = mosaicPhoto(.rggb, Self.size)
    let samples = Image<UInt16>(Self.size) { sample($0, $1) }
    result.pixels = .mosaic(
      Mosaic(samples: samples, cfa: .rggb, levels: SensorLevels(black: black, white: [white])))
    return result
  }

  @Test("With a preview the photosites move to a sub-directory; all else reads the same")
  func previews() throws {
    let written = mosaicPhoto(.rggb, Self.size)
    let picture = Image<RGB<UInt8>>(PixelSize(width: 9, height: 7)) { x, y in RGB(UInt8(x), UInt8(y), 200) }
    let stream: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
    let previews: [DNGPreview] = [
      .rgb(picture), .jpeg(stream, size: PixelSize(width: 9, height: 7), subsampling: 2),
    ]
    for preview in previews {
      for compression in DNGWriteOptions.Compression.allCases {
        let files = try Files()
        let path = try files.save(
          written, as: "a.dng", preview: preview, options: DNGWriteOptions(compression: compression))
        let read = try RawReader().read(path)
        #expect(read.mosaic?.samples == written.mosaic?.samples && read.calibration == written.calibration)
        #expect(read.orientation == written.orientation && read.noise == written.noise && read.facts == written.facts)
        #expect(read.defaultCrop == written.defaultCrop && read.userCrop == written.userCrop)
        let file = try TIFFFile(ByteSource(try files.bytes("a.dng")))
        let main = file.directories[0]
        #expect(file.directories.count == 1 && file.allDirectories.count == 2)
        #expect(main.integer(254) == 1 && main.integer(256) == 9 && main.integer(257) == 7)
        let (offset, count) = (try #require(main.integer(273)), try #require(main.integer(279)))
        #expect(file.source.bytes(at: offset, count: count) == (count == 7 ? stream : rgbBytes(picture)))
      }
    }
  }

  private func rgbBytes(_ picture: Image<RGB<UInt8>>) -> [UInt8] {
    (0..<picture.height).flatMap { y in
      (0..<picture.width).flatMap { x in [picture[x, y].red, picture[x, y].green, picture[x, y].blue] }
    }
  }

  @Test("A negative black level keeps its meaning")
  func negativeBlack() throws {
    let black = BlackLevel(width: 2, height: 2, values: [-3.5, 1, 0, 2])
    let (file, files) = try write(with(black: black, white: 1000))
    #expect(try #require(file.directories[0].numbers(50714)) == [0, 4.5, 3.5, 5.5])
    let read = try #require(try RawReader().read(files.path("a.dng")).mosaic?.levels.black)
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (36, 28)] {
      #expect(read.value(x: x, y: y) == black.value(x: x, y: y))
    }
  }

  @Test("White: fractions go down, so that what is saturated stays so; values beyond 16 bits are kept")
  func white() throws {
    for (white, stored) in [(1000.75, 1000), (65535, 65535), (65535.5, 65535), (80000, 80000)] {
      let (file, _) = try write(with(black: BlackLevel(uniform: 64), white: Float(white)))
      #expect(file.directories[0].integer(50717) == stored)
    }
    for white: Float in [.nan, .infinity, 64, 0.5, -1] {
      #expect(throws: DNGWriteError.self) { try write(with(black: BlackLevel(uniform: 64), white: white)) }
    }
  }

  @Test("Whole black levels are short integers, others fractions")
  func blackTypes() throws {
    let whole = try write(with(black: BlackLevel(uniform: 64), white: 1000)).file.directories[0]
    #expect(whole.entries[50714]?.type == 3)
    let fraction = try write(with(black: BlackLevel(uniform: 64.25), white: 1000)).file.directories[0]
    #expect(fraction.entries[50714]?.type == 5 && fraction.numbers(50714) == [64.25])
  }

  @Test("No matrix is written under an unknown light")
  func illuminants() throws {
    var written = mosaicPhoto(.rggb, Self.size)
    let profiles = written.calibration.profiles
    func result(_ lights: [Illuminant]) throws -> (codes: [Int?], matrices: [Bool], warnings: Int) {
      written.calibration.profiles = zip(profiles, lights).map { profile, light in
        var profile = profile
        profile.illuminant = light
        return profile
      }
      let files = try Files()
      let report = try files.report(written, as: "a.dng")
      let main = try TIFFFile(ByteSource(try files.bytes("a.dng"))).directories[0]
      #expect(report.byteCount == (try files.bytes("a.dng").count))
      return (
        [main.integer(50778), main.integer(50779)], [main.contains(50721), main.contains(50722)],
        report.warnings.count
      )
    }
    #expect(try result([.exif(17), .exif(21)]) == ([17, 21], [true, true], 0))
    #expect(try result([.exif(0)]) == ([21, nil], [true, false], 1))
    #expect(try result([.exif(255), .exif(0)]) == ([21, nil], [true, false], 1))
    #expect(try result([.exif(0), .exif(17)]) == ([17, nil], [true, false], 1))
    // The white points of A and D65.
    let lights = [Chromaticity(x: 0.4476, y: 0.4074), Chromaticity(x: 0.3127, y: 0.3290)]
    #expect(try result(lights.map { .chromaticity($0) }) == ([17, 21], [true, true], 2))
  }

  @Test("EXIF and GPS of the source are carried over, less what no longer holds", arguments: [true, false])
  func metadata(littleEndian: Bool) throws {
    let source = ForeignDNG(littleEndian: littleEndian, isBig: false)
    func text(_ text: String) -> [Int] { Array(text.utf8).map { Int($0) } + [0] }
    let blob = source.structure(
      main: [.init(tag: 315, type: 2, values: text("An artist")), .init(tag: 274, type: 3, values: [3])],
      exif: [
        .init(tag: 33434, type: 5, values: [1, 30]), .init(tag: 34855, type: 3, values: [400]),
        .init(tag: 37377, type: 5, values: [5, 1]), .init(tag: 37500, type: 7, values: [1, 2, 3, 4, 5]),
        .init(tag: 37385, type: 3, values: [16]), .init(tag: 40962, type: 4, values: [4000]),
      ],
      gps: [.init(tag: 1, type: 2, values: text("N")), .init(tag: 2, type: 5, values: [48, 1, 12, 1, 345, 10])])
    var written = mosaicPhoto(.rggb, Self.size)
    written.facts.exposureTime = 1.0 / 60
    written.facts.iso = 400
    let xmp = Array("<x:xmpmeta/>".utf8)
    let (file, files) = try write(written, metadata: DNGMetadata(exif: blob, xmp: xmp))
    let main = file.directories[0]
    #expect(main.text(315) == "An artist" && main.bytes(700) == xmp)
    #expect(main.integer(274) == Int(written.orientation.rawValue), "the photo's own orientation wins")
    let exif = try #require(file.exif(of: main))
    #expect(exif.number(33434) == 1.0 / 60 && exif.integer(34855) == 400 && exif.integer(37385) == 16)
    for tag: UInt16 in [37377, 37500, 40962] { #expect(!exif.contains(tag), "tag \(tag)") }
    let gps = try #require(file.gps(of: main))
    #expect(gps.text(1) == "N" && gps.numbers(2) == [48, 12, 34.5])
    #expect(try RawReader().read(files.path("a.dng")).mosaic?.samples == written.mosaic?.samples)
    // What is no EXIF at all costs a warning.
    #expect(try files.report(written, as: "b.dng", metadata: DNGMetadata(exif: [1, 2, 3])).warnings.count == 1)
  }
}
