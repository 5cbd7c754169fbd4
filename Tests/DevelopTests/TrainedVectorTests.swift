import Foundation
import ImageCore
import Testing

@testable import Develop

/// The integer stages against an independent implementation (`Training/emulate.py`), exactly.
struct TrainedVectorTests {
  /// A mosaic of codes and what must come of it: `Training/README.md`, "Test vectors".
  struct Vector {
    let pattern: TrainedPattern
    let size: PixelSize
    let mosaic: [Int16]
    /// Results in the order of the file, each of three planes.
    let results: [[Int16]]
    /// Class of every pixel, for class tables.
    let classes: [Int16]

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Vectors")

    /// The tables with vectors, by what they are for.
    static func names(_ kinds: String...) -> [String] {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return files.map { $0.replacingOccurrences(of: ".bin", with: "") }.sorted()
        .filter { name in kinds.contains { name.hasSuffix($0) } }
    }

    init(_ name: String) throws {
      let data = try Data(contentsOf: Self.folder.appendingPathComponent("\(name).bin"))
      func integers(_ count: Int, at offset: Int) -> [Int16] {
        data.withUnsafeBytes { bytes in
          (0..<count).map {
            Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 2 * $0, as: Int16.self))
          }
        }
      }
      let header = data.withUnsafeBytes { bytes in
        (0..<3).map { Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 + 4 * $0, as: Int32.self)) }
      }
      pattern = try #require(TrainedPattern(rawValue: header[0]))
      size = PixelSize(width: Int(header[2]), height: Int(header[1]))
      let area = size.area
      mosaic = integers(area, at: 20)
      var at = 20 + 2 * area
      var results = [integers(3 * area, at: at)]
      at += 6 * area
      if name.contains(".class") {
        classes = integers(area, at: at)
        at += 2 * area
        results += [integers(3 * area, at: at), integers(3 * area, at: at + 6 * area)]
        at += 12 * area
      } else {
        classes = []
      }
      self.results = results
      #expect(at == data.count, "\(name) has \(data.count) bytes, \(at) expected")
    }

    /// The mosaic with `blocks` blocks of mirrored surroundings.
    func padded(_ blocks: Int) -> (samples: [Int16], wide: Int, high: Int) {
      let side = Int(pattern.rawValue) / 2
      let columns = MosaicBorder(count: size.width, period: 2 * side, cluster: (side, 0))
      let rows = MosaicBorder(count: size.height, period: 2 * side, cluster: (side, 0))
      let margin = 4 * blocks
      var samples: [Int16] = []
      for y in -margin..<size.height + margin {
        for x in -margin..<size.width + margin {
          samples.append(mosaic[rows.inside(y) * size.width + columns.inside(x)])
        }
      }
      return (samples, size.width / 4 + 2 * blocks, size.height / 4 + 2 * blocks)
    }
  }

  @Test(arguments: Vector.names(".net", ".fast"))
  func networksComputeWhatTheirTablesSay(name: String) throws {
    let vector = try Vector(name)
    let kind: TableKind = name.hasSuffix(".fast") ? .leastSquares : .network
    let sigma = try #require(Int32(name.split(separator: "-")[1].prefix(2)))
    let table = try #require(NetworkTable(vector.pattern, sigma: sigma, kind))
    let network = BlockNetwork(table, vector.pattern)
    var (samples, wide, high) = vector.padded(network.reach)
    var result = Array(repeating: Int16(0), count: 3 * vector.size.area)
    samples.withUnsafeMutableBufferPointer { codes in
      result.withUnsafeMutableBufferPointer { planes in
        network.run(
          CodeTile(base: codes.baseAddress!, stride: 4 * wide, blocksWide: wide, blocksHigh: high),
          into: ColourTile(base: planes.baseAddress!, stride: vector.size.width, rows: vector.size.height),
          scratch: NetworkScratch(blocks: wide, network))
      }
    }
    let expected = vector.results[0]
    let wrong = result.indices.filter { result[$0] != expected[$0] }
    let first = wrong.first.map { index in
      let (plane, place) = index.quotientAndRemainder(dividingBy: vector.size.area)
      return
        "colour \(plane) at (\(place % vector.size.width), \(place / vector.size.width)) is \(result[index]), not \(expected[index])"
    }
    #expect(wrong.isEmpty, "\(name): \(wrong.count) of \(result.count) values differ; \(first ?? "")")
  }
}

