import CVector

/// What the tiles of a reference tell of themselves at each level of its pyramid: the same for every picture that is laid
/// on it, so that it is found once for many.
///
/// - Source: Baker & Matthews 2004, "Lucas–Kanade 20 years on: a unifying framework", section 3.2: slopes are taken from
///   the picture that does not move.
public struct TileStructure: Sendable {
  /// Levels that tiles are refined at, from the finest on.
  private static let levels = 3
  /// Pixels on a window's side at least: coarse levels keep a few pixels.
  private static let leastSide = 12

  let reference: GreyPyramid
  /// Rows of the finest level from one that is looked at to the next.
  let rowStep: Int
  let columns: Int
  let rows: Int
  /// Row by row, from the finest level on.
  let windows: [[TileWindow]]

  /// - Parameters:
  ///   - rowStep: 2 looks at every other row of the finest level, for half the work and 1.4 times the error.
  /// - Complexity: each pixel of the finest three levels is looked at four times.
  public init(_ reference: GreyPyramid, rowStep: Int = 1, workers: Workers = .serial) {
    self.reference = reference
    self.rowStep = max(1, rowStep)
    let size = reference.levels[0].size
    let (columns, rows) = TileFlow.grid(size, spacing: TileAlignment.spacing)
    (self.columns, self.rows) = (columns, rows)
    let step = self.rowStep
    windows = (0..<min(Self.levels, reference.levels.count)).map { level in
      reference.levels[level].withRows { picture in
        workers.map(count: rows, scratch: { () }) { row, _ in
          (0..<columns).map { column in
            TileWindow(
              Self.window(level, column: column, row: row, in: picture), of: picture, rowStep: level == 0 ? step : 1)
          }
        }.flatMap { $0 }
      }
    }
  }

  /// Twice the spacing on a side around the tile's centre, as far as slopes are known.
  private static func window(_ level: Int, column: Int, row: Int, in picture: PixelRows<Float>) -> PixelRect {
    let scale = 1 / Float(1 << level)
    let spacing = TileAlignment.spacing
    let side = max(leastSide, 2 * spacing >> level)
    func range(_ index: Int, _ count: Int) -> Range<Int> {
      let start = Int((Float(index * spacing) + Float(spacing) / 2) * scale) - side / 2
      let (low, high) = (max(1, start), min(count - 1, start + side))
      // At the border no less than is summed side by side.
      let lowest = max(1, min(low, count - 1 - TileWindow.leastSide))
      return lowest..<max(lowest, max(high, min(count - 1, lowest + TileWindow.leastSide)))
    }
    let (x, y) = (range(column, picture.width), range(row, picture.height))
    return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }
}

/// One window of a reference and the sums of its slopes.
struct TileWindow: Sendable {
  /// Pixels on a side without which nothing can be told.
  static let leastSide = NormalSums.lanes

  let rect: PixelRect
  let rowStep: Int
  /// Squares and product of slopes, the mean slope taken out.
  private let xx: Float
  private let xy: Float
  private let yy: Float
  private let sumX: Float
  private let sumY: Float
  private let determinant: Float
  /// Of the matrix of squares: one over the variance of the shift found, per variance of a pixel.
  let smallerEigenvalue: Float

  init(_ rect: PixelRect, of picture: PixelRows<Float>, rowStep: Int) {
    (self.rect, self.rowStep) = (rect, rowStep)
    guard rect.width >= Self.leastSide, rect.height >= Self.leastSide else {
      (xx, xy, yy, sumX, sumY, determinant, smallerEigenvalue) = (0, 0, 0, 0, 0, 0, 0)
      return
    }
    let sums = withUnsafeTemporaryAllocation(of: Float.self, capacity: 5) { sums in
      cv_window_structure(
        picture.row(rect.y) + rect.x, picture.stride, rect.width, rect.height, rowStep, sums.baseAddress!)
      return (sums[0], sums[1], sums[2], sums[3], sums[4])
    }
    let inverse = Self.inverseCount(rect, rowStep)
    (sumX, sumY) = (sums.3, sums.4)
    let xx = sums.0 - sumX * sumX * inverse
    let xy = sums.1 - sumX * sumY * inverse
    let yy = sums.2 - sumY * sumY * inverse
    (self.xx, self.xy, self.yy) = (xx, xy, yy)
    determinant = xx * yy - xy * xy
    let half = (xx - yy) * 0.5
    smallerEigenvalue = max(0, (xx + yy) * 0.5 - (half * half + xy * xy).squareRoot())
  }

  private static func inverseCount(_ rect: PixelRect, _ rowStep: Int) -> Float {
    1 / Float(rect.width * ((rect.height + rowStep - 1) / rowStep))
  }

  /// How another picture differs when it is displaced.
  struct Match {
    /// The Gauss–Newton step, to be subtracted from the displacement.
    let step: (x: Float, y: Float)
    /// Mean squared difference, an offset of brightness taken out.
    let difference: Float
  }

  /// `nil` when the window leaves the other picture, or has structure in one direction only.
  func match(_ a: PixelRows<Float>, _ b: PixelRows<Float>, _ dx: Float, _ dy: Float) -> Match? {
    let (wholeX, wholeY) = (dx.rounded(.down), dy.rounded(.down))
    let (left, top) = (rect.x + Int(wholeX), rect.y + Int(wholeY))
    guard determinant > 0, left >= 0, top >= 0, left + rect.width < b.width, top + rect.height < b.height else {
      return nil
    }
    let sums = withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { sums in
      cv_window_residuals(
        a.row(rect.y) + rect.x, a.stride, b.row(top) + left, b.stride, dx - wholeX, dy - wholeY, rect.width,
        rect.height, rowStep, sums.baseAddress!)
      return (sums[0], sums[1], sums[2], sums[3])
    }
    let inverse = Self.inverseCount(rect, rowStep)
    let xr = sums.0 - sumX * sums.3 * inverse
    let yr = sums.1 - sumY * sums.3 * inverse
    return Match(
      step: ((yy * xr - xy * yr) / determinant, (xx * yr - xy * xr) / determinant),
      difference: (sums.2 - sums.3 * sums.3 * inverse) * inverse)
  }
}
