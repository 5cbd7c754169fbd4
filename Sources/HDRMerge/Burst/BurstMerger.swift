import CVector
import ImageCore

/// Averages frames of one exposure in the tile's buffers: the leader's light becomes the group's.
///
/// Blocks of 8x8 samples of each phase of the filter array overlap by half and are transformed; each coefficient of a
/// member takes part as far as it agrees with the leader's. Noise agrees, so that a still scene is averaged as plainly
/// as can be; what moved disagrees, in the coefficients that show it more than in others.
///
/// - Source: Hasinoff et al. 2016, "Burst photography for high dynamic range and low-light imaging on mobile cameras",
///   section 5, with a cosine instead of a Fourier transform (real, and without wrap-around at a block's edges), windows
///   applied to the correction alone, and a test over all phases and coefficients of a block in place of one constant.
struct BurstMerger {
  let plan: MergePlan
  let buffers: TileBuffers
  let group: ExposureGroup

  /// Sine squared: two windows that overlap by half sum to 1.
  private static let window: [Float] = [
    0.038060233, 0.30865828, 0.6913417, 0.96193977, 0.96193977, 0.6913417, 0.30865828, 0.038060233,
  ]

  private var cell: SampleCell { plan.layout.cell }
  private var burst: BurstBuffers { buffers.burst }

  /// - Parameter padded: the tile with its halo, in cells.
  func merge(_ padded: PixelRect) {
    let step = BurstBuffers.step
    // Blocks lie on one grid for the whole frame, whatever the tiles are.
    let (left, top) = ((step - padded.x % step) % step, (step - padded.y % step) % step)
    let strip = Strip(left: left, groups: (padded.width - left) / step, cell: cell)
    prepare(padded.size, strip)
    let judges = group.members.map {
      BurstShrinkage(
        burst: burst, leader: NoiseModel(plan.frames[group.leader]), member: NoiseModel(plan.frames[$0]))
    }
    for y in stride(from: top, through: padded.height - BurstBuffers.side, by: step) {
      fetch(y, padded.width)
      for block in stride(from: 0, to: strip.count, by: BurstBuffers.lanes) { merge(y, block, strip, judges) }
    }
    for y in 0..<padded.height * cell.height {
      strip.subtract(buffers.target.row(y), from: buffers.light(group.leader).row(y))
    }
  }

  /// Makes the members' light sorted differences from the leader's, in place; sums the leader's light; clears what is
  /// added to.
  private func prepare(_ size: PixelSize, _ strip: Strip) {
    let width = size.width * cell.width
    let spare = burst.spareSamples
    for y in 0..<size.height * cell.height {
      let light = buffers.light(group.leader).row(y)
      for member in group.members {
        let samples = buffers.light(member).row(y)
        strip.sortDifferences(light, samples, into: spare)
        samples.update(from: spare, count: width)
      }
      for column in 0..<cell.width {
        strip.sumGroups(
          light, phase: column,
          into: burst.groupSums(cell: y / cell.height, y % cell.height * cell.width + column))
      }
      buffers.target.row(y).update(repeating: 0, count: width)
    }
    for y in 0..<size.height {
      buffers.factor(group.leader).row(y).update(repeating: 0, count: size.width)
      for member in group.members { buffers.bias(member).row(y).update(repeating: 0, count: size.width) }
    }
  }

  /// Asks for the half of the members' rows that a row of blocks does not share with the one above: `y` is its first row
  /// of cells. Blocks jump between so many rows that none would be guessed.
  private func fetch(_ y: Int, _ width: Int) {
    let rows = (y + BurstBuffers.side - BurstBuffers.step) * cell.height..<(y + BurstBuffers.side) * cell.height
    for member in group.members {
      let light = buffers.light(member)
      for row in rows { cv_prefetch_line(light.row(row), width * cell.width * MemoryLayout<Float>.size) }
    }
  }

  /// Merges eight blocks: `y` is their first row of cells.
  private func merge(_ y: Int, _ block: Int, _ strip: Strip, _ judges: [BurstShrinkage]) {
    burst.shareSum.update(repeating: 0, count: BurstBuffers.plane)
    burst.squareSum.update(repeating: 0, count: BurstBuffers.plane)
    burst.corrections.update(repeating: 0, count: BurstBuffers.plane * burst.phases)
    for phase in 0..<burst.phases { findMeans(y, block, phase) }
    let count = min(BurstBuffers.lanes, strip.count - block)
    for (member, judge) in zip(group.members, judges) {
      for phase in 0..<burst.phases {
        let out = burst.difference(phase)
        strip.load(buffers.light(member), row: y * cell.height, block: block, phase: phase, into: out)
        Self.transform(out, forward: true)
      }
      if plan.deghosts {
        judge.judge()
        let lost = burst.row(BurstShrinkage.lostRow)
        if (0..<count).contains(where: { lost[$0] > 0 }) {
          strip.add(lost, Self.window, to: buffers.bias(member), cellRow: y, block: block, count: count)
        }
      } else {
        burst.share.update(repeating: 1, count: BurstBuffers.plane)
      }
      cv_add_shares(burst.share, burst.differences, burst.phases, burst.shareSum, burst.squareSum, burst.corrections)
    }
    finish(y, block, count, strip)
  }

  /// Mean of each block's samples of the leader, not below 0.
  private func findMeans(_ y: Int, _ block: Int, _ phase: Int) {
    let out = burst.mean(phase)
    for b in 0..<BurstBuffers.lanes { out[b] = 0 }
    for row in 0..<BurstBuffers.side {
      let sums = UnsafePointer(burst.groupSums(cell: y + row, phase)) + block
      for b in 0..<BurstBuffers.lanes { out[b] += sums[b] + sums[b &+ 1] }
    }
    let share = 1 / Float(BurstBuffers.area)
    for b in 0..<BurstBuffers.lanes { out[b] = CellKernels.larger(out[b] * share, 0) }
  }

  /// Back from coefficients to samples, and the part of one frame's variance that is left.
  private func finish(_ y: Int, _ block: Int, _ count: Int, _ strip: Strip) {
    let part = 1 / Float(group.count)
    let factor = burst.row(BurstShrinkage.factorRow)
    cv_left_variance(burst.shareSum, burst.squareSum, part, factor)
    strip.add(factor, Self.window, to: buffers.factor(group.leader), cellRow: y, block: block, count: count)
    for phase in 0..<burst.phases {
      let out = burst.correction(phase)
      Self.transform(out, forward: false)
      // Lanes beyond the last block would be added to other samples.
      if count < BurstBuffers.lanes {
        for k in 0..<BurstBuffers.area {
          for lane in count..<BurstBuffers.lanes { out[k * BurstBuffers.lanes + lane] = 0 }
        }
      }
      strip.add(
        out, Self.window, times: part, to: buffers.target, row: y * cell.height, block: block, phase: phase)
    }
  }

  /// Cosine transform of eight blocks in both directions, in place.
  static func transform(_ values: UnsafeMutablePointer<Float>, forward: Bool) {
    let (side, lanes) = (BurstBuffers.side, BurstBuffers.lanes)
    for index in 0..<side {
      let column = values + index * lanes
      if forward { cv_dct8_f32(column, side * lanes) } else { cv_idct8_f32(column, side * lanes) }
    }
    for index in 0..<side {
      let row = values + index * side * lanes
      if forward { cv_dct8_f32(row, lanes) } else { cv_idct8_f32(row, lanes) }
    }
  }
}
