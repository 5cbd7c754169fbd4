/// Decides how much of each coefficient of a member is taken over, block by block.
///
/// Three measures, each the squared difference over what noise makes of it, averaged over all phases: of the whole
/// block, of its lowest frequencies (faint changes of smooth areas), and of the coefficient itself. The first two say
/// whether anything moved; then a coefficient has to agree the better to be taken over.
struct BurstShrinkage {
  /// Rows of ``BurstBuffers/row(_:)`` that hold results: the part of a member that is left out, and the factor of the
  /// variance.
  static let lostRow = 0
  static let factorRow = 1
  private static let (blockRow, lowRow, floorRow, slopeRow) = (2, 3, 4, 5)

  /// Frequencies in each direction that count as low.
  private static let lowSide = 3
  /// Standard deviations of a block's measure at which something may have moved, and certainly has.
  private static let (stirs, moves): (Float, Float) = (2.5, 7)
  /// The same for one coefficient of a block in which nothing moves: it begins to be left out, and is.
  private static let (doubts, refuses): (Float, Float) = (3, 6)
  /// Squared difference over noise at which a coefficient is left out where something moves.
  private static let strict: Float = 1
  /// Relative difference of brightness that is no motion: lamps and shutters are not that even.
  private static let tolerance: Float = 0.005

  let burst: BurstBuffers
  let count: Int

  /// Fills ``BurstBuffers/share`` and the row of lost parts from the differences.
  func judge(leader: NoiseModel, member: NoiseModel) {
    for phase in 0..<burst.phases { expect(phase, leader, member) }
    measure()
    limits()
    decide()
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

  /// Where each block's coefficients begin to be left out, and how fast.
  private func limits() {
    let phases = Float(burst.phases)
    let (whole, low) = (burst.row(Self.blockRow), burst.row(Self.lowRow))
    let (floor, slope, lost) = (burst.row(Self.floorRow), burst.row(Self.slopeRow), burst.row(Self.lostRow))
    // The mean of n squares of normal numbers has the standard deviation sqrt(2 / n).
    let (wholeCount, lowCount) = (Float(BurstBuffers.area), Float(Self.lowSide * Self.lowSide))
    let (wholeScale, lowScale) = ((wholeCount * phases / 2).squareRoot(), (lowCount * phases / 2).squareRoot())
    let deviation = (2 / phases).squareRoot()
    let (start, end) = (1 + Self.doubts * deviation, 1 + Self.refuses * deviation)
    let range = 1 / (Self.moves - Self.stirs)
    for b in 0..<count {
      let a = (whole[b] / wholeCount - 1) * wholeScale
      let c = (low[b] / lowCount - 1) * lowScale
      let motion = CellKernels.smaller(CellKernels.larger((CellKernels.larger(a, c) - Self.stirs) * range, 0), 1)
      floor[b] = (1 - motion) * start
      slope[b] = 1 / ((1 - motion) * (end - start) + motion * Self.strict)
      lost[b] = motion
    }
  }

  private func decide() {
    let blocks = burst.blocks
    let (floor, slope) = (UnsafePointer(burst.row(Self.floorRow)), UnsafePointer(burst.row(Self.slopeRow)))
    for k in 0..<BurstBuffers.area {
      let share = burst.share + k * blocks
      for b in 0..<count {
        share[b] = 1 - CellKernels.smaller(CellKernels.larger((share[b] - floor[b]) * slope[b], 0), 1)
      }
    }
  }
}
