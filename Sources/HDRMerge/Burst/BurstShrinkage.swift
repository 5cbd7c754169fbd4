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
  private static let (blockRow, lowRow, motionRow) = (2, 3, 4)

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

  let burst: BurstBuffers
  let count: Int

  /// Fills ``BurstBuffers/share`` and the row of lost parts from the differences.
  func judge(leader: NoiseModel, member: NoiseModel) {
    for phase in 0..<burst.phases { expect(phase, leader, member) }
    measure()
    findMotion()
    burst.smooth(count)
    for k in 0..<BurstBuffers.area { decide(k) }
  }

  /// What noise makes of a squared difference.
  private func expect(_ phase: Int, _ leader: NoiseModel, _ member: NoiseModel) {
    let light = UnsafePointer(burst.mean(phase))
    let (inverse, inverseOfMean) = (burst.inverse(phase), burst.inverseOfMean(phase))
    let phases = Float(burst.phases)
    // The mean's coefficient is 8 times the mean.
    let error = Self.tolerance * Float(BurstBuffers.side)
    for b in 0..<count {
      let noise = leader.variance(light[b]) + member.variance(light[b]) + .leastNormalMagnitude
      let slack = error * light[b]
      inverse[b] = 1 / (noise * phases)
      inverseOfMean[b] = 1 / ((noise + slack * slack) * phases)
    }
  }

  private func measure() {
    let blocks = burst.blocks
    let (whole, low) = (burst.row(Self.blockRow), burst.row(Self.lowRow))
    for b in 0..<count { (whole[b], low[b]) = (0, 0) }
    for k in 0..<BurstBuffers.area {
      let out = burst.share + k * blocks
      for b in 0..<count { out[b] = 0 }
      for phase in 0..<burst.phases {
        let values = UnsafePointer(burst.difference(phase)) + k * blocks
        let inverse = UnsafePointer(k == 0 ? burst.inverseOfMean(phase) : burst.inverse(phase))
        for b in 0..<count { out[b] += values[b] * values[b] * inverse[b] }
      }
      for b in 0..<count { whole[b] += out[b] }
      if k / BurstBuffers.side < Self.lowSide && k % BurstBuffers.side < Self.lowSide {
        for b in 0..<count { low[b] += out[b] }
      }
    }
  }

  /// How certain it is that something moved, 0...1.
  private func findMotion() {
    let phases = Float(burst.phases)
    let (whole, low) = (burst.row(Self.blockRow), burst.row(Self.lowRow))
    let (motion, lost) = (burst.row(Self.motionRow), burst.row(Self.lostRow))
    // The mean of n squares of normal numbers has the standard deviation sqrt(2 / n).
    let (wholeCount, lowCount) = (Float(BurstBuffers.area), Float(Self.lowSide * Self.lowSide))
    let (wholeScale, lowScale) = ((wholeCount * phases / 2).squareRoot(), (lowCount * phases / 2).squareRoot())
    let range = 1 / (Self.moves - Self.stirs)
    for b in 0..<count {
      let a = (whole[b] / wholeCount - 1) * wholeScale
      let c = (low[b] / lowCount - 1) * lowScale
      let excess = (CellKernels.larger(a, c) - Self.stirs) * range
      motion[b] = CellKernels.smaller(CellKernels.larger(excess, 0), 1)
      lost[b] = motion[b]
    }
  }

  /// The part of coefficient `k` that is taken over.
  private func decide(_ k: Int) {
    let motion = UnsafePointer(burst.row(Self.motionRow))
    let share = burst.share + k * burst.blocks
    let around = UnsafePointer(burst.neighbourhood) + k * burst.blocks
    let phases = Float(burst.phases)
    let deviation = (2 / phases).squareRoot()
    let neighbours = BurstBuffers.neighbours(k)
    let suspected = Self.suspects * (2 / (phases * Float(neighbours))).squareRoot()
    let (still, moving) = (1 + Self.doubts * deviation, 1 + Self.strict * deviation)
    for b in 0..<count {
      let own = share[b] - (still + motion[b] * (moving - still))
      let near = around[b] - (1 + (1 - motion[b]) * suspected)
      let excess = CellKernels.larger(CellKernels.larger(own, near), 0)
      // The difference has the noise of two frames.
      share[b] = 1 / (1 + 2 * excess)
    }
  }
}
