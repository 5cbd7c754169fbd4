import CVector
import ImageCore

/// Stored counts → ``EncodedMosaicTile``: black level, saturation, white balance and the square root in one pass.
///
/// The square root makes photon noise equal everywhere and brings the data near to how it will be seen; demosaicing
/// in this domain gains several decibels over linear data.
struct MosaicEncoder: Sendable {
  /// Added before the root so that noise below black survives: `u = sqrt(x + offset)`. In units of saturation.
  static let offset: Float = 1.0 / 1024

  let mosaic: Mosaic
  /// Rows of the levels' and the pattern's common period.
  private let period: Int
  /// `period` rows of one black level and one gain a photosite column.
  private let blacks: [[Float]]
  private let gains: [[Float]]
  private let columns: MosaicBorder
  private let rows: MosaicBorder
  /// Light above this is cut off before colours are mixed.
  private let ceiling: Float

  /// - Parameters:
  ///   - multipliers: one a colour of the pattern.
  ///   - limit: light at which samples are cut; 1 is the level that every colour reaches. Where the least amplified
  ///     colour is saturated the others still rise; mixed with it they would draw coloured fringes around all that is
  ///     clipped. `nil` cuts nothing.
  ///   - noise: standard deviation of the noise of the root before white balance. Noise makes the mean of a root
  ///     smaller than the root of the mean; its square is added to the light, so that the light comes back.
  init(_ mosaic: Mosaic, multipliers: [CFAColour: Double], limit: Double?, noise: Double = 0) {
    self.mosaic = mosaic
    ceiling = (limit.map { Float($0) } ?? Float(UInt16.max)) + Self.offset
    let black = mosaic.levels.black
    let cfa = mosaic.cfa
    let clusters = ClusteredArray(cfa)
    columns = MosaicBorder(
      count: mosaic.size.width, period: cfa.width, cluster: clusters.map { ($0.side, $0.x % $0.side) })
    rows = MosaicBorder(
      count: mosaic.size.height, period: cfa.height, cluster: clusters.map { ($0.side, $0.y % $0.side) })
    let period = black.height * cfa.height
    self.period = period
    let white = mosaic.levels.white[0]
    let mean = black.mean
    let lift = Float(noise * noise) * max(1, white - mean)
    blacks = (0..<period).map { y in
      (0..<mosaic.size.width).map { x in
        black.values[(y % black.height) * black.width + x % black.width]
          + (black.columnDeltas.isEmpty ? 0 : black.columnDeltas[x]) - lift
      }
    }
    let cell = (0..<cfa.height).map { y in
      (0..<cfa.width).map { x in Float((multipliers[cfa[x, y]] ?? 1) / Double(max(1, white - mean))) }
    }
    // The scale follows each photosite's own black, so that white is full scale everywhere.
    gains = (0..<period).map { y in
      (0..<mosaic.size.width).map { x in
        let level = black.values[(y % black.height) * black.width + x % black.width]
        return cell[y % cfa.height][x % cfa.width] * max(1, white - mean) / max(1, white - level)
      }
    }
  }

  /// Encodes a tile with its halo; what lies beyond the sensor is read as ``MosaicBorder`` says.
  func encode(_ core: PixelRect, into tile: EncodedMosaicTile) {
    let halo = TileGrid.halo
    for y in 0..<core.height + 2 * halo {
      encodeRow(y: core.y - halo + y, x: core.x - halo, count: core.width + 2 * halo, into: tile.row(y))
    }
  }

  /// Encodes `count` photosites from column `x` of row `y` on; coordinates may lie beyond the sensor.
  func encodeRow(y: Int, x left: Int, count: Int, into out: UnsafeMutablePointer<Float>) {
    let source = rows.inside(y)
    let first = min(count, max(0, -left))
    let last = max(first, min(count, mosaic.size.width - left))
    withRow(source) { counts, black, gain, delta in
      let start = left + first
      if last > first {
        Self.encodeRow(counts + start, black + start, gain + start, delta, out + first, last - first, ceiling)
      }
      for beyond in [0..<first, last..<count] {
        for x in beyond {
          let column = columns.inside(left + x)
          Self.encodeRow(counts + column, black + column, gain + column, delta, out + x, 1, ceiling)
        }
      }
    }
  }

  /// Light itself (black 0, saturation 1 x the colour's multiplier, not cut off) of a part of a row on the sensor.
  func lightRow(y: Int, x: Int, count: Int, into out: UnsafeMutablePointer<Float>) {
    withRow(y) { counts, black, gain, delta in
      for column in 0..<count {
        out[column] = (Float(counts[x + column]) - (black[x + column] + delta)) * gain[x + column]
      }
    }
  }

  @inline(__always)
  private func withRow(
    _ y: Int,
    _ body: (UnsafePointer<UInt16>, UnsafePointer<Float>, UnsafePointer<Float>, _ delta: Float) -> Void
  ) {
    let delta = mosaic.levels.black.rowDeltas.isEmpty ? 0 : mosaic.levels.black.rowDeltas[y]
    mosaic.samples.withRows { samples in
      blacks[y % period].withUnsafeBufferPointer { black in
        gains[y % period].withUnsafeBufferPointer { gain in
          body(samples.row(y), black.baseAddress!, gain.baseAddress!, delta)
        }
      }
    }
  }

  @inline(__always)
  private static func encodeRow(
    _ counts: UnsafePointer<UInt16>, _ black: UnsafePointer<Float>, _ gain: UnsafePointer<Float>, _ delta: Float,
    _ out: UnsafeMutablePointer<Float>, _ count: Int, _ ceiling: Float
  ) {
    cv_light_roots_u16(counts, black, gain, delta, offset, ceiling, count, out)
  }
}
