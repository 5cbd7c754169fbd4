/// A pattern as a prediction of which direct neighbours share a colour.
struct CFAHypothesis: Sendable {
  let pattern: CFAPattern
  /// By the place of the first photosite in the 24x24 cell: whether it and the next one have one colour.
  private let sameX: [Bool]
  private let sameY: [Bool]
  /// Index into ``ProbeWindow/lags`` of the pattern's period.
  private let periodIndex: Int

  /// `nil` when no neighbours share a colour along one of the axes, or the period is not one of those compared.
  init?(_ pattern: CFAPattern) {
    guard pattern.width == pattern.height, let index = ProbeWindow.lags.firstIndex(of: pattern.width) else {
      return nil
    }
    let cell = ProbeWindow.cell
    let places = (0..<cell * cell).map { (x: $0 % cell, y: $0 / cell) }
    self.pattern = pattern
    periodIndex = index
    sameX = places.map { pattern[$0.x, $0.y] == pattern[$0.x + 1, $0.y] }
    sameY = places.map { pattern[$0.x, $0.y] == pattern[$0.x, $0.y + 1] }
    guard sameX.contains(true), sameY.contains(true), sameX.contains(false), sameY.contains(false) else { return nil }
  }

  /// Whether a pattern predicts the same.
  func agrees(with other: CFAPattern) -> Bool {
    guard let other = CFAHypothesis(other) else { return false }
    return predictsSame(as: other)
  }

  private func predictsSame(as other: CFAHypothesis) -> Bool { sameX == other.sameX && sameY == other.sameY }

  /// The hypothesis that explains most of the variance of the windows' mean; `nil` when none explains any.
  static func best(for windows: [ProbeWindow], declared: CFAPattern) -> CFAHypothesis? {
    let count = ProbeWindow.cell * ProbeWindow.cell
    var x = [Double](repeating: 0, count: count)
    var y = x
    for window in windows {
      let scale = 2 / (window.x.neighbours + window.y.neighbours)
      for index in 0..<count {
        x[index] += window.x.cell[index] * scale
        y[index] += window.y.cell[index] * scale
      }
    }
    let scored = candidates(declared).map { (hypothesis: $0, score: $0.explained(x, y)) }
    guard let best = scored.max(by: { $0.score < $1.score }), best.score > 0 else { return nil }
    return best.hypothesis
  }

  /// The declared pattern, every origin of the cluster patterns, and every origin of X-Trans; each prediction once.
  private static func candidates(_ declared: CFAPattern) -> [CFAHypothesis] {
    let clusters = (2...4).flatMap { side in
      (0..<side * side).map { CFAPattern(cell: .rggb, clusterSide: side)!.shifted(dx: $0 % side, dy: $0 / side) }
    }
    let period = CFAPattern.xTrans.width
    let xTrans = (0..<period * period).map { CFAPattern.xTrans.shifted(dx: $0 % period, dy: $0 / period) }
    var all: [CFAHypothesis] = []
    for pattern in [declared] + clusters + xTrans {
      guard let hypothesis = CFAHypothesis(pattern) else { continue }
      if !all.contains(where: { hypothesis.predictsSame(as: $0) }) { all.append(hypothesis) }
    }
    return all
  }

  /// Variance between both groups of neighbours, times their number; 0 when those of one colour differ more.
  private func explained(_ x: [Double], _ y: [Double]) -> Double {
    let parts = [(x, sameX), (y, sameY)].map { cell, same in
      let (between, within, weight) = Self.means(cell, same)
      return between > within ? weight * (between - within) * (between - within) : 0
    }
    return parts.contains(0) ? 0 : parts.reduce(0, +)
  }

  /// See ``CFAMeasurement/confidence``.
  func confidence(_ windows: [ProbeWindow]) -> Double {
    let axes = [(\ProbeWindow.x, sameX), (\ProbeWindow.y, sameY)]
    return axes.map { axis, same in
      let parts = windows.map { window in
        let differences = window[keyPath: axis]
        let (between, within, _) = Self.means(differences.cell, same)
        return Contrast(
          between: between / differences.neighbours, within: within / differences.neighbours,
          apart: differences.lags[periodIndex] / differences.neighbours)
      }
      return Contrast.confidence(parts)
    }.min() ?? 0
  }

  /// Mean difference of neighbours of different and of one colour, and what a difference between the two is worth.
  private static func means(
    _ cell: [Double], _ same: [Bool]
  ) -> (between: Double, within: Double, weight: Double) {
    var sums = (between: 0.0, within: 0.0)
    var inside = 0.0
    for index in cell.indices {
      if same[index] {
        sums.within += cell[index]
        inside += 1
      } else {
        sums.between += cell[index]
      }
    }
    let outside = Double(cell.count) - inside
    return (sums.between / outside, sums.within / inside, inside * outside / Double(cell.count))
  }
}

/// Differences of one window: between colours, within a colour, and one period apart.
struct Contrast {
  let between: Double
  let within: Double
  let apart: Double

  /// See ``CFAMeasurement/confidence``.
  static func confidence(_ windows: [Contrast]) -> Double {
    let gains = windows.map { $0.between - $0.within }
    let gain = gains.reduce(0, +)
    let between = windows.reduce(0) { $0 + $1.between }
    let apart = windows.reduce(0) { $0 + $1.apart }
    let reach = max(between - apart, gain, CFAProbe.faintContrast * between)
    guard reach > 0 else { return 0 }
    return max(0, min(1, (gain - CFAProbe.doubt * standardError(ofSum: gains)) / reach))
  }

  /// Of the sum of independent values, from their scatter.
  static func standardError(ofSum values: [Double]) -> Double {
    guard values.count > 1 else { return .infinity }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares * count / (count - 1)).squareRoot()
  }
}
