/// Mean absolute differences inside one small part of a mosaic, in counts.
struct ProbeWindow: Sendable {
  /// The common multiple of the periods 2, 4, 6 and 8.
  static let cell = 24
  /// Columns and rows of a window.
  static let side = 2 * cell
  /// Distances over which photosites are compared, besides direct neighbours.
  static let lags = [2, 4, 6, 8]
  /// Columns and rows read beyond a window.
  static let margin = 8
  /// Share of the white level from which a photosite counts as saturated.
  static let saturation: Float = 0.98
  /// Windows with more than one saturated photosite in this many are left out.
  private static let saturatedPart = 32

  /// Along one axis.
  struct Axis: Sendable {
    /// Between a photosite and the next one, by the place of the first in the 24x24 cell.
    var cell: [Double]
    /// Between direct neighbours, all places.
    var neighbours: Double
    /// Over each distance of ``ProbeWindow/lags``.
    var lags: [Double]
  }

  let place: (x: Int, y: Int)
  let x: Axis
  let y: Axis

  /// How much photosites of one colour differ, relative to direct neighbours.
  var busyness: Double {
    (0..<Self.lags.count).map { (x.lags[$0] + y.lags[$0]) / (x.neighbours + y.neighbours) }.min() ?? 0
  }

  /// Measures windows; those that are clipped or hold one value only are left out.
  static func measure(
    _ samples: Image<UInt16>, _ places: [(x: Int, y: Int)], saturated: Float, workers: Workers
  ) -> [ProbeWindow] {
    samples.withRows { rows in
      workers.map(count: places.count, scratch: { Tables() }) { index, tables in
        ProbeWindow(rows, places[index], saturated: saturated, &tables)
      }
    }.compactMap { $0 }
  }

  /// Sums of one window, reused from window to window.
  private struct Tables {
    /// Rows of the cell times columns of the window, for each axis.
    var x = [UInt32](repeating: 0, count: cell * side)
    var y = [UInt32](repeating: 0, count: cell * side)
  }

  private init?(
    _ rows: PixelRows<UInt16>, _ place: (x: Int, y: Int), saturated: Float, _ tables: inout Tables
  ) {
    let cell = Self.cell
    let side = Self.side
    for index in tables.x.indices {
      tables.x[index] = 0
      tables.y[index] = 0
    }
    var lagsX = [UInt32](repeating: 0, count: Self.lags.count)
    var lagsY = lagsX
    var clipped = 0
    let ceiling = UInt16(max(1, min(saturated, Float(UInt16.max))))
    tables.x.withUnsafeMutableBufferPointer { tableX in
      tables.y.withUnsafeMutableBufferPointer { tableY in
        for y in 0..<side {
          let row = rows.row(place.y + y) + place.x
          let first = y % cell * side
          Self.add(row, row + 1, to: tableX.baseAddress! + first)
          Self.add(row, row + rows.stride, to: tableY.baseAddress! + first)
          for (index, lag) in Self.lags.enumerated() {
            lagsX[index] += Self.sum(row, row + lag)
            lagsY[index] += Self.sum(row, row + lag * rows.stride)
          }
          for x in 0..<side where row[x] >= ceiling { clipped += 1 }
        }
      }
    }
    if clipped * Self.saturatedPart > side * side { return nil }
    self.place = place
    x = Self.axis(tables.x, lagsX)
    y = Self.axis(tables.y, lagsY)
    guard x.neighbours > 0, y.neighbours > 0 else { return nil }
  }

  private static func axis(_ table: [UInt32], _ lags: [UInt32]) -> Axis {
    let perPlace = Double(side / cell * side / cell)
    var folded = [Double](repeating: 0, count: cell * cell)
    for y in 0..<cell {
      for x in 0..<side { folded[y * cell + x % cell] += Double(table[y * side + x]) / perPlace }
    }
    return Axis(
      cell: folded, neighbours: folded.reduce(0, +) / Double(folded.count),
      lags: lags.map { Double($0) / Double(side * side) })
  }

  private static func add(
    _ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>, to table: UnsafeMutablePointer<UInt32>
  ) {
    for x in 0..<side { table[x] &+= UInt32(max(a[x], b[x]) &- min(a[x], b[x])) }
  }

  private static func sum(_ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>) -> UInt32 {
    var sum: UInt32 = 0
    for x in 0..<side { sum &+= UInt32(max(a[x], b[x]) &- min(a[x], b[x])) }
    return sum
  }
}
