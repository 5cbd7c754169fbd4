import Foundation
import Glibc
import ImageCore
import RawFiles
import TIFFTags
import TestSupport
import Testing

@Suite("What a DNG is written with is read back")
struct RoundTripTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func photo(_ cfa: CFAPattern, _ size: PixelSize) -> RawPhoto {
    let samples = Image<UInt16>(size) { x, y in UInt16(500 + (x * 37 + y * 101) % 3000) }
    let black = BlackLevel(width: 2, height: 2, values: [512, 513, 514, 515])
    let mosaic = Mosaic(samples: samples, cfa: cfa, levels: SensorLevels(black: black, white: [4095]))
    let matrix = Matrix([0.9, -0.3, -0.1], [-0.4, 1.2, 0.2], [-0.1, 0.2, 0.6])
    return RawPhoto(
      pixels: .mosaic(mosaic), defaultCrop: PixelRect(x: 2, y: 2, width: size.width - 5, height: size.height - 4),
      calibration: ColourCalibration(
        profiles: [.init(illuminant: .exif(21), colorMatrix: matrix)], asShotWhite: .neutral([0.5, 1, 0.625])),
      baselineExposure: 0.5, noise: NoiseProfile(planes: [.init(scale: 1e-4, offset: 1e-7)]), orientation: .right)
  }

  private func write(_ photo: RawPhoto, as name: String = "a.dng") throws -> FilePath {
    let path = folder.url.appendingPathComponent(name).path
    let descriptor = open(path, O_CREAT | O_TRUNC | O_RDWR, 0o644)
    defer { close(descriptor) }
    try DNGWriter.write(photo, to: descriptor, software: "test")
    return FilePath(path)
  }

  @Test(arguments: ["rggb", "gbrg", "quad-rggb", "nona-bggr", "xtrans"], [(37, 29), (130, 67), (64, 200)])
  func mosaics(name: String, sides: (Int, Int)) throws {
    let written = photo(CFAPattern(named: name)!, PixelSize(width: sides.0, height: sides.1))
    let read = try RawReader().read(try write(written), resources: Resources(workers: Workers(count: 2)))
    guard case .mosaic(let before) = written.pixels, case .mosaic(let after) = read.pixels else {
      Issue.record("a mosaic came back as something else")
      return
    }
    #expect(after.samples == before.samples)
    #expect(after.cfa == before.cfa)
    #expect(after.levels.white == before.levels.white)
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      #expect(after.levels.black.value(x: x, y: y) == before.levels.black.value(x: x, y: y))
    }
    #expect(read.defaultCrop == written.defaultCrop && read.orientation == .right)
    #expect(abs(read.baselineExposure - 0.5) < 1e-6)
    #expect(read.calibration.profiles.count == 1)
  }

  @Test func everyTruncationIsAnError() throws {
    let path = try write(photo(.rggb, PixelSize(width: 40, height: 30)))
    let whole = try Data(contentsOf: URL(fileURLWithPath: path.string))
    for length in stride(from: 0, to: whole.count - 1, by: 7) {
      let short = folder.url.appendingPathComponent("short.dng")
      try whole.prefix(length).write(to: short)
      #expect(throws: RawReadError.self, "\(length) of \(whole.count) bytes") {
        try RawReader().read(FilePath(short.path), resources: Resources())
      }
    }
  }

  @Test func anyDamagedByteOfTheTagsIsSurvived() throws {
    let path = try write(photo(.rggb, PixelSize(width: 40, height: 30)))
    let whole = try Data(contentsOf: URL(fileURLWithPath: path.string))
    let damaged = folder.url.appendingPathComponent("damaged.dng")
    for position in 0..<min(600, whole.count) {
      for value in [UInt8(0), 0x7F, 0xFF] {
        var bytes = whole
        bytes[bytes.startIndex + position] = value
        try bytes.write(to: damaged)
        _ = try? RawReader().read(FilePath(damaged.path), resources: Resources())
      }
    }
  }

  @Test func aConstantPlaneIsNoPicture() throws {
    var flat = photo(.rggb, PixelSize(width: 40, height: 30))
    flat.pixels = .mosaic(
      Mosaic(
        samples: Image(PixelSize(width: 40, height: 30), repeating: 600), cfa: .rggb,
        levels: SensorLevels(black: 512, white: 4095)))
    let path = try write(flat)
    #expect(throws: RawReadError.self) { try RawReader().read(path, resources: Resources()) }
  }
}
