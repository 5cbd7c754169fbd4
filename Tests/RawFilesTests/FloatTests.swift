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

  @Test("Rows are packed and unpacked without loss, over any reach", arguments: [1, 2, 3, 4, 12])
  func rows(reach: Int) {
    let count = 37
    var bits = (0..<count).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435_761) }
    let before = bits
    var packed = [UInt8](repeating: 0, count: count * 4)
    FloatRows.pack(&bits, count: count, reach: reach, into: &packed)
    // The first bytes are the most significant ones of the first samples.
    for x in 0..<min(reach, count) { #expect(packed[x] == UInt8(before[x] >> 24)) }
    FloatRows.unpack(&packed, count: count, reach: reach, into: &bits)
    #expect(bits == before)
  }

  @Test("Uncompressed tiles of others, in either byte order", arguments: [true, false])
  func foreign(littleEndian: Bool) throws {
    let files = try Files()
    let (width, height, side) = (37, 21, 16)
    func value(_ x: Int, _ y: Int) -> Float { Float((x * 31 + y * 17) % 97) / 97 }
    let across = (width + side - 1) / side
    let tiles = (0..<across * ((height + side - 1) / side)).map { tile in
      (0..<side * side).flatMap { index -> [UInt8] in
        let bits = value(tile % across * side + index % side, tile / across * side + index / side).bitPattern
        let little = (0..<4).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
        return littleEndian ? little : little.reversed()
      }
    }
    let bytes = ForeignDNG(littleEndian: littleEndian, isBig: false).file(
      width: width, height: height, tiles: tiles,
      rawExtra: [
        .init(tag: 258, type: 3, values: [32]), .init(tag: 259, type: 3, values: [1]),
        .init(tag: 339, type: 3, values: [3]), .init(tag: 50714, type: 5, values: [0, 1]),
        .init(tag: 50717, type: 4, values: [1]),
      ], sample: { _, _ in 0 })
    let read = try #require(try RawReader().read(try files.save(bytes, as: "a.dng")).mosaic)
    let linear = LinearMosaic(normalizing: read)
    for y in 0..<height {
      for x in 0..<width {
        #expect(abs(linear.plane[x, y] - value(x, y)) < 1e-5, "(\(x), \(y)): \(linear.plane[x, y])")
      }
    }
  }

  @Test("Deflated tiles that hold something else, or claim to be huge, are errors")
  func damagedTiles() throws {
    let files = try Files()
    let tile = (0..<400).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let tags: [ForeignDNG.Entry] = [
      .init(tag: 258, type: 3, values: [32]), .init(tag: 259, type: 3, values: [8]),
      .init(tag: 317, type: 3, values: [3]), .init(tag: 339, type: 3, values: [3]),
      .init(tag: 50714, type: 5, values: [0, 1]), .init(tag: 50717, type: 4, values: [1]),
    ]
    let sizes: [[ForeignDNG.Entry]] = [
      [], [.init(tag: 322, type: 4, values: [1 << 20]), .init(tag: 323, type: 4, values: [1 << 20])],
    ]
    for extra in sizes {
      let bytes = ForeignDNG(littleEndian: true, isBig: false).file(
        width: 16, height: 16, tiles: [tile], rawExtra: tags + extra, sample: { _, _ in 0 })
      let path = try files.save(bytes, as: "a.dng")
      #expect(throws: RawReadError.self) { try RawReader().read(path) }
    }
  }
}
