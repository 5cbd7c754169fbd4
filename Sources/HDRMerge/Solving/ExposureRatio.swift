import ImageCore

/// How many times more light one frame gathered than another, from their pixels.
struct ExposureRatio: Sendable, Hashable {
  /// Longer over shorter.
  let value: Double
  /// Share of the comparable blocks that agree with it.
  let agreement: Double
  /// Blocks that agree with it.
  let blocks: Int

  /// Blocks whose peak is below this part of saturation are measured, not bent.
  private static let unbent: Float = 0.85
  /// Blocks must stand this many standard deviations of their mean above black.
  private static let leastSignal: Float = 8
  /// Blocks within this relative distance of the median agree.
  private static let agreeing: Float = 0.08
  private static let fewestBlocks = 12
  private static let blackError: Float = 3
  /// Once frames are moved, blocks whose neighbours differ by more than this part are left out: there a wrong fraction
  /// of a pixel counts.
  private static let smooth: Float = 0.12

  /// Ratios of blocks that lie on each other, `motion` applied; `nil` when too few are usable in both.
  ///
  /// - Parameter motion: moves a block's place in the shorter frame's grid to the longer one's, in blocks.
  static func solve(
    short: (frame: SourceFrame, light: BlockLight), long: (frame: SourceFrame, light: BlockLight),
    motion: ((_ x: Double, _ y: Double) -> (x: Double, y: Double))? = nil
  ) -> ExposureRatio? {
    let all = pairs(short: short, long: long, motion: motion, smoothOnly: motion != nil)
    return robust(all)
      ?? (motion == nil ? nil : robust(pairs(short: short, long: long, motion: motion, smoothOnly: false)))
  }

  private static func pairs(
    short: (frame: SourceFrame, light: BlockLight), long: (frame: SourceFrame, light: BlockLight),
    motion: ((_ x: Double, _ y: Double) -> (x: Double, y: Double))?, smoothOnly: Bool
  ) -> [(short: Float, long: Float)] {
    var pairs: [(short: Float, long: Float)] = []
    let limits = (unbent * short.frame.saturation, unbent * long.frame.saturation)
    let least = leastLight(short)
    for y in 0..<short.light.rows {
      for x in 0..<short.light.columns {
        let index = y * short.light.columns + x
        let mean = short.light.means[index]
        guard mean > least, short.light.peaks[index] < limits.0 else { continue }
        if smoothOnly && !short.light.isSmooth(x, y, within: smooth) { continue }
        let place: (x: Double, y: Double) = motion?(Double(x), Double(y)) ?? (Double(x), Double(y))
        guard let other = long.light.sample(x: place.x, y: place.y), other.peak < limits.1 else { continue }
        pairs.append((mean, other.mean))
      }
    }
    return pairs
  }

  /// The same from the distributions alone: for frames that are not in register yet.
  static func match(
    short: (frame: SourceFrame, light: BlockLight), long: (frame: SourceFrame, light: BlockLight)
  ) -> ExposureRatio? {
    let (a, b) = (short.light.means.sorted(), long.light.means.sorted())
    let count = min(a.count, b.count)
    let least = leastLight(short)
    // Means of blocks near saturation are pulled down by what is clipped in them.
    let limit = 0.6 * unbent * long.frame.saturation
    var pairs: [(short: Float, long: Float)] = []
    for index in 0..<count {
      let (p, q) = (a[index * a.count / count], b[index * b.count / count])
      if p > least, q < limit { pairs.append((p, q)) }
    }
    return robust(pairs)
  }

  private static func leastLight(_ side: (frame: SourceFrame, light: BlockLight)) -> Float {
    let samples = side.light.cells.area * side.frame.cell.count
    let noise = Float((side.frame.noise.offset / Double(samples)).squareRoot())
    let rounding = Float(side.frame.roundingVariance.squareRoot())
    // Black levels are known to about the noise of one sample, not to that of a block.
    let black = blackError * Float(side.frame.noise.offset.squareRoot())
    return max(leastSignal * max(noise, 0.5 * rounding), black)
  }

  private static func robust(_ pairs: [(short: Float, long: Float)]) -> ExposureRatio? {
    guard pairs.count >= fewestBlocks else { return nil }
    // Bright blocks tell the ratio best, and are where one frame takes over from the other.
    let ordered = pairs.sorted { $0.long > $1.long }.prefix(max(fewestBlocks * 8, pairs.count / 4))
    let ratios = ordered.map { $0.long / $0.short }.sorted()
    let median = ratios[ratios.count / 2]
    guard median.isFinite, median > 0 else { return nil }
    var (shorts, longs, inside) = (0.0, 0.0, 0)
    for pair in ordered where abs(pair.long / pair.short / median - 1) <= agreeing {
      shorts += Double(pair.short)
      longs += Double(pair.long)
      inside += 1
    }
    guard shorts > 0 else { return nil }
    return ExposureRatio(
      value: longs / shorts, agreement: Double(inside) / Double(ordered.count), blocks: inside)
  }
}

extension BlockLight {
  /// Whether a block's four neighbours are within a relative distance of it.
  func isSmooth(_ x: Int, _ y: Int, within part: Float) -> Bool {
    guard x > 0, y > 0, x < columns - 1, y < rows - 1 else { return false }
    let index = y * columns + x
    let here = means[index]
    return [index - 1, index + 1, index - columns, index + columns].allSatisfy {
      abs(means[$0] - here) <= part * here
    }
  }

  /// Light between blocks; `nil` outside.
  func sample(x: Double, y: Double) -> (mean: Float, peak: Float)? {
    guard x >= 0, y >= 0, x <= Double(columns - 1), y <= Double(rows - 1) else { return nil }
    let (left, top) = (min(Int(x), max(0, columns - 2)), min(Int(y), max(0, rows - 2)))
    let (u, v) = (Float(x - Double(left)), Float(y - Double(top)))
    if u == 0 && v == 0 { return (means[top * columns + left], peaks[top * columns + left]) }
    let (right, bottom) = (min(left + 1, columns - 1), min(top + 1, rows - 1))
    let corners = [top * columns + left, top * columns + right, bottom * columns + left, bottom * columns + right]
    let weights = [(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v]
    var (mean, peak) = (Float(0), -Float.greatestFiniteMagnitude)
    for (corner, weight) in zip(corners, weights) {
      mean += means[corner] * weight
      if weight > 0 { peak = max(peak, peaks[corner]) }
    }
    return (mean, peak)
  }
}
