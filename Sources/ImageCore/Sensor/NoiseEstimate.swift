/// Noise of a frame from its pixels: the lower envelope of local variance over local mean, fitted by `S x + O`.
///
/// - Source: Foi et al. 2008, "Practical Poissonian-Gaussian noise modeling and fitting for single-image raw-data":
///   variance is affine in the mean; texture only ever adds to it, so the quietest patches of each level tell it.
public enum NoiseEstimate {
  /// Samples of one colour in a patch: along a row, each a cell apart.
  private static let patch = 16
  /// Levels of light from full scale down.
  private static let levels = 48
  private static let levelsPerStop = 4
  /// The quantile of patch variances taken for noise, and what it is of the true variance for a patch of 14 second
  /// differences with 1/6 of (-1, 2, -1)²: found by simulation of white noise.
  private static let quantile = 0.25
  private static let quantileShare = 0.6246
  private static let fewestPatches = 24
  private static let mostPatches = 1000.0
  private static let rowStep = 3

  /// Mean light above this part of saturation is not looked at: clipping takes noise away.
  private static let brightest: Float = 0.85

  /// The noise of normalised samples; `nil` when too few patches are evenly lit.
  ///
  /// - Parameters:
  ///   - size: columns and rows of samples.
  ///   - period: samples from one of a colour to the next in a row.
  ///   - saturation: light at which samples saturate.
  ///   - row: fills a row with light, black at 0.
  /// - Complexity: a third of the samples are read once.
  public static func fit(
    _ size: PixelSize, period: Int, saturation: Float = 1, row: (_ y: Int, UnsafeMutablePointer<Float>) -> Void
  ) -> NoiseProfile.Plane? {
    let across = size.width / (patch * period)
    var groups = [[Float]](repeating: [], count: levels)
    var sums = [Double](repeating: 0, count: levels)
    guard across > 0 else { return nil }
    let scale = LightLevels(count: levels, perStop: levelsPerStop)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: size.width) { light in
      for y in stride(from: 0, to: size.height, by: rowStep) {
        row(y, light.baseAddress!)
        for index in 0..<across {
          for phase in 0..<period {
            let first = light.baseAddress! + index * patch * period + phase
            let (mean, variance) = moments(first, step: period)
            guard mean > 0, mean < brightest * saturation, variance > 0 else { continue }
            let level = scale.level(of: mean)
            groups[level].append(variance)
            sums[level] += Double(mean)
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

  private static func line(_ groups: [[Float]], _ sums: [Double]) -> NoiseProfile.Plane? {
    let readings = zip(groups, sums).compactMap { group, sum -> NoiseProfile.Plane.Reading? in
      guard group.count >= fewestPatches else { return nil }
      let sorted = RadixSort.ascending(group)
      let variance = Double(sorted[Int(Double(sorted.count - 1) * quantile)]) / quantileShare
      // Levels count by their patches, up to a limit.
      let weight = min(Double(group.count), mostPatches)
      return .init(light: sum / Double(group.count), variance: variance, weight: weight)
    }
    return NoiseProfile.Plane(nearest: readings)
  }

  /// The same of a mosaic, all colours alike.
  public static func fit(_ mosaic: Mosaic) -> NoiseProfile.Plane? {
    let black = mosaic.levels.black
    let scale = 1 / max(mosaic.levels.white[0] - black.mean, 1)
    return mosaic.samples.withRows { rows in
      fit(mosaic.size, period: mosaic.cfa.width) { y, out in
        let counts = rows.row(y)
        for x in 0..<rows.width { out[x] = (Float(counts[x]) - black.value(x: x, y: y)) * scale }
      }
    }
  }
}

/// Levels of light from full scale down: equal steps of its logarithm, told apart without taking any.
private struct LightLevels {
  /// The brightest light of each level.
  private let bounds: [Float]
  private let perStop: Int

  init(count: Int, perStop: Int) {
    self.perStop = perStop
    bounds = (0..<count).map { Self.brightest($0, perStop) }
  }

  /// The largest float that is at or below the level's place, by halving the range of patterns.
  private static func brightest(_ level: Int, _ perStop: Int) -> Float {
    if level == 0 { return .greatestFiniteMagnitude }
    var (low, high) = (Float.leastNormalMagnitude.bitPattern, Float(1).bitPattern)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      let place = -Double(perStop) * Elementary.log2(Double(Float(bitPattern: middle)))
      if Int(place) >= level { low = middle } else { high = middle }
    }
    return Float(bitPattern: low)
  }

  /// `light` is above 0.
  @inline(__always)
  func level(of light: Float) -> Int {
    let last = bounds.count - 1
    // All of a stop but its end lies beyond the levels of the stop above.
    var level = max(0, min(last, -perStop * (Int(light.exponent) + 1)))
    while level < last, light <= bounds[level + 1] { level += 1 }
    return level
  }
}
