import CVector

/// Refines the displacement of each tile of a picture on its own.
///
/// From coarse to fine, each tile takes a few Gauss–Newton steps over a window of twice its side; tiles without
/// structure in both directions, with steps that do not pay or that jump, inherit from their neighbours.
///
/// - Source: Lucas & Kanade 1981; Hasinoff et al. 2016, "Burst photography for high dynamic range and low-light
///   imaging on mobile cameras", section 4, for the pyramid of tiles.
public struct TileAlignment: Sendable {
  /// Pixels of the finest level from tile to tile.
  public static let spacing = 16
  private static let levels = 3
  private static let steps = 4
  /// Pixels of a level by which a tile may leave what the level above says.
  private static let reach: Float = 2
  /// The smaller eigenvalue of a tile's structure relative to noise is one over the variance of the shift found: a
  /// fifth of a pixel is the worst that counts as found.
  private static let leastStructure: Float = 25
  /// Structure, in units of the least, at which a tile is trusted half.
  private static let fullTrust: Float = 4
  /// The difference must shrink by this factor to be worth a move.
  private static let gain: Float = 0.97
  /// Weight of the neighbours' and the whole picture's motion against a tile's own.
  private static let neighbours: Float = 0.5
  private static let whole: Float = 0.05

  private let reference: GreyPyramid
  private let other: GreyPyramid
  /// Variance of the difference of two pixels of the finest level.
  private let noise: Float
  /// Rows of the finest level from one that is looked at to the next.
  private let rowStep: Int

  /// - Parameters:
  ///   - noise: variance of a pixel's difference between the pictures when they are in register.
  ///   - rowStep: 2 looks at every other row of the finest level, for half the work and 1.4 times the error.
  public init(reference: GreyPyramid, other: GreyPyramid, noise: Float, rowStep: Int = 1) {
    (self.reference, self.other, self.noise, self.rowStep) = (reference, other, noise, max(1, rowStep))
  }

  /// The flow, starting from the motion of the whole picture.
  public func flow(from motion: SimilarityMotion, workers: Workers = .serial) -> TileFlow {
    let size = reference.levels[0].size
    let global = TileFlow(motion, size: size, spacing: Self.spacing)
    var flow = global
    let coarsest = min(Self.levels, reference.levels.count) - 1
    for level in (0...max(0, coarsest)).reversed() { refine(&flow, global, level, workers) }
    return flow
  }

  private func refine(_ flow: inout TileFlow, _ global: TileFlow, _ level: Int, _ workers: Workers) {
    let columns = flow.columns
    let found = TileSlots(repeating: [Match](), count: flow.rows)
    let start = flow
    reference.levels[level].withRows { a in
      other.levels[level].withRows { b in
        workers.forEach(tiles: start.rows) { row in
          found[row] = (0..<columns).map { column in
            let index = row * columns + column
            return match(a, b, level, column: column, row: row, dx: start.x[index], dy: start.y[index])
          }
        }
      }
    }
    let matches = found.values.flatMap { $0 }
    smooth(&flow, matches, global)
  }

  /// A tile's displacement in pixels of the finest level, and how much it is to be trusted.
  private struct Match: Sendable {
    var x: Float
    var y: Float
    var weight: Float
  }

  private func match(
    _ a: PixelRows<Float>, _ b: PixelRows<Float>, _ level: Int, column: Int, row: Int, dx: Float, dy: Float
  ) -> Match {
    let scale = 1 / Float(1 << level)
    // Windows keep their size in pixels of the finest level down to a few pixels of coarse ones.
    let side = max(12, 2 * Self.spacing >> level)
    let centreX = (Float(column * Self.spacing) + Float(Self.spacing) / 2) * scale
    let centreY = (Float(row * Self.spacing) + Float(Self.spacing) / 2) * scale
    let window = PixelRect(x: Int(centreX) - side / 2, y: Int(centreY) - side / 2, width: side, height: side)
      .intersection(PixelRect(x: 1, y: 1, width: a.width - 2, height: a.height - 2))
    let rest = Match(x: dx, y: dy, weight: 0)
    guard window.width >= 6, window.height >= 6 else { return rest }
    var (x, y) = (dx * scale, dy * scale)
    let rowStep = level == 0 ? rowStep : 1
    guard let first = TileEquations(a, b, window, x, y, rowStep: rowStep) else { return rest }
    let levelNoise = noise * (level == 0 ? 1 : scale * scale)
    let structure = first.smallerEigenvalue / (levelNoise * Self.leastStructure)
    guard structure > 1 else { return rest }
    let trust = structure / (structure + Self.fullTrust)
    var equations = first
    for _ in 0..<Self.steps {
      let step = equations.step
      x -= step.x
      y -= step.y
      guard abs(x - dx * scale) <= Self.reach, abs(y - dy * scale) <= Self.reach,
        let next = TileEquations(a, b, window, x, y, rowStep: rowStep)
      else { return rest }
      equations = next
      if step.x * step.x + step.y * step.y < 1e-4 { break }
    }
    guard equations.difference < Self.gain * first.difference else {
      // Already in place: as good as a match, and no reason to move.
      return Match(x: dx, y: dy, weight: trust)
    }
    return Match(x: x / scale, y: y / scale, weight: trust)
  }

