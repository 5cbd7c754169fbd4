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
    let strip = Strip(
      left: left, count: (padded.width - left - BurstBuffers.side) / step + 1, cell: cell, blocks: burst.blocks)
    clear(padded.size)
    var y = top
    while y + BurstBuffers.side <= padded.height {
      mergeStrip(y, strip)
      y += step
    }
    let width = padded.width * cell.width
    for y in 0..<padded.height * cell.height {
      let (light, correction) = (buffers.light(group.leader).row(y), buffers.target.row(y))
      for x in 0..<width { light[x] -= correction[x] }
    }
  }

  private func clear(_ size: PixelSize) {
    for y in 0..<size.height * cell.height {
      buffers.target.row(y).update(repeating: 0, count: size.width * cell.width)
    }
    for y in 0..<size.height {
      buffers.factor(group.leader).row(y).update(repeating: 0, count: size.width)
      for member in group.members { buffers.bias(member).row(y).update(repeating: 0, count: size.width) }
    }
  }

  private func mergeStrip(_ y: Int, _ strip: Strip) {
    let planes = BurstBuffers.area * burst.blocks
    burst.shareSum.update(repeating: 0, count: planes)
    burst.squareSum.update(repeating: 0, count: planes)
    for phase in 0..<burst.phases { burst.correction(phase).update(repeating: 0, count: planes) }
    let light = buffers.light(group.leader)
    for phase in 0..<burst.phases { strip.means(light, y, phase: phase, into: burst.mean(phase)) }
    for member in group.members {
      for phase in 0..<burst.phases {
        let out = burst.difference(phase)
        strip.differences(light, buffers.light(member), y, phase: phase, into: out)
        Self.transform(out, blocks: burst.blocks, strip.count, forward: true)
      }
      if plan.deghosts {
        BurstShrinkage(burst: burst, count: strip.count).judge(
          leader: NoiseModel(plan.frames[group.leader]), member: NoiseModel(plan.frames[member]))
        strip.add(burst.row(BurstShrinkage.lostRow), Self.window, y, into: buffers.bias(member))
      } else {
        burst.share.update(repeating: 1, count: planes)
      }
      accumulate(strip.count)
    }
    finish(y, strip)
  }

  /// Adds what one member brings.
  private func accumulate(_ count: Int) {
    let blocks = burst.blocks
    for k in 0..<BurstBuffers.area {
      let share = UnsafePointer(burst.share) + k * blocks
      let (sum, squares) = (burst.shareSum + k * blocks, burst.squareSum + k * blocks)
      for b in 0..<count {
        sum[b] += share[b]
        squares[b] += share[b] * share[b]
      }
      for phase in 0..<burst.phases {
        let difference = UnsafePointer(burst.difference(phase)) + k * blocks
        let correction = burst.correction(phase) + k * blocks
        for b in 0..<count { correction[b] += share[b] * difference[b] }
      }
    }
  }

  /// Back from coefficients to samples, and the part of one frame's variance that is left.
  private func finish(_ y: Int, _ strip: Strip) {
    let part = 1 / Float(group.count)
    let blocks = burst.blocks
    let factor = burst.row(BurstShrinkage.factorRow)
    for b in 0..<strip.count { factor[b] = 0 }
    for k in 0..<BurstBuffers.area {
      let (sum, squares) = (burst.shareSum + k * blocks, burst.squareSum + k * blocks)
      for b in 0..<strip.count {
        let own = 1 - part * sum[b]
        factor[b] += own * own + part * part * squares[b]
      }
    }
    let share = 1 / Float(BurstBuffers.area)
    for b in 0..<strip.count { factor[b] *= share }
    strip.add(factor, Self.window, y, into: buffers.factor(group.leader))
    let scaled = Self.window.map { $0 * part }
    for phase in 0..<burst.phases {
      let out = burst.correction(phase)
      Self.transform(out, blocks: blocks, strip.count, forward: false)
      strip.add(out, scaled, Self.window, y, phase: phase, into: buffers.target)
    }
  }

  /// Cosine transform of each block in both directions, in place.
  static func transform(_ values: UnsafeMutablePointer<Float>, blocks: Int, _ count: Int, forward: Bool) {
    let side = BurstBuffers.side
    for index in 0..<side {
      for b in stride(from: 0, to: count, by: BurstBuffers.lanes) {
        let column = values + index * blocks + b
        if forward { cv_dct8_f32(column, side * blocks) } else { cv_idct8_f32(column, side * blocks) }
      }
    }
    for index in 0..<side {
      for b in stride(from: 0, to: count, by: BurstBuffers.lanes) {
        let row = values + index * side * blocks + b
        if forward { cv_dct8_f32(row, blocks) } else { cv_idct8_f32(row, blocks) }
      }
    }
  }
}
