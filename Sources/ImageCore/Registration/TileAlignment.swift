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
  private static let steps = 4
  /// Pixels of a level by which a tile may leave what the level above says.
  private static let reach: Float = 2
  /// The smaller eigenvalue of a tile's structure relative to noise is one over the variance of the shift found: a
  /// fifth of a pixel is the worst that counts as found.
  private static let leastStructure: Float = 25
  /// Steps end with one whose square is below this, pixels of a level squared: a hundredth of a pixel.
  private static let settled: Float = 1e-4
  /// Structure, in units of the least, at which a tile is trusted half.
  private static let fullTrust: Float = 4
  /// The difference must shrink by this factor to be worth a move.
  private static let gain: Float = 0.97
  /// Weight of the neighbours' and the whole picture's motion against a tile's own.
  private static let neighbours: Float = 0.5
  private static let whole: Float = 0.05

  private let structure: TileStructure
  private let other: GreyPyramid
  /// Variance of the difference of two pixels of the finest level.
  private let noise: Float

  /// - Parameters:
  ///   - structure: of the reference.
  ///   - noise: variance of a pixel's difference between the pictures when they are in register.
  public init(_ structure: TileStructure, other: GreyPyramid, noise: Float) {
    (self.structure, self.other, self.noise) = (structure, other, noise)
  }

  /// The flow, starting from the motion of the whole picture.
  public func flow(from motion: SimilarityMotion, workers: Workers = .serial) -> TileFlow {
    let size = structure.reference.levels[0].size
    let global = TileFlow(motion, size: size, spacing: Self.spacing)
    var flow = global
    for level in structure.windows.indices.reversed() { refine(&flow, global, level, workers) }
    return flow
  }

  private func refine(_ flow: inout TileFlow, _ global: TileFlow, _ level: Int, _ workers: Workers) {
    let columns = flow.columns
    let start = flow
    let windows = structure.windows[level]
    let found = structure.reference.levels[level].withRows { a in
      other.levels[level].withRows { b in
        workers.map(count: start.rows, scratch: { () }) { row, _ in
          (row * columns..<(row + 1) * columns).map {
            match(a, b, level, windows[$0], dx: start.x[$0], dy: start.y[$0])
          }
        }
      }
    }
    smooth(&flow, found.flatMap { $0 }, global)
  }

  /// A tile's displacement in pixels of the finest level, and how much it is to be trusted.
  private struct Match: Sendable {
    var x: Float
    var y: Float
    var weight: Float
  }

  private func match(
    _ a: PixelRows<Float>, _ b: PixelRows<Float>, _ level: Int, _ window: TileWindow, dx: Float, dy: Float
  ) -> Match {
    let scale = 1 / Float(1 << level)
    let rest = Match(x: dx, y: dy, weight: 0)
    let levelNoise = noise * (level == 0 ? 1 : scale * scale)
    let structure = window.smallerEigenvalue / (levelNoise * Self.leastStructure)
    var (x, y) = (dx * scale, dy * scale)
    guard structure > 1, let first = window.match(a, b, x, y) else { return rest }
    let trust = structure / (structure + Self.fullTrust)
    var found = first
    for _ in 0..<Self.steps {
      let step = found.step
      x -= step.x
      y -= step.y
      guard abs(x - dx * scale) <= Self.reach, abs(y - dy * scale) <= Self.reach,
        let next = window.match(a, b, x, y)
      else { return rest }
      found = next
      if step.x * step.x + step.y * step.y < Self.settled { break }
    }
    guard found.difference < Self.gain * first.difference else {
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