  /// Each tile becomes the mean of its own match, its neighbours' medians and a little of the whole picture's motion.
  private func smooth(_ flow: inout TileFlow, _ matches: [Match], _ global: TileFlow) {
    let previous = flow
    for row in 0..<flow.rows {
      for column in 0..<flow.columns {
        var (nearX, nearY) = (NearValues(), NearValues())
        for y in max(0, row - 1)...min(flow.rows - 1, row + 1) {
          for x in max(0, column - 1)...min(flow.columns - 1, column + 1) {
            let match = matches[y * flow.columns + x]
            guard match.weight > 0 else { continue }
            nearX.add(match.x)
            nearY.add(match.y)
          }
        }
        let index = row * flow.columns + column
        let own = matches[index]
        var sum = Self.whole
        // What the level above found stands for the whole picture's motion where nothing is found here.
        var (x, y) = (previous.x[index] * sum, previous.y[index] * sum)
        if nearX.count >= 3 {
          let (medianX, medianY) = (nearX.median, nearY.median)
          // A tile that jumps away from all its neighbours is mistaken.
          let jumps = abs(own.x - medianX) > 1 || abs(own.y - medianY) > 1
          let weight = jumps ? 0 : own.weight
          x += weight * own.x + Self.neighbours * medianX
          y += weight * own.y + Self.neighbours * medianY
          sum += weight + Self.neighbours
        }
        flow.x[index] = x / sum
        flow.y[index] = y / sum
      }
    }
  }
}

/// Gauss–Newton for the shift of one window; an offset of brightness is taken out.
struct TileEquations {
  let step: (x: Float, y: Float)
  /// Mean squared difference.
  let difference: Float
  let smallerEigenvalue: Float

  /// `nil` when the window leaves the other picture.
  init?(
    _ a: PixelRows<Float>, _ b: PixelRows<Float>, _ window: PixelRect, _ dx: Float, _ dy: Float,
    rowStep: Int = 1
  ) {
    let (wholeX, wholeY) = (dx.rounded(.down), dy.rounded(.down))
    let (u, v) = (dx - wholeX, dy - wholeY)
    let (left, top) = (window.x + Int(wholeX), window.y + Int(wholeY))
    guard left >= 0, top >= 0, left + window.width < b.width, top + window.height < b.height else { return nil }
    var (xx, xy, yy) = (Float(0), Float(0), Float(0))
    var (xr, yr, rr, sumX, sumY, sumR) = (Float(0), Float(0), Float(0), Float(0), Float(0), Float(0))
    // Whole lanes first; columns that are left follow one by one. Looking at every row is always one by one.
    let inLanes = rowStep > 1 ? window.width & ~7 : 0
    if inLanes > 0 {
      let columns = PixelRect(x: window.x, y: window.y, width: inLanes, height: window.height)
      let sums = Self.sums(a, b, columns, left: left, top: top, u, v, rowStep)
      (xx, xy, yy, xr, yr, rr) = (sums[0], sums[1], sums[2], sums[3], sums[4], sums[5])
      (sumX, sumY, sumR) = (sums[6], sums[7], sums[8])
    }
    for y in stride(from: 0, to: inLanes < window.width ? window.height : 0, by: rowStep) {
      let row = a.row(window.y + y) + window.x
      let (up, down) = (a.row(window.y + y - 1) + window.x, a.row(window.y + y + 1) + window.x)
      let (p, q) = (b.row(top + y) + left, b.row(top + y + 1) + left)
      for x in inLanes..<window.width {
        let upper = p[x] + u * (p[x &+ 1] - p[x])
        let lower = q[x] + u * (q[x &+ 1] - q[x])
        let r = upper + v * (lower - upper) - row[x]
        let gx = (row[x &+ 1] - row[x &- 1]) * 0.5
        let gy = (down[x] - up[x]) * 0.5
        xx += gx * gx
        xy += gx * gy
        yy += gy * gy
        xr += gx * r
        yr += gy * r
        rr += r * r
        sumX += gx
        sumY += gy
        sumR += r
      }
    }
    let inverse = 1 / Float(window.width * ((window.height + rowStep - 1) / rowStep))
    xx -= sumX * sumX * inverse
    xy -= sumX * sumY * inverse
    yy -= sumY * sumY * inverse
    xr -= sumX * sumR * inverse
    yr -= sumY * sumR * inverse
    rr -= sumR * sumR * inverse
    difference = rr * inverse
    let half = (xx - yy) * 0.5
    smallerEigenvalue = max(0, (xx + yy) * 0.5 - (half * half + xy * xy).squareRoot())
    let determinant = xx * yy - xy * xy
    guard determinant > 0 else { return nil }
    step = ((yy * xr - xy * yr) / determinant, (xx * yr - xy * xr) / determinant)
  }

  /// The sums of ``cv_add_shift_sums``, lanes added up.
  private static func sums(
    _ a: PixelRows<Float>, _ b: PixelRows<Float>, _ window: PixelRect, left: Int, top: Int, _ u: Float, _ v: Float,
    _ rowStep: Int
  ) -> InlineArray<9, Float> {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 72) { lanes in
      lanes.initialize(repeating: 0)
      for y in stride(from: 0, to: window.height, by: rowStep) {
        let here = a.row(window.y + y) + window.x
        let (up, down) = (a.row(window.y + y - 1) + window.x, a.row(window.y + y + 1) + window.x)
        cv_add_shift_sums(
          here, up, down, b.row(top + y) + left, b.row(top + y + 1) + left, u, v, window.width, lanes.baseAddress!)
      }
      var sums = InlineArray<9, Float>(repeating: 0)
      for index in sums.indices { for lane in 0..<8 { sums[index] += lanes[8 * index + lane] } }
      return sums
    }
  }
}
