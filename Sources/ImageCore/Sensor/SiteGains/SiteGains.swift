/// What makes the photosites of one cluster equal: a factor for each site of the pattern's cell, as a map of zones.
///
/// The photosites of a quad, nona or hexadeca cluster share their colour but not their optical stack: cross-talk from
/// the neighbouring colours and a common micro-lens make them differ by per cents, in a way that changes over the
/// field. Left in, it shows as a maze of the cluster's period in a full-size picture. The factors of one cluster leave
/// its mean as it is.
public struct SiteGains: Sendable, Hashable {
  /// Columns and rows of the mosaic these gains were measured on.
  public let size: PixelSize
  /// Photosites after which the sites repeat, in both directions: 4 for quad, 6 for nona, 8 for hexadeca.
  public let period: Int
  /// Zones across and down; each has its own factors at its centre.
  public let zones: PixelSize
  /// Factors of the signal above black: zone by zone, then row by row of the cell that starts at the first photosite.
  public let factors: [Float]

  /// Gains from factors; `zones.area * period * period` of them.
  public init(size: PixelSize, period: Int, zones: PixelSize, factors: [Float]) {
    precondition((1...CFAPattern.maxPeriod).contains(period) && zones.width > 0 && zones.height > 0, "no such map")
    precondition(factors.count == zones.area * period * period, "a map has a factor for each site of each zone")
    self.size = size
    self.period = period
    self.zones = zones
    self.factors = factors
  }

  /// The largest distance of a factor from 1.
  public var largest: Float { factors.map { abs($0 - 1) }.max() ?? 0 }

  /// Writes the factors of photosites `columns` of row `y`: multiply the signal above black by them.
  ///
  /// Between the centres of zones factors are interpolated in both directions; a photosite's factor does not depend on
  /// the range that is asked for.
  ///
  /// - Parameters:
  ///   - columns: inside the mosaic.
  ///   - out: room for `columns.count` factors.
  /// - Complexity: O(columns), plus about 100 operations.
  public func fill(row y: Int, columns: Range<Int>, into out: UnsafeMutablePointer<Float>) {
    let (upper, lower, below) = Self.place(Float(y), length: size.height, count: zones.height)
    let line = (y % period) * period
    let scale = Float(zones.width) / Float(size.width)
    let half: Float = 0.5
    var x = columns.lowerBound
    while x < columns.upperBound {
      let (left, right, _) = Self.place(Float(x), length: size.width, count: zones.width)
      // The stretch that interpolates between the same two zones.
      let isLast = left == right && left == zones.width - 1
      let next = isLast ? columns.upperBound : Int((Float(left == right ? left : right) + half) / scale - half) + 1
      let end = max(x + 1, min(columns.upperBound, next))
      let centre = (Float(left) + half) / scale - half
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * Self.stretch) { buffer in
        let start = buffer.baseAddress!
        let slope = start + Self.stretch
        for index in 0..<Self.stretch {
          let site = line + (x + index) % period
          let a = factor(left, upper, site) + (factor(left, lower, site) - factor(left, upper, site)) * below
          let b = factor(right, upper, site) + (factor(right, lower, site) - factor(right, upper, site)) * below
          slope[index] = (b - a) * scale
          start[index] = a - slope[index] * centre
        }
        Self.interpolate(start, slope, x..<end, out + (x - columns.lowerBound))
      }
      x = end
    }
  }

  /// A common multiple of the periods, so that a stretch of factors always begins at the same site.
  private static let stretch = 24

  private static func interpolate(
    _ start: UnsafePointer<Float>, _ slope: UnsafePointer<Float>, _ columns: Range<Int>,
    _ out: UnsafeMutablePointer<Float>
  ) {
    var x = 0
    while x &+ stretch <= columns.count {
      for index in 0..<stretch {
        out[x &+ index] =
          start[index] + slope[index] * Float(Int32(truncatingIfNeeded: columns.lowerBound &+ x &+ index))
      }
      x &+= stretch
    }
    for index in 0..<(columns.count - x) {
      out[x + index] = start[index] + slope[index] * Float(Int32(truncatingIfNeeded: columns.lowerBound + x + index))
    }
  }

  private func factor(_ column: Int, _ row: Int, _ site: Int) -> Float {
    factors[(row * zones.width + column) * period * period + site]
  }

  /// The zones on both sides of a photosite, and how far it is from the first one's centre to the second one's.
  private static func place(_ position: Float, length: Int, count: Int) -> (Int, Int, Float) {
    let half: Float = 0.5
    let zone = (position + half) * Float(count) / Float(length) - half
    if zone <= 0 { return (0, 0, 0) }
    let first = min(count - 1, Int(zone))
    if first == count - 1 { return (first, first, 0) }
    return (first, first + 1, zone - Float(first))
  }

  /// The mosaic with equal photosites, in one pass. Clipped photosites stay as they are.
  ///
  /// - Parameter mosaic: of ``size``.
  public func applied(to mosaic: Mosaic, resources: Resources = Resources()) -> Mosaic {
    precondition(mosaic.size == size, "gains of \(size) do not fit a mosaic of \(mosaic.size)")
    let levels = mosaic.levels
    let white = levels.white[0]
    let rowsPerBand = 64
    var samples = Image<UInt16>(uninitialized: size, in: resources.pool)
    mosaic.samples.withRows { from in
      samples.withMutableRows { to in
        resources.workers.forEachBand(of: size.height, rowsPerBand: rowsPerBand) { band in
          var gains = [Float](repeating: 1, count: size.width)
          var black = gains
          for y in band {
            gains.withUnsafeMutableBufferPointer { fill(row: y, columns: 0..<size.width, into: $0.baseAddress!) }
            for x in 0..<size.width { black[x] = levels.black.value(x: x, y: y) }
            Self.applyRow(from.row(y), gains, black, white, into: to.row(y))
          }
        }
      }
    }
    return Mosaic(samples: samples, cfa: mosaic.cfa, levels: levels)
  }

  private static func applyRow(
    _ counts: UnsafePointer<UInt16>, _ gains: [Float], _ black: [Float], _ white: Float,
    into out: UnsafeMutablePointer<UInt16>
  ) {
    let half: Float = 0.5  // rounds to the nearest count, halves up
    for x in gains.indices {
      let count = Float(counts[x])
      let corrected = black[x] + (count - black[x]) * gains[x] + half
      out[x] = count >= white ? counts[x] : UInt16(max(0, min(corrected, Float(UInt16.max))))
    }
  }
}
