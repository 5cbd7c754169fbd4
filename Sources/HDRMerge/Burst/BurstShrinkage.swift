import CVector

/// Decides how much of each coefficient of a member is taken over, block by block.
///
/// The squared difference over what noise makes of it, averaged over all phases, is measured for the whole block, for its
/// lowest frequencies (faint changes of smooth areas), for a coefficient with its eight neighbours, and for the
/// coefficient itself. The first two say whether anything moved, which makes the others strict. What a coefficient has
/// beyond noise is squared error that it would bring in, and makes it count the less, as in the motion test.
struct BurstShrinkage {
  /// Rows of ``BurstBuffers/row(_:)`` that hold results: the part of a member that is left out, and the factor of the
  /// variance.
  static let lostRow = 0
  static let factorRow = 1
  private static let (blockRow, lowRow) = (2, 3)

  /// Frequencies in each direction that count as low.
  private static let lowSide = 3
  /// Standard deviations of a block's measure at which something may have moved, and certainly has.
  private static let (stirs, moves): (Float, Float) = (3.5, 8)
  /// The same for a coefficient and for it with its neighbours, in a block in which nothing moves.
  private static let (doubts, suspects): (Float, Float) = (4.5, 3)
  /// The same for a coefficient where something moves; its neighbourhood then may not exceed noise at all.
  private static let strict: Float = 1.5
  /// Relative difference of brightness that is no motion: lamps and shutters are not that even.
  private static let tolerance: Float = 0.005
  /// Coefficients of a neighbourhood in a corner, at an edge and inside a block.
  private static let neighbours: [Float] = [4, 6, 9]

  let burst: BurstBuffers
  let leader: NoiseModel
  let member: NoiseModel
  private let still: Float
  private let moving: Float
  private let suspected: [Float]

  init(burst: BurstBuffers, leader: NoiseModel, member: NoiseModel) {
    (self.burst, self.leader, self.member) = (burst, leader, member)
    let phases = Float(burst.phases)
    // The mean of n squares of normal numbers has the standard deviation sqrt(2 / n).
    let deviation = (2 / phases).squareRoot()
    (still, moving) = (1 + Self.doubts * deviation, 1 + Self.strict * deviation)
    suspected = Self.neighbours.map { Self.suspects * (2 / (phases * $0)).squareRoot() }
  }

  /// Fills ``BurstBuffers/share`` and the row of lost parts from the differences of eight blocks.
  func judge() {
    for phase in 0..<burst.phases { expect(phase) }
    let (whole, low) = (burst.row(Self.blockRow), burst.row(Self.lowRow))
    cv_measure_blocks(
      burst.differences, burst.phases, burst.inverses, burst.inversesOfMean, Int32(Self.lowSide), burst.share, whole,
      low)
    findMotion(whole, low)
    cv_decide_blocks(burst.share, burst.row(Self.lostRow), still, moving, suspected)
  }

  /// What noise makes of a squared difference.
  private func expect(_ phase: Int) {
    let light = UnsafePointer(burst.mean(phase))
    let inverse = burst.inverses + phase * BurstBuffers.lanes
    let inverseOfMean = burst.inversesOfMean + phase * BurstBuffers.lanes
    let phases = Float(burst.phases)
    // The mean's coefficient is 8 times the mean.
    let error = Self.tolerance * Float(BurstBuffers.side)
    for b in 0..<BurstBuffers.lanes {
      let noise = leader.variance(light[b]) + member.variance(light[b]) + .leastNormalMagnitude
      let slack = error * light[b]
      inverse[b] = 1 / (noise * phases)
      inverseOfMean[b] = 1 / ((noise + slack * slack) * phases)
    }
  }

  /// How certain it is that something moved, 0...1.
  private func findMotion(_ whole: UnsafePointer<Float>, _ low: UnsafePointer<Float>) {
    let phases = Float(burst.phases)
    let lost = burst.row(Self.lostRow)
    let (wholeCount, lowCount) = (Float(BurstBuffers.area), Float(Self.lowSide * Self.lowSide))
    let (wholeScale, lowScale) = ((wholeCount * phases / 2).squareRoot(), (lowCount * phases / 2).squareRoot())
    let range = 1 / (Self.moves - Self.stirs)
    for b in 0..<BurstBuffers.lanes {
      let a = (whole[b] / wholeCount - 1) * wholeScale
      let c = (low[b] / lowCount - 1) * lowScale
      let excess = (CellKernels.larger(a, c) - Self.stirs) * range
      lost[b] = CellKernels.smaller(CellKernels.larger(excess, 0), 1)
    }
  }
}