struct RefinementVectorTests {
  /// Classes are found in single precision here and in double there, so that a pixel in a thousand may differ where it
  /// lies on a border between classes.
  static let differingClasses = 0.001

  @Test(arguments: TrainedVectorTests.Vector.names(".class"))
  func theSecondStageComputesWhatItsTableSays(name: String) throws {
    let vector = try TrainedVectorTests.Vector(name)
    let sigma = try #require(Int32(name.split(separator: "-")[1].prefix(2)))
    let network = BlockNetwork(
      try #require(NetworkTable(vector.pattern, sigma: sigma, .network)), vector.pattern)
    let refinement = ClassRefinement(try #require(ClassTable(vector.pattern, sigma: sigma)), vector.pattern)
    let margin = ClassRefinement.margin
    var (samples, wide, high) = vector.padded(network.reach + margin / 4)
    let (width, height) = (vector.size.width + 2 * margin, vector.size.height + 2 * margin)
    samples += Array(repeating: 0, count: 16)
    var first = Array(repeating: Int16(0), count: 3 * width * height + 16)
    var final = first
    let scratch = RefinementScratch(width: width, height: height)
    samples.withUnsafeMutableBufferPointer { codes in
      first.withUnsafeMutableBufferPointer { first in
        final.withUnsafeMutableBufferPointer { final in
          let picture = ColourTile(base: first.baseAddress!, stride: width, rows: height)
          network.run(
            CodeTile(base: codes.baseAddress!, stride: 4 * wide, blocksWide: wide, blocksHigh: high), into: picture,
            scratch: NetworkScratch(blocks: wide, network))
          let corner = 4 * network.reach * (4 * wide + 1)
          refinement.run(
            picture, width: width, height: height, codes: codes.baseAddress! + corner, codeStride: 4 * wide,
            into: ColourTile(base: final.baseAddress!, stride: width, rows: height), scratch: scratch)
        }
      }
    }
    var wrong: [String] = []
    let expected = vector.results[sigma == 0 ? 2 : 1]
    for plane in 0..<3 {
      for y in 0..<vector.size.height {
        for x in 0..<vector.size.width {
          let found = final[(plane * height + y + margin) * width + x + margin]
          let wanted = expected[(plane * vector.size.height + y) * vector.size.width + x]
          // Blending rounds once, in single precision here.
          if abs(Int(found) - Int(wanted)) > 1 {
            wrong.append("colour \(plane) at (\(x), \(y)) is \(found), not \(wanted)")
          }
        }
      }
    }
    let share = Double(wrong.count) / Double(3 * vector.size.area)
    // A pixel of another class reaches the medians of its neighbours.
    #expect(share <= 25 * Self.differingClasses, "\(name): \(wrong.count) values differ; \(wrong.prefix(3))")
  }

  @Test func everyTableHasVectors() {
    for pattern in TrainedPattern.allCases {
      for (kind, suffix) in [(TableKind.network, "net"), (.leastSquares, "fast"), (.classes, "class")] {
        for sigma in TableLibrary.levels(period: pattern.rawValue, kind) {
          let name = "\(pattern)-\(sigma < 10 ? "0" : "")\(sigma).\(suffix)"
          #expect(TrainedVectorTests.Vector.names(suffix).contains(name), "no test vector for \(name)")
        }
      }
    }
  }

  @Test func mediansAreTheMiddleOfSortedWindows() {
    let (width, height) = (45, 9)
    var state: UInt32 = 5
    var samples = (0..<3 * width * height + 16).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int16(truncatingIfNeeded: Int32(state >> 18) % (state & 7 == 0 ? 4 : 9000))
    }
    let median = ChromaMedian(width: width)
    median.start(at: 0)
    var row = Array(repeating: Int16(0), count: width + 32)
    samples.withUnsafeMutableBufferPointer { values in
      let picture = ColourTile(base: values.baseAddress!, stride: width, rows: height)
      for y in 2..<height - 2 {
        row.withUnsafeMutableBufferPointer {
          median.find(y, 2, of: picture, width: width, into: $0.baseAddress!)
        }
        for x in 2..<width - 2 {
          var window: [Int16] = []
          for dy in -2...2 {
            for dx in -2...2 { window.append(picture.row(2, y + dy)[x + dx] &- picture.row(1, y + dy)[x + dx]) }
          }
          let expected = window.sorted()[12]
          #expect(row[x] == expected, "median at (\(x), \(y)) is \(row[x]), not \(expected)")
        }
      }
    }
  }
}
