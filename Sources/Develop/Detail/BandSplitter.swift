/// Rows of a plane, wherever each of them lies.
struct DetailRows {
  let base: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  @inline(__always)
  subscript(_ y: Int) -> UnsafeMutablePointer<Float> { base[y] }
}

/// One band's way over a tile: what is read, and where the band is known.
struct BandPass {
  /// Samples between the filter's taps.
  let step: Int
  /// Rows that are read, from the first on.
  let input: Range<Int>
  /// Columns and rows of the band.
  let columns: Range<Int>
  let rows: Range<Int>

  /// - Parameters:
  ///   - width: columns of the tile, its halo included.
  ///   - height: rows.
  init(_ band: Int, width: Int, height: Int) {
    step = 1 << band
    let (valid, reach) = (band == 0 ? 0 : DetailBands.reaches[band - 1], DetailBands.reaches[band])
    input = valid..<height - valid
    columns = reach..<width - reach
    rows = reach..<height - reach
  }

  /// The row of the band whose neighbours are both known once row `y` was read; `nil` when there is none.
  @inline(__always)
  func middle(_ y: Int) -> Int? {
    let row = y &- 2 &* step &- 1
    return row > rows.lowerBound ? row : nil
  }
}

/// Splits bands off one plane, row after row: only the rows that the filters need now are held, in the nearest cache.
struct BandSplitter {
  /// Rows that are spread along themselves: at least 4 steps of the coarsest band and one; a power of two.
  private static let spreadRows = 32
  /// Rows of the band: one and its neighbours; a power of two.
  private static let fineRows = 4
  static let rows = spreadRows + fineRows

  private let plane: DetailPlane

  /// - Parameter plane: memory of ``rows`` rows.
  init(_ plane: DetailPlane) { self.plane = plane }

  @inline(__always)
  private func spread(_ y: Int) -> UnsafeMutablePointer<Float> { plane.row(y & (Self.spreadRows &- 1)) }

  /// Row `y` of the band: the last three that were split off are held.
  @inline(__always)
  func fine(_ y: Int) -> UnsafeMutablePointer<Float> {
    plane.row(Self.spreadRows &+ (y & (Self.fineRows &- 1)))
  }

  /// Reads row `y`, the next of ``BandPass/input``, and splits the row off for which that was the last one missing.
  ///
  /// - Parameters:
  ///   - source: what is split.
  ///   - smooth: what is left of it; not the same plane.
  @inline(__always)
  func read(_ y: Int, of source: DetailRows, _ pass: BandPass, smooth: DetailRows) {
    DetailKernels.spread(source[y], step: pass.step, pass.columns, into: spread(y))
    let row = y &- 2 &* pass.step
    guard row >= pass.rows.lowerBound else { return }
    DetailKernels.split(
      source[row], spread(row &- 2 &* pass.step), spread(row &- pass.step), spread(row), spread(row &+ pass.step),
      spread(y), pass.columns, fine: fine(row), smooth: smooth[row])
  }
}
