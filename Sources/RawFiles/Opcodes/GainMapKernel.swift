import ImageCore

/// Multiplies the samples above black of a part of a picture by a map's gains, clipped at white.
///
/// Sample coordinates are those of the active area. DNG 1.7, chapter 7: opcodes of lists 2 and 3 see values with black
/// taken off and white as 1.
struct GainMapKernel: Sendable {
  /// Samples on a regular grid that take their gains from one plane of the map.
  private struct Sites: Sendable {
    var firstRow: Int
    var rowStep: Int
    var firstColumn: Int
    var columnStep: Int
    var plane: Int
    var mapPlane: Int
    /// For each column the map's first point and the weight of the second.
    var points: [Int32]
    var weights: [Float]
    /// The black level of each column, without the rows' deltas, for each row of the black level's cell.
    var blacks: [[Float]]
  }

  private let map: GainMap
  private let sites: [Sites]
  private let size: PixelSize
  private let samples: Int
  private let levels: SensorLevels

  /// For planes as stored.
  ///
  /// - Parameter samples: interleaved planes of the picture.
  init(_ map: GainMap, size: PixelSize, samples: Int, levels: SensorLevels) {
    let planes = map.area.planes(of: samples)
    let sites = planes.compactMap { plane in
      Self.sites(
        map, size, levels.black, plane: plane, mapPlane: min(plane - map.area.plane, map.mapPlanes - 1),
        row: map.area.top,
        column: map.area.left,
        rowStep: map.area.rowPitch, columnStep: map.area.columnPitch)
    }
    self.init(map, sites, size, samples, levels)
  }

  /// For the colours that pixels will have after demosaicing, applied to the photosites of each colour: the same up to
  /// how much the gains change within a few pixels.
  ///
  /// - Parameter colours: the order of the colour planes.
  init(_ map: GainMap, size: PixelSize, cfa: CFAPattern, colours: [CFAColour], levels: SensorLevels) {
    var sites: [Sites] = []
    for y in 0..<cfa.height {
      for x in 0..<cfa.width {
        guard let plane = colours.firstIndex(of: cfa[map.area.left + x, map.area.top + y]),
          (map.area.plane..<map.area.plane + map.area.planes).contains(plane)
        else { continue }
        let place = Self.sites(
          map, size, levels.black, plane: 0, mapPlane: min(plane - map.area.plane, map.mapPlanes - 1),
          row: map.area.top + y,
          column: map.area.left + x, rowStep: cfa.height, columnStep: cfa.width)
        if let place { sites.append(place) }
      }
    }
    self.init(map, sites, size, 1, levels)
  }

  private init(_ map: GainMap, _ sites: [Sites], _ size: PixelSize, _ samples: Int, _ levels: SensorLevels) {
    (self.map, self.sites, self.size, self.samples, self.levels) = (map, sites, size, samples, levels)
  }

  private static func sites(
    _ map: GainMap, _ size: PixelSize, _ black: BlackLevel, plane: Int, mapPlane: Int, row: Int, column: Int,
    rowStep: Int, columnStep: Int
  ) -> Sites? {
    let columns = Array(stride(from: column, to: min(map.area.right, size.width), by: columnStep))
    guard !columns.isEmpty, row < min(map.area.bottom, size.height) else { return nil }
    let places = columns.map {
      GainMap.place($0, of: size.width, points: map.columns, spacing: map.columnSpacing, origin: map.columnOrigin)
    }
    let blacks = (0..<black.height).map { y in
      let delta = black.rowDeltas.isEmpty ? 0 : black.rowDeltas[y]
      return columns.map { black.value(x: $0, y: y, plane: plane) - delta }
    }
    return Sites(
      firstRow: row, rowStep: rowStep, firstColumn: column, columnStep: columnStep, plane: plane, mapPlane: mapPlane,
      points: places.map { Int32($0.0) }, weights: places.map(\.1), blacks: blacks)
  }

  /// Rows of one tile of work.
  private static let rowsPerBand = 64

  func apply(to plane: SamplePlane, workers: Workers) {
    workers.forEachBand(of: size.height, rowsPerBand: Self.rowsPerBand) { band in
      for site in sites {
        let skipped = max(0, band.lowerBound - site.firstRow + site.rowStep - 1) / site.rowStep
        let first = site.firstRow + skipped * site.rowStep
        for y in stride(from: first, to: min(band.upperBound, map.area.bottom), by: site.rowStep) {
          applyRow(y, site, plane.base + y * plane.stride)
        }
      }
    }
  }

  private func applyRow(_ y: Int, _ site: Sites, _ row: UnsafeMutablePointer<UInt16>) {
    let (point, weight) = GainMap.place(
      y, of: size.height, points: map.rows, spacing: map.rowSpacing, origin: map.rowOrigin)
    let below = min(point + 1, map.rows - 1)
    var line = (0..<map.columns).map { column in
      let (upper, lower) = (gain(point, column, site.mapPlane), gain(below, column, site.mapPlane))
      return upper + (lower - upper) * weight
    }
    line.append(line[map.columns - 1])
    let white = levels.white[min(site.plane, levels.white.count - 1)]
    let delta = levels.black.rowDeltas.isEmpty ? 0 : levels.black.rowDeltas[y]
    let start = row + site.firstColumn * samples + site.plane
    let step = site.columnStep * samples
    line.withUnsafeBufferPointer { line in
      site.blacks[y % levels.black.height].withUnsafeBufferPointer { blacks in
        site.points.withUnsafeBufferPointer { points in
          site.weights.withUnsafeBufferPointer { weights in
            for index in points.indices {
              let point = Int(points[index])
              let factor = line[point] + (line[point + 1] - line[point]) * weights[index]
              let black = blacks[index] + delta
              let place = start + index * step
              let value = min((Float(place[0]) - black) * factor + black, white)
              // Half a count up and cut is rounding: the value is not negative.
              place[0] = UInt16(max(0, min(value, Float(UInt16.max))) + 0.5)
            }
          }
        }
      }
    }
  }

  private func gain(_ row: Int, _ column: Int, _ plane: Int) -> Float {
    map.gains[(row * map.columns + column) * map.mapPlanes + plane]
  }
}

extension GainMapKernel {
  /// How many bits counts can grow by and still fit 16: products with gains are rounded to counts, and finer counts
  /// lose less.
  static func spareBits(_ levels: SensorLevels) -> Int {
    var bits = 0
    let most = levels.white.max() ?? 0
    while most > 0, most * Float(2 << bits) <= Float(UInt16.max) { bits += 1 }
    return bits
  }

  /// Multiplies all samples by `2^bits`, clipped to 16 bits.
  static func widen(_ plane: SamplePlane, bits: Int, workers: Workers) {
    workers.forEachBand(of: plane.height, rowsPerBand: rowsPerBand) { band in
      for y in band {
        let row = plane.base + y * plane.stride
        for x in 0..<plane.rowSamples {
          row[x] = UInt16(truncatingIfNeeded: min(UInt32(row[x]) &<< UInt32(bits), UInt32(UInt16.max)))
        }
      }
    }
  }
}

extension SensorLevels {
  /// The levels of samples multiplied by `2^bits`.
  func widened(bits: Int) -> SensorLevels {
    let factor = Float(1 << bits)
    return SensorLevels(
      black: BlackLevel(
        width: black.width, height: black.height, planes: black.planes, values: black.values.map { $0 * factor },
        columnDeltas: black.columnDeltas.map { $0 * factor }, rowDeltas: black.rowDeltas.map { $0 * factor }),
      white: white.map { $0 * factor })
  }
}
