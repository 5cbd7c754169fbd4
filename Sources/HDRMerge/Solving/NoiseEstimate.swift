import ImageCore

/// Noise of a frame from its pixels: the lower envelope of local variance over local mean, fitted by `S x + O`.
///
/// - Source: Foi et al. 2008, "Practical Poissonian-Gaussian noise modeling and fitting for single-image raw-data":
///   variance is affine in the mean; texture only ever adds to it, so the quietest patches of each level tell it.
enum NoiseEstimate {
  /// Samples of one colour in a patch: along a row, each a cell apart.
  private static let patch = 16
  /// Levels of light from full scale down.
  private static let levels = 48
  private static let levelsPerStop = 4.0
  /// The quantile of patch variances taken for noise, and what it is of the true variance for a patch of 14 second
  /// differences with 1/6 of (-1, 2, -1)²: found by simulation of white noise.
  private static let quantile = 0.25
  private static let quantileShare = 0.6246
  private static let fewestPatches = 24
  private static let rowStep = 3

  static func fit(_ frame: SourceFrame) -> NoiseProfile.Plane? {
    let cell = frame.cell
    let across = frame.size.width / (patch * cell.width)
    var groups = [[Float]](repeating: [], count: levels)
    var sums = [Double](repeating: 0, count: levels)
    guard across > 0 else { return nil }
    frame.withSamples { samples in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: across * patch * cell.width) { light in
        for y in stride(from: 0, to: frame.size.height, by: rowStep) {
          frame.light(samples, x: 0, y: y, count: light.count, factor: 1, into: light.baseAddress!)
          for index in 0..<across {
            for phase in 0..<cell.width {
              let first = light.baseAddress! + index * patch * cell.width + phase
              let (mean, variance) = moments(first, step: cell.width)
              guard mean > 0, mean < 0.85 * frame.saturation, variance > 0 else { continue }
              let level = min(levels - 1, max(0, Int(-levelsPerStop * Elementary.log2(Double(mean)))))
              groups[level].append(variance)
              sums[level] += Double(mean)
            }
          }
        }
      }
    }
    return line(groups, sums)
  }

  private static func moments(_ light: UnsafePointer<Float>, step: Int) -> (Float, Float) {
    var sum = light[0] + light[step]
    var squares: Float = 0
    for i in 2..<patch {
      let value = light[i * step]
      sum += value
      let second = light[(i - 2) * step] - 2 * light[(i - 1) * step] + value
      squares += second * second
    }
    return (sum / Float(patch), squares / Float(6 * (patch - 2)))
  }

  /// Weighted least squares in relative terms, neither coefficient below 0.
  private static func line(_ groups: [[Float]], _ sums: [Double]) -> NoiseProfile.Plane? {
    var (s0, s1, s2, t0, t1) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var lowest = Double.infinity
    for (group, sum) in zip(groups, sums) where group.count >= fewestPatches {
      let sorted = group.sorted()
      let variance = Double(sorted[Int(Double(sorted.count - 1) * quantile)]) / quantileShare
      let mean = sum / Double(group.count)
      lowest = min(lowest, variance)
      // Relative errors are alike, so each level counts by 1 / variance²; and by its patches, up to a limit.
      let weight = min(Double(group.count), 1000) / (variance * variance)
      s0 += weight
      s1 += weight * mean
      s2 += weight * mean * mean
      t0 += weight * variance
      t1 += weight * mean * variance
    }
    guard s0 > 0 else { return nil }
    let determinant = s0 * s2 - s1 * s1
    var scale = determinant > 0 ? (s0 * t1 - s1 * t0) / determinant : 0
    var offset = determinant > 0 ? (s2 * t0 - s1 * t1) / determinant : t0 / s0
    if offset < 0 { (scale, offset) = (t1 / s2, 0) }
    if scale < 0 { (scale, offset) = (0, t0 / s0) }
    return NoiseProfile.Plane(scale: scale, offset: offset)
  }
}
