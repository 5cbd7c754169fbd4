import ImageCore

/// What is counted while merging; tiles are added up in their order.
struct MergeStatistics: Sendable {
  /// Levels of light, a stop each, from four stops above the reference's saturation down.
  private static let levels = 20
  private static let topLevel = 4
  /// One sample in this many tells the noise.
  private static let noiseStep = 7
  /// A frame counts as left out where disagreement takes this part of the weight that it, or if less the reference,
  /// has by noise alone.
  private static let ghostShare: Float = 0.5

  /// Cells in which every frame is saturated; in which some frame was left out; the same a frame.
  private(set) var clipped = 0
  private(set) var ghosts = 0
  private(set) var frameGhosts: [Int]
  private var counts: [Int]
  private var light: [Double]
  private var variance: [Double]

  init(frames: Int) {
    frameGhosts = Array(repeating: 0, count: frames)
    counts = Array(repeating: 0, count: Self.levels)
    light = Array(repeating: 0, count: Self.levels)
    variance = Array(repeating: 0, count: Self.levels)
  }

  mutating func add(_ other: MergeStatistics) {
    clipped += other.clipped
    ghosts += other.ghosts
    for index in frameGhosts.indices { frameGhosts[index] += other.frameGhosts[index] }
    for level in counts.indices {
      counts[level] += other.counts[level]
      light[level] += other.light[level]
      variance[level] += other.variance[level]
    }
  }

  /// Counts one tile's cells after it was prepared, and draws them into the map.
  mutating func countCells(
    _ core: PixelRect, _ plan: MergePlan, _ buffers: TileBuffers, map: MutablePixelRows<UInt8>?
  ) {
    let halo = plan.layout.halo
    let share = 1 / Float(plan.layout.cell.count)
    let models = plan.frames.map { NoiseModel($0) }
    let isActive = plan.frames.indices.map { plan.active.contains($0) }
    for y in 0..<core.height {
      let brightness = buffers.cells(8).row(y)
      // The sum of the target's samples from the core's first cell on.
      let first = halo * plan.layout.cell.width
      let shifted = Plane(base: buffers.target.base + first, stride: buffers.target.stride)
      CellKernels.sum(shifted, plan.layout.cell, row: y + halo, count: core.width, into: brightness)
      for x in 0..<core.width {
        let place = x + halo
        if buffers.ramp(plan.active[0]).row(y + halo)[place] == 0 { clipped += 1 }
        var worst: Float = 0
        for index in plan.frames.indices where index != plan.reference {
          let bias = buffers.bias(index).row(y + halo)[place]
          guard bias > 0, buffers.ramp(index).row(y + halo)[place] > 0 else { continue }
          let light = CellKernels.larger(0, brightness[x] * share)
          let own = models[index].variance(light)
          let theirs = CellKernels.larger(own, models[plan.reference].variance(light))
          let lost = isActive[index] ? 1 - CellKernels.smaller(1, theirs / (own + bias)) : bias
          if lost > Self.ghostShare { frameGhosts[index] += 1 }
          worst = max(worst, lost)
        }
        if worst > Self.ghostShare { ghosts += 1 }
        map?.row(core.y + y)[core.x + x] = UInt8(worst * 255)
      }
    }
  }

  /// Takes some samples of a row into the noise statistics.
  mutating func countNoise(_ samples: UnsafePointer<Float>, _ variances: UnsafePointer<Float>, count: Int) {
    for x in stride(from: 0, to: count, by: Self.noiseStep) where samples[x] > 0 {
      let level = min(Self.levels - 1, max(0, Self.topLevel - Int(samples[x].exponent)))
      counts[level] += 1
      light[level] += Double(samples[x])
      variance[level] += Double(variances[x])
    }
  }

  /// The straight line `S x + O` nearest in relative terms, for samples normalised to full scale `range`.
  ///
  /// - Parameter rounding: a step of the stored counts, which adds a twelfth of its square.
  func noise(range: Double, rounding: Double) -> NoiseProfile {
    var (s0, s1, s2, t0, t1) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for level in counts.indices where counts[level] > 0 {
      let x = light[level] / Double(counts[level]) / range
      let v = variance[level] / Double(counts[level]) / (range * range)
      guard v > 0 else { continue }
      // Each level counts alike, whatever part of the picture has it.
      let weight = 1 / (v * v)
      s0 += weight
      s1 += weight * x
      s2 += weight * x * x
      t0 += weight * v
      t1 += weight * x * v
    }
    let floor = rounding * rounding / 12
    let determinant = s0 * s2 - s1 * s1
    guard determinant > 0 else { return NoiseProfile(planes: [.init(scale: 0, offset: floor)]) }
    var scale = (s0 * t1 - s1 * t0) / determinant
    var offset = (s2 * t0 - s1 * t1) / determinant
    if offset < 0 { (scale, offset) = (t1 / s2, 0) }
    if scale < 0 { (scale, offset) = (0, t0 / s0) }
    return NoiseProfile(planes: [.init(scale: scale, offset: offset + floor)])
  }
}
