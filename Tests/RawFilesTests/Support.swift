import Foundation
import ImageCore
import RawFiles
import TIFFTags
import TestSupport
import Testing

/// Files of one test, in a folder of their own.
struct Files {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

  func path(_ name: String) -> FilePath { FilePath(url(name).path) }

  @discardableResult
  func save(_ bytes: [UInt8], as name: String) throws -> FilePath {
    // In place: emptying a file that was just written makes some file systems wait for the disk.
    if !FileManager.default.fileExists(atPath: url(name).path) {
      _ = FileManager.default.createFile(atPath: url(name).path, contents: nil)
    }
    let handle = try FileHandle(forUpdating: url(name))
    defer { try? handle.close() }
    try handle.write(contentsOf: Data(bytes))
    try handle.truncate(atOffset: UInt64(bytes.count))
    return path(name)
  }

  @discardableResult
  func save(
    _ photo: RawPhoto, as name: String, preview: DNGPreview? = nil, metadata: DNGMetadata = DNGMetadata(),
    options: DNGWriteOptions = DNGWriteOptions(), resources: Resources = Resources()
  ) throws -> FilePath {
    _ = try report(
      photo, as: name, preview: preview, metadata: metadata, options: options, resources: resources)
    return path(name)
  }

  func report(
    _ photo: RawPhoto, as name: String, preview: DNGPreview? = nil, metadata: DNGMetadata = DNGMetadata(),
    options: DNGWriteOptions = DNGWriteOptions(), resources: Resources = Resources()
  ) throws -> DNGWriteReport {
    _ = FileManager.default.createFile(atPath: url(name).path, contents: nil)
    let handle = try FileHandle(forWritingTo: url(name))
    defer { try? handle.close() }
    return try DNGWriter.write(
      photo, preview: preview, metadata: metadata, options: options, to: handle.fileDescriptor, software: "tests",
      resources: resources)
  }

  func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }
}

/// A sample that is never 0 and differs from its neighbours.
func sample(_ x: Int, _ y: Int, plane: Int = 0, max: Int = 65535) -> UInt16 {
  UInt16(1 + (x * 7919 + y * 104_729 + plane * 1_299_709) % max)
}

/// A calibration with one row a colour and nothing that a fraction of 32 bits cannot hold.
func calibration(_ colours: [CFAColour]) -> ColourCalibration {
  let count = colours.count
  func matrix(_ rows: Int, _ columns: Int, _ seed: Int) -> Matrix {
    Matrix(
      rows: rows, columns: columns, values: (0..<rows * columns).map { Double(($0 * 37 + seed) % 19 - 9) / 8 })
  }
  let profiles = [17, 21].map { light in
    ColourCalibration.Profile(
      illuminant: .exif(light), colorMatrix: matrix(count, 3, light), forwardMatrix: matrix(3, count, light + 1),
      cameraCalibration: Matrix(diagonal: (0..<count).map { 1 + Double($0) / 16 }))
  }
  return ColourCalibration(
    colours: colours, profiles: profiles, analogBalance: (0..<count).map { 1 + Double($0) / 4 },
    asShotWhite: .neutral((0..<count).map { Double($0 + 4) / 8 }))
}

/// Facts, levels and everything else a DNG can carry around some pixels.
func photo(_ pixels: RawPhoto.Pixels, _ colours: [CFAColour]) -> RawPhoto {
  var facts = CaptureFacts()
  facts.make = "Maker"
  facts.model = "Model 5"
  facts.lens = "35 mm f/2"
  facts.exposureTime = 1.0 / 250
  facts.fNumber = 2.8
  facts.iso = 6400
  facts.focalLength = 35
  facts.dateTime = "2024:02:29 23:59:58"
  facts.exposureBias = -0.5
  facts.software = "tests"
  let size = pixels.size
  return RawPhoto(
    pixels: pixels, defaultCrop: PixelRect(x: 3, y: 2, width: size.width - 5, height: size.height - 7),
    userCrop: UnitRect(top: 0.125, left: 0.25, bottom: 0.75, right: 1), pixelAspect: 1.5,
    calibration: calibration(colours), baselineExposure: -0.25,
    noise: NoiseProfile(planes: colours.enumerated().map { .init(scale: 1e-5 * Double($0.0 + 1), offset: 3.3e-9) }),
    orientation: .rightMirrored, facts: facts)
}

