import Foundation
import ImageCore
import Pipeline
import RawFiles
import TIFFTags
import TestSupport
import Testing

/// Photo → DNG with preview and metadata.
@Suite struct DNGEncoderTests {
  private func photo(_ size: PixelSize, linear: Bool = false) -> RawPhoto {
    let calibration = ColourCalibration(
      profiles: [.init(illuminant: .exif(21), colorMatrix: .identity(3))], asShotWhite: .neutral([0.5, 1, 0.6]))
    // The left half is red, the right one blue; a grey card would give 0.5, 1, 0.6.
    func light(_ x: Int, _ plane: Int) -> Double {
      [0.5, 1, 0.6][plane] * (plane == (x < size.width / 2 ? 0 : 2) ? 0.6 : 0.1)
    }
    func count(_ x: Int, _ plane: Int) -> UInt16 { UInt16(100 + 3900 * light(x, plane)) }
    let pixels: RawPhoto.Pixels
    if linear {
      pixels = .linear(
        LinearPicture(
          samples: Image<RGB<UInt16>>(size) { x, _ in RGB(count(x, 0), count(x, 1), count(x, 2)) },
          levels: SensorLevels(black: BlackLevel(uniform: 100, planes: 3), white: [4000, 4000, 4000])))
    } else {
      pixels = .mosaic(
        Mosaic(
          samples: Image<UInt16>(size) { x, y in count(x, Int(CFAPattern.rggb[x, y].rawValue)) }, cfa: .rggb,
          levels: SensorLevels(black: 100, white: 4000)))
    }
    return RawPhoto(pixels: pixels, calibration: calibration, orientation: .right)
  }

  private func encode(_ photo: RawPhoto, _ folder: TemporaryFolder) throws -> FilePath {
    let url = folder.url.appendingPathComponent("a.dng")
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let handle = try FileHandle(forWritingTo: url)
    defer { try? handle.close() }
    let encoder = DNGEncoder(options: DNGWriteOptions(compression: .losslessJPEG), software: "tests")
    let warning = try encoder.encode(
      photo, metadataFrom: nil, into: handle.fileDescriptor, resources: Resources(workers: Workers(count: 2)))
    #expect(warning == nil)
    return FilePath(url.path)
  }

  @Test("The preview is smaller than the photo, lies as it does, and has its colours", arguments: [false, true])
  func preview(linear: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try encode(photo(PixelSize(width: 200, height: 120), linear: linear), folder)
    let file = try TIFFFile(ByteSource(file: path))
    let main = file.directories[0]
    let (width, height) = (try #require(main.integer(256)), try #require(main.integer(257)))
    #expect(main.integer(254) == 1 && width * 2 <= 200 && width >= 80 && height * 2 <= 120 && height >= 48)
    #expect(main.integer(274) == 6, "one orientation for both")
    let (offset, count) = (try #require(main.integer(273)), try #require(main.integer(279)))
    let stream = try #require(file.source.bytes(at: offset, count: count))
    #expect(stream.starts(with: [0xFF, 0xD8]) && stream.suffix(2) == [0xFF, 0xD9])
    let jpeg = folder.url.appendingPathComponent("p.jpg")
    try Data(stream).write(to: jpeg)
    let tiff = try CommandRunner.run(
      ["transform", "p.jpg", "-o", "p.tif", "--rotation", "keep"], in: folder.url)
    #expect(tiff.code == 0, "\(tiff.errors)")
    let picture = try TIFFFile(ByteSource(file: FilePath(folder.url.appendingPathComponent("p.tif").path)))
    let start = try #require(picture.directories[0].integer(273))
    func pixel(_ x: Int, _ y: Int) throws -> [UInt8] {
      try #require(picture.source.bytes(at: start + (y * width + x) * 3, count: 3))
    }
    let (left, right) = (try pixel(width / 4, 2), try pixel(width * 3 / 4, 2))
    #expect(left[0] > left[1] && left[0] > left[2], "left is red: \(left)")
    #expect(right[2] > right[0] && right[2] > right[1], "right is blue: \(right)")
    #expect(try RawReader().read(path).pixels.size == PixelSize(width: 200, height: 120))
  }

  @Test("A picture too small for a preview is written without one")
  func tiny() throws {
    let folder = try TemporaryFolder()
    let path = try encode(photo(PixelSize(width: 7, height: 5)), folder)
    #expect(try RawReader().read(path).pixels.size == PixelSize(width: 7, height: 5))
  }

  @Test("Reduction keeps the mean of each colour and takes off black", arguments: [(64, 48), (131, 77), (9, 200)])
  func reduction(width: Int, height: Int) {
    var whole = photo(PixelSize(width: width, height: height))
    if case .mosaic(var mosaic) = whole.pixels {
      mosaic.samples = Image<UInt16>(mosaic.size) { x, y in [1000, 2000, 2000, 3000][y % 2 * 2 + x % 2] + 100 }
      whole.pixels = .mosaic(mosaic)
    }
    whole.defaultCrop = PixelRect(x: 1, y: 1, width: width - 2, height: height - 1)
    for side in [1, 16, 1000] {
      guard case .mosaic(let small) = whole.reduced(toSide: side).pixels else { return }
      #expect(small.cfa == CFAPattern(named: "bggr"))
      for y in 0..<small.size.height {
        for x in 0..<small.size.width {
          let light = Float([3000, 2000, 2000, 1000][y % 2 * 2 + x % 2]) / 3900
          let found = (Float(small.samples[x, y]) - small.levels.black.mean) / (small.levels.white[0] - 4096)
          #expect(abs(found - light) < 1e-4, "(\(x), \(y))")
        }
      }
    }
  }
}
