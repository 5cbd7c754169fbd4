import Foundation
import ImageCore
import TestSupport
import Testing

@testable import RawFiles

/// Floating-point DNG: written as numbers, read as counts.
@Suite struct FloatTests {
  private func write(_ photo: RawPhoto, _ floats: DNGFloatSamples, _ files: Files, preview: DNGPreview? = nil) throws
  {
    _ = FileManager.default.createFile(atPath: files.url("f.dng").path, contents: nil)
    let handle = try FileHandle(forWritingTo: files.url("f.dng"))
    defer { try? handle.close() }
    try DNGWriter.write(photo, floats: floats, preview: preview, to: handle.fileDescriptor, software: "tests")
  }

  /// Between a little below black and white.
  private func light(_ x: Int, _ y: Int, _ plane: Int = 0) -> Float {
    Float(sample(x, y, plane: plane)) / 65535 * 1.005 - 0.005
  }

  @Test("Mosaics come back within half a count", arguments: ["rggb", "quad-rggb+2,3", "xtrans"], [false, true])
  func mosaic(name: String, hasPreview: Bool) throws {
    let files = try Files()
    let size = PixelSize(width: 61, height: 47)
    let photo = mosaicPhoto(try #require(CFAPattern(named: name)), size)
    let plane = Image<Float>(size) { x, y in light(x, y) * 4 }
    let preview =
      hasPreview ? DNGPreview.rgb(Image<RGB<UInt8>>(PixelSize(width: 8, height: 6), repeating: RGB(1, 2, 3))) : nil
    try write(photo, DNGFloatSamples(.mosaic(plane), scale: 0.25), files, preview: preview)
    let described = try RawReader().describe(files.path("f.dng"))
    #expect(described.bits == 32 && described.storedSize == size)
    let read = try RawReader().read(files.path("f.dng"), resources: Resources(workers: Workers(count: 3)))
    let mosaic = try #require(read.mosaic)
    #expect(mosaic.cfa == photo.mosaic?.cfa && read.noise == photo.noise)
    #expect(mosaic.levels == described.levels)
    let linear = LinearMosaic(normalizing: mosaic)
    let step: Float = 1 / (FloatReader.white - FloatReader.black)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let d = abs(linear.plane[x, y] - light(x, y))
        #expect(d < 0.6 * step, "(\(x), \(y)): \(light(x, y)) became \(linear.plane[x, y])")
      }
    }
  }

  @Test("Linear pictures come back within half a count, whatever lies beyond the ends is cut")
  func linear() throws {
    let files = try Files()
    let size = PixelSize(width: 33, height: 20)
    let levels = SensorLevels(black: BlackLevel(uniform: 0, planes: 3), white: [65535, 65535, 65535])
    let counts = Image<RGB<UInt16>>(size, repeating: RGB(1, 1, 1))
    let written = photo(.linear(LinearPicture(samples: counts, levels: levels)), [.red, .green, .blue])
    let image = Image<RGB<Float>>(size) { x, y in
      x == 0 ? RGB(.nan, 7, -7) : RGB(light(x, y), light(x, y, 1), light(x, y, 2))
    }
    try write(written, DNGFloatSamples(.linear(image)), files)
    let read = try #require(try RawReader().read(files.path("f.dng")).linear)
    let range = FloatReader.white - FloatReader.black
    for y in 0..<size.height {
      #expect(read.samples[0, y] == RGB(0, 65535, 0))
      for x in 1..<size.width {
        let expected = light(x, y, 1) * range + FloatReader.black
        #expect(abs(Float(read.samples[x, y].green) - expected) < 0.6, "(\(x), \(y))")
      }
    }
  }

  @Test("A file that ends early is an error")
  func cutOff() throws {
    let files = try Files()
    let size = PixelSize(width: 61, height: 47)
    try write(mosaicPhoto(.rggb, size), DNGFloatSamples(.mosaic(Image<Float>(size, repeating: 0.5))), files)
    let bytes = try files.bytes("f.dng")
    let path = try files.save(Array(bytes.dropLast(bytes.count / 2)), as: "cut.dng")
    do {
      _ = try RawReader().read(path)
      Issue.record("half a file was read")
    } catch {
      guard case .truncated = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
