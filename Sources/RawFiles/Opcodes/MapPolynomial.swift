import ImageCore

/// A curve for some samples of some planes. DNG 1.7, chapter 7, MapPolynomial.
struct MapPolynomial: Sendable, Hashable {
  let area: OpcodeArea
  /// Of the powers 0, 1, 2 … of a sample whose black is 0 and whose white is 1.
  let coefficients: [Double]

  /// The specification's limit.
  private static let maxDegree = 8

  init?(_ bytes: [UInt8]) {
    var reader = OpcodeReader(bytes)
    guard let area = OpcodeArea(&reader), let degree = reader.integer(), (0...Self.maxDegree).contains(degree) else {
      return nil
    }
    self.area = area
    var coefficients: [Double] = []
    for _ in 0...degree {
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
    let (last, end) = (min(area.bottom, samples.height), min(area.right, columns))
    workers.forEachBand(of: samples.height, rowsPerBand: rowsPerBand) { band in
      for y in band where y >= area.top && y < last && (y - area.top) % area.rowPitch == 0 {
        let row = samples.base + y * samples.stride
        for c in area.planes(of: total) {
          tables[c].withUnsafeBufferPointer { table in
            for x in stride(from: area.left, to: end, by: area.columnPitch) {
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
