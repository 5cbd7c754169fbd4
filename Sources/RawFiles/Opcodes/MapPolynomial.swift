import ImageCore

/// A curve for some samples of some planes. DNG 1.7, chapter 7, MapPolynomial.
struct MapPolynomial: Sendable, Hashable {
  let top: Int
  let left: Int
  let bottom: Int
  let right: Int
  /// The first plane concerned, and how many.
  let plane: Int
  let planes: Int
  /// Every how many rows and columns.
  let rowPitch: Int
  let columnPitch: Int
  /// Of the powers 0, 1, 2 … of a sample whose black is 0 and whose white is 1.
  let coefficients: [Double]

  /// The specification's limit.
  private static let maxDegree = 8

  init?(_ bytes: [UInt8]) {
    var reader = OpcodeReader(bytes)
    var integers: [Int] = []
    let leadingIntegers = 9
    for _ in 0..<leadingIntegers {
      guard let value = reader.integer() else { return nil }
      integers.append(value)
    }
    (top, left, bottom, right) = (integers[0], integers[1], integers[2], integers[3])
    (plane, planes, rowPitch, columnPitch) = (integers[4], integers[5], integers[6], integers[7])
    guard (0...Self.maxDegree).contains(integers[8]), rowPitch > 0, columnPitch > 0, planes > 0, bottom >= top,
      right >= left
    else { return nil }
    var coefficients: [Double] = []
    for _ in 0...integers[8] {
      guard let value = reader.double(), value.isFinite else { return nil }
      coefficients.append(value)
    }
    self.coefficients = coefficients
  }

  /// Counts → counts.
  ///
  /// - Parameters:
  ///   - black: count that stands for 0.
  ///   - white: count that stands for 1.
  func table(black: Float, white: Float) -> [UInt16] {
    let (zero, range) = (Double(black), Double(white - black))
    return (0...Int(UInt16.max)).map { count in
      let x = min(1, max(0, (Double(count) - zero) / range))
      let y = coefficients.reversed().reduce(0) { $0 * x + $1 }
      return UInt16(min(Double(UInt16.max), max(0, zero + min(1, max(0, y)) * range)).rounded())
    }
  }

  /// Puts the samples concerned through the table.
  func apply(_ tables: [[UInt16]], to samples: SamplePlane, planes total: Int, workers: Workers) {
    let rowsPerBand = 64
    let columns = samples.rowSamples / total
    let (last, end) = (min(bottom, samples.height), min(right, columns))
    workers.forEachBand(of: samples.height, rowsPerBand: rowsPerBand) { band in
      for y in band where y >= top && y < last && (y - top) % rowPitch == 0 {
        let row = samples.base + y * samples.stride
        for c in plane..<max(plane, min(plane + planes, total)) {
          tables[c].withUnsafeBufferPointer { table in
            for x in stride(from: left, to: end, by: columnPitch) {
              row[x * total + c] = table[Int(row[x * total + c])]
            }
          }
        }
      }
    }
  }
}

extension DNGReader {
  /// Puts samples through the file's curves.
  func apply(
    _ curves: [MapPolynomial], to pixels: inout RawPhoto.Pixels, _ workers: Workers
  ) throws(RawReadError) {
    guard !curves.isEmpty else { return }
    let levels = pixels.levels
    let planes = pixels.planes
    let black = levels.black
    guard black.width == 1, black.height == 1, black.columnDeltas.isEmpty, black.rowDeltas.isEmpty,
      Set(levels.white).count == 1 || planes > 1
    else {
      throw .unsupportedCodec("OpcodeList2 MapPolynomial over black levels that change from photosite to photosite")
    }
    for curve in curves {
      let tables = (0..<planes).map {
        curve.table(black: black.values[$0], white: levels.white[min($0, levels.white.count - 1)])
      }
      switch pixels {
      case .mosaic(let mosaic):
        var samples = mosaic.samples
        samples.withMutableRows { curve.apply(tables, to: SamplePlane($0), planes: planes, workers: workers) }
        pixels = .mosaic(Mosaic(samples: samples, cfa: mosaic.cfa, levels: levels))
      case .linear(let picture):
        var samples = picture.samples
        samples.withMutableRows { curve.apply(tables, to: SamplePlane($0), planes: planes, workers: workers) }
        pixels = .linear(LinearPicture(samples: samples, levels: levels))
      }
    }
  }
}
