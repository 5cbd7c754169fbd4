import Develop
import Foundation
import ImageCore
import PhotoFiles
import RawFiles
import TIFFTags
import TestSupport
import Testing

@testable import Pipeline

/// Developed rows on their way into a file.
struct DevelopedStripesTests {
  private static let photo = RawPhoto(
    pixels: .mosaic(
      Mosaic(
        samples: Image<UInt16>(PixelSize(width: 2203, height: 502)) { x, y in
          UInt16(truncatingIfNeeded: 600 + (x &* 31 &+ y &* 17) % 9000 + (x / 40 % 2) * 3000)
        }, cfa: .rggb, levels: SensorLevels(black: 512, white: 16383))))

  private static func chain(_ format: OutputSettings.Format, bits: Int? = nil) throws -> DevelopChain {
    DevelopChain(
      raw: RawReadOptions(), develop: .standard, geometry: GeometryChoice(rotation: .quarterTurns(1)),
      output: try OutputSettings(format: format, bits: bits), software: "test")
  }

  private static func run(_ chain: DevelopChain, _ descriptor: Int32, workers: Int) throws(JobFailure) -> ChainResult
  {
    try chain.render(
      ReadCapture(photo: photo), metadataFrom: nil, into: descriptor,
      resources: Resources(workers: Workers(count: workers)), clock: StageClock())
  }

  @Test(
    arguments: [
      (OutputSettings.Format.jpeg, nil), (.png, 8), (.tiff, 16), (.exr, 32), (.heif, 8), (.jxl, 8),
    ] as [(OutputSettings.Format, Int?)])
  func filesAreTheSameForAnyNumberOfThreads(_ format: OutputSettings.Format, _ bits: Int?) throws {
    let folder = try TemporaryFolder()
    let files = try [1, 3].map { workers in
      let url = folder.url.appendingPathComponent("\(workers)")
      let descriptor = open(url.path, O_CREAT | O_RDWR, 0o600)
      defer { close(descriptor) }
      let result = try Self.run(try Self.chain(format, bits: bits), descriptor, workers: workers)
      #expect(result.size == PixelSize(width: 502, height: 2203))
      return try Data(contentsOf: url)
    }
    #expect(files[0] == files[1], "\(files.map(\.count)) bytes")
  }

  @Test func stripesAndTheWholePictureAreTheSame() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("a.png")
    let descriptor = open(url.path, O_CREAT | O_RDWR, 0o600)
    defer { close(descriptor) }
    _ = try Self.run(try Self.chain(.png), descriptor, workers: 2)
    let found: Image<RGB<UInt8>> = try {
      let reader = try PictureReader(path: Array(url.path.utf8))
      var image = Image<RGB<UInt8>>(uninitialized: reader.size)
      try image.withMutableRows { rows in
        try reader.read(rows: rows.height, into: UnsafeMutableRawPointer(rows.base), bytesPerRow: rows.stride * 3)
      }
      return image
    }()
    var whole = Image<RGB<UInt8>>(uninitialized: PixelSize(width: 502, height: 2203))
    try Developer(Self.photo, options: .standard).render(
      PixelRect(Self.photo.pixels.size), orientation: .right, into: &whole)
    #expect(found == whole)
  }

  /// Where nothing can be written any more the run ends, and says why.
  @Test(arguments: [OutputSettings.Format.jpeg, .png, .tiff], [1, 2])
  func aFullDiskEndsTheRun(_ format: OutputSettings.Format, _ workers: Int) throws {
    let descriptor = open("/dev/full", O_RDWR)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    do {
      _ = try Self.run(try Self.chain(format), descriptor, workers: workers)
      Issue.record("a full disk was not noticed")
    } catch let failure as JobFailure {
      #expect(failure.status == .ioError, "\(failure)")
    }
  }
}