/// A mosaic with a black level of every kind.
func mosaicPhoto(_ cfa: CFAPattern, _ size: PixelSize) -> RawPhoto {
  let black = BlackLevel(
    width: cfa.width, height: cfa.height,
    values: (0..<cfa.width * cfa.height).map { 256 + Float($0) / 4 },
    columnDeltas: (0..<size.width).map { Float($0 % 5) / 8 - 0.25 },
    rowDeltas: (0..<size.height).map { Float($0 % 3) / 4 - 0.5 })
  let levels = SensorLevels(black: black, white: [16383])
  let samples = Image<UInt16>(size) { sample($0, $1) }
  return photo(.mosaic(Mosaic(samples: samples, cfa: cfa, levels: levels)), cfa.distinctColours)
}

/// An uncompressed mosaic built tag by tag: strips of `rowsPerStrip` rows, one after the other, in order or reversed.
func handmadeDNG(
  _ size: PixelSize, rowsPerStrip: Int, bits: Int = 16, reversed: Bool = false, extra: [UInt16: TIFFValue] = [:]
) -> [UInt8] {
  let strips = stride(from: 0, to: size.height, by: rowsPerStrip).map { first -> [UInt8] in
    (first..<min(first + rowsPerStrip, size.height)).flatMap { packed(row: $0, size.width, bits) }
  }
  var tags = TIFFDirectoryWriter()
  let dataStart = 4096
  var data: [UInt8] = []
  var offsets = [UInt32](repeating: 0, count: strips.count)
  for index in reversed ? Array(strips.indices.reversed()) : Array(strips.indices) {
    offsets[index] = UInt32(dataStart + data.count)
    data += strips[index]
  }
  tags[254] = .longs([0])
  tags[256] = .longs([UInt32(size.width)])
  tags[257] = .longs([UInt32(size.height)])
  tags[258] = .shorts([UInt16(bits)])
  tags[259] = .shorts([1])
  tags[262] = .shorts([32803])
  tags[273] = .longs(offsets)
  tags[277] = .shorts([1])
  tags[278] = .longs([UInt32(rowsPerStrip)])
  tags[279] = .longs(strips.map { UInt32($0.count) })
  tags[33421] = .shorts([2, 2])
  tags[33422] = .bytes([0, 1, 1, 2])
  tags[50706] = .bytes([1, 4, 0, 0])
  for (tag, value) in extra { tags[tag] = value }
  let head = TIFFDirectoryWriter.header + tags.serialized(at: TIFFDirectoryWriter.header.count)
  precondition(head.count <= dataStart, "the tags need more room")
  return head + Array(repeating: 0, count: dataStart - head.count) + data
}

/// One row as DNG packs it: 8 and 16 bits as they are, other depths from the most significant bit on.
private func packed(row y: Int, _ width: Int, _ bits: Int) -> [UInt8] {
  let values = (0..<width).map { sample($0, y, max: 1 << bits - 1) }
  if bits == 16 { return values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
  var row = [UInt8](repeating: 0, count: (width * bits + 7) / 8)
  for (x, value) in values.enumerated() {
    for bit in 0..<bits where value >> UInt16(bits - 1 - bit) & 1 == 1 {
      let position = x * bits + bit
      row[position / 8] |= 128 >> UInt8(position % 8)
    }
  }
  return row
}

extension RawPhoto {
  var mosaic: Mosaic? { if case .mosaic(let mosaic) = pixels { mosaic } else { nil } }
  var linear: LinearPicture? { if case .linear(let picture) = pixels { picture } else { nil } }
}

extension RawReader {
  /// Why a file is refused; `nil` when it is read.
  func refusal(of path: FilePath) -> RawReadError? {
    do throws(RawReadError) {
      _ = try read(path)
      return nil
    } catch { return error }
  }
}

/// Writes and reads mosaics of these sizes with one and with three threads: the same samples, the same bytes.
func expectSameMosaics(_ name: String, _ sizes: [PixelSize], _ options: DNGWriteOptions) throws {
  let files = try Files()
  let cfa = try #require(CFAPattern(named: name))
  for size in sizes {
    var written = mosaicPhoto(cfa, size)
    written.defaultCrop = PixelRect(size)
    var bytes: [[UInt8]] = []
    for workers in [1, 3] {
      let resources = Resources(workers: Workers(count: workers))
      let path = try files.save(written, as: "a.dng", options: options, resources: resources)
      let read = try #require(try RawReader().read(path, resources: resources).mosaic)
      #expect(read.samples == written.mosaic?.samples, "\(size)")
      #expect(read.levels == written.mosaic?.levels, "\(size)")
      bytes.append(try files.bytes("a.dng"))
    }
    #expect(bytes[0] == bytes[1], "\(size): bytes differ by the number of threads")
  }
}
