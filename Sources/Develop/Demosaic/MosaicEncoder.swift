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
  private let mirrors: Bool
  /// Light above this is cut off before colours are mixed.
  private let ceiling: Float

  /// - Parameters:
  ///   - multipliers: one a colour of the pattern.
  ///   - clips: whether light is cut at 1, the level that every colour reaches. Where the least amplified colour is
  ///     saturated the others still rise; mixed with it they would draw coloured fringes around all that is clipped.
  init(_ mosaic: Mosaic, multipliers: [CFAColour: Double], clips: Bool) {
    self.mosaic = mosaic
    ceiling = (clips ? 1 : Float(UInt16.max)) + Self.offset
    let black = mosaic.levels.black
    let cfa = mosaic.cfa
    mirrors = cfa.isBayer
    let rows = black.height * cfa.height
    period = rows
    let white = mosaic.levels.white[0]
    let mean = black.mean
    blacks = (0..<rows).map { y in
      (0..<mosaic.size.width).map { x in
        black.values[(y % black.height) * black.width + x % black.width]
          + (black.columnDeltas.isEmpty ? 0 : black.columnDeltas[x])
      }
    }
    let cell = (0..<cfa.height).map { y in
      (0..<cfa.width).map { x in Float((multipliers[cfa[x, y]] ?? 1) / Double(max(1, white - mean))) }
    }
    // The scale follows each photosite's own black, so that white is full scale everywhere.
    gains = (0..<rows).map { y in
      (0..<mosaic.size.width).map { x in
        let level = black.values[(y % black.height) * black.width + x % black.width]
        return cell[y % cfa.height][x % cfa.width] * max(1, white - mean) / max(1, white - level)
      }
    }
  }

  /// Where a coordinate beyond the sensor is read: mirrored about the border photosite for Bayer, which keeps the
  /// phase; moved by whole periods for other patterns.
  private func inside(_ position: Int, _ count: Int, _ period: Int) -> Int {
    if position >= 0 && position < count { return position }
    if count < 2 { return 0 }
    if mirrors {
      let cycle = 2 * (count - 1)
      let wrapped = ((position % cycle) + cycle) % cycle
      return wrapped < count ? wrapped : cycle - wrapped
    }
    let steps =
      position < 0 ? (-position + period - 1) / period : -((position - count + period) / period)
    return min(count - 1, max(0, position + steps * period))
  }

  func encode(_ core: PixelRect, into tile: EncodedMosaicTile) {
    let size = mosaic.size
    let halo = TileGrid.halo
    let left = core.x - halo
    let count = core.width + 2 * halo
    let first = max(0, -left)
    let last = min(count, size.width - left)
    mosaic.samples.withRows { samples in
      for y in 0..<core.height + 2 * halo {
        let source = inside(core.y - halo + y, size.height, mosaic.cfa.height)
        let delta = mosaic.levels.black.rowDeltas.isEmpty ? 0 : mosaic.levels.black.rowDeltas[source]
        let out = tile.row(y)
        let counts = samples.row(source)
        blacks[source % period].withUnsafeBufferPointer { black in
          gains[source % period].withUnsafeBufferPointer { gain in
            let b = black.baseAddress!
            let g = gain.baseAddress!
            if last > first {
              Self.encodeRow(
                counts + (left + first), b + (left + first), g + (left + first), delta, out + first, last - first,
                ceiling)
            }
            for x in 0..<count where x < first || x >= last {
              let column = inside(left + x, size.width, mosaic.cfa.width)
              Self.encodeRow(counts + column, b + column, g + column, delta, out + x, 1, ceiling)
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func encodeRow(
    _ counts: UnsafePointer<UInt16>, _ black: UnsafePointer<Float>, _ gain: UnsafePointer<Float>, _ delta: Float,
    _ out: UnsafeMutablePointer<Float>, _ count: Int, _ ceiling: Float
  ) {
    for x in 0..<count {
      let light = (Float(counts[x]) - (black[x] + delta)) * gain[x] + offset
      let positive = light > 0 ? light : 0
      out[x] = (positive < ceiling ? positive : ceiling).squareRoot()
    }
  }
}
