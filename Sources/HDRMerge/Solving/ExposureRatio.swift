import ImageCore

/// How many times more light one frame gathered than another, from their pixels.
///
/// Errors sit in both frames, so blocks are chosen and weighted by the light that both tell of together: its error does
/// not depend on how far the two differ, where a choice by either frame alone would prefer one sign of its noise.
///
/// - Source: York 1966, "Least-squares fitting of a straight line", for a line through black; Tukey's biweight against
///   what moved; Bickel & Frühwirth 2006, "On a fast, robust estimator of the mode", for its start.
struct ExposureRatio: Sendable, Hashable {
  /// Longer over shorter.
  let value: Double
  /// Share of the comparable blocks that agree with it.
  let agreement: Double
  /// Its relative standard error, as blocks scatter.
  let error: Double

  /// Whether it is good enough to be taken instead of what files record. What denies them needs better grounds: a thing
  /// that moved can be most of what is clear of saturation.
  func isReliable(recorded: Double?) -> Bool {
    let denies = recorded.map { abs(Elementary.log2(value / $0)) > SolvedBracket.recordTolerance } ?? false
    return error <= Self.reliableError && agreement >= (denies ? Self.denyingAgreement : Self.reliableAgreement)
  }

  /// What is left when a fifth of the frame moves over brighter and darker ground; chance agreement stays below.
  private static let reliableAgreement = 0.25
  private static let denyingAgreement = 0.5
  /// So that 1 % is two and a half standard errors.
  private static let reliableError = 0.004
  /// Blocks whose peak is below this part of saturation are measured, not bent.
  private static let unbent = 0.85
  /// Blocks must stand this many standard deviations of their mean above black.
  private static let leastSignal: Float = 8
  /// Blocks agree within this many standard deviations.
  private static let reach = 4.0
  /// Relative standard deviation of blocks for all that is not noise: fractions of a pixel, curvature, flicker.
  private static let mismatch = 0.02
  private static let fewestBlocks = 12
  /// Small frames use at least this many of their brightest blocks, larger ones a quarter.
  private static let brightestBlocks = 96
  /// Means of blocks above this part of saturation are pulled down by what is clipped in them.
  private static let unmixed: Float = 0.5
  /// Standard deviations of a sample by which light must exceed black, whose level is no better known than one of them.
  private static let blackError: Float = 3
  /// Reweighted fits.
  private static let rounds = 8

  /// Ratio of blocks that lie on each other; `nil` when too few are usable in both.
  ///
  /// - Parameter motion: how far a block's place in the longer frame's grid is from that in the shorter one's, in
  ///   blocks; `nil` when frames lie as they should.
  static func solve(
    short: Side, long: Side, motion: ((_ x: Double, _ y: Double) -> (x: Double, y: Double))? = nil
  ) -> ExposureRatio? {
    let (a, b) = (short.light, long.light)
    let limits = (TileMerger.fadeEnd * short.frame.saturation, TileMerger.fadeEnd * long.frame.saturation)
    var pairs: [Pair] = []
    for y in 0..<a.rows {
      for x in 0..<a.columns {
        let d: (x: Double, y: Double) = motion?(Double(x), Double(y)) ?? (0, 0)
        // Each frame goes half of the fraction, so that interpolation smooths both alike.
        let half = (x: (d.x - d.x.rounded()) / 2, y: (d.y - d.y.rounded()) / 2)
        guard let p = a.sample(x: Double(x) - half.x, y: Double(y) - half.y), p.peak < limits.0,
          let q = b.sample(x: Double(x) + d.x - half.x, y: Double(y) + d.y - half.y), q.peak < limits.1
        else { continue }
        pairs.append(
          Pair(
            short: Double(p.mean), long: Double(q.mean), shortPeak: Double(p.peak), longPeak: Double(q.peak)))
      }
    }
    return fit(pairs, short, long)
  }

  /// The same from the distributions alone: for frames that are not in register yet. Rough where much is clipped.
  static func match(short: Side, long: Side) -> ExposureRatio? {
    let (a, b) = (RadixSort.ascending(short.light.means), RadixSort.ascending(long.light.means))
    let count = min(a.count, b.count)
    let limit = unmixed * long.frame.saturation
    var pairs: [Pair] = []
    for index in 0..<count {
      let (p, q) = (a[index * a.count / count], b[index * b.count / count])
      guard q < limit else { break }
      pairs.append(Pair(short: Double(p), long: Double(q), shortPeak: Double(p), longPeak: Double(q)))
    }
    return fit(pairs, short, long)
  }

  private static func leastLight(_ side: Side) -> Float {
    let noise = Float((side.frame.noise.offset / Double(side.samplesPerBlock)).squareRoot())
    let rounding = Float(side.frame.roundingVariance.squareRoot())
    let black = blackError * Float(side.frame.noise.offset.squareRoot())
    return max(leastSignal * max(noise, 0.5 * rounding), black)
  }

  /// The light of one place in both frames.
  private struct Pair {
    /// Means of the blocks.
    let short: Double
    let long: Double
    /// Their largest samples.
    let shortPeak: Double
    let longPeak: Double
  }

  /// What a pair tells when frames differ by a ratio: light in units of the shorter frame, how far the longer frame is
  /// from it, and the variance of that distance.
  private struct Judge {
    let ratio: Double
    /// Noise of means of blocks. Light and peak are means weighted by it, so that their errors say nothing of the distance.
    let short: (scale: Double, offset: Double)
    let long: (scale: Double, offset: Double)

    init(ratio: Double, _ a: Side, _ b: Side) {
      self.ratio = ratio
      let (m, n) = (Double(a.samplesPerBlock), Double(b.samplesPerBlock))
      short = (a.frame.noise.scale / m, a.frame.noise.offset / m)
      long = (b.frame.noise.scale / n, b.frame.noise.offset / n)
    }

    func callAsFunction(_ pair: Pair) -> (light: Double, peak: Double, distance: Double, variance: Double) {
      let guess = max(0, pair.long / ratio)
      let (a, b) = (ratio * ratio * (short.scale * guess + short.offset), long.scale * guess * ratio + long.offset)
      let peak = (pair.shortPeak * b + pair.longPeak / ratio * a) / (a + b)
      let unlike = mismatch * mismatch * ratio * ratio * guess * guess / 2
      let light = (pair.short * (b + unlike) + pair.long / ratio * (a + unlike)) / (a + b + 2 * unlike)
      return (light, peak, pair.long - ratio * pair.short, a + b + 2 * unlike)
    }
  }

  private static func fit(_ all: [Pair], _ short: Side, _ long: Side) -> ExposureRatio? {
    let least = Double(leastLight(short))
    guard var ratio = mode(all, above: least) else { return nil }
    let first = Judge(ratio: ratio, short, long)
    let most = unbent * min(Double(short.frame.saturation), Double(long.frame.saturation) / ratio)
    // What is clipped beside a place that moved shows in the shorter frame, as far as noise lets it.
    let noise = short.frame.noise.scale * most + short.frame.noise.offset
    let mostShort = most / unbent + reach * noise.squareRoot()
    let usable = all.compactMap { pair in
      let (light, peak, _, _) = first(pair)
      return light > least && peak < most && pair.shortPeak < mostShort ? (pair: pair, light: light) : nil
    }
    guard usable.count >= fewestBlocks else { return nil }
    // Bright blocks tell the ratio best, and are where one frame takes over from the other.
    let lights = RadixSort.ascending(usable.map { Float($0.light) })
    let dimmest = lights[max(0, lights.count - max(brightestBlocks, usable.count / 4))]
    let chosen = usable.filter { Float($0.light) >= dimmest }.map(\.pair)
    // Once more, since ratios of pictures depend on the level.
    ratio = mode(chosen, above: 0) ?? ratio
    var (error, inside) = (0.0, 0)
    for _ in 0..<rounds {
      let judge = Judge(ratio: ratio, short, long)
      var (shorts, longs, scatter) = (0.0, 0.0, 0.0)
      inside = 0
      for pair in chosen {
        let (light, _, distance, variance) = judge(pair)
        let limit = reach * reach * variance
        let rest = 1 - distance * distance / limit
        guard rest > 0, light > 0 else { continue }
        let weight = rest * rest * light / limit
        shorts += weight * pair.short
        longs += weight * pair.long
        scatter += weight * weight * distance * distance
        inside += 1
      }
      guard shorts > 0, longs > 0, inside >= fewestBlocks else { return nil }
      ratio = longs / shorts
      error = scatter.squareRoot() / longs
    }
    return ExposureRatio(value: ratio, agreement: Double(inside) / Double(chosen.count), error: error)
  }

  /// Where ratios lie most densely: the narrowest half of the narrowest half, until it is as narrow as ratios that agree.
  /// Unlike the median it does not follow what moved.
  private static func mode(_ pairs: [Pair], above least: Double) -> Double? {
    let sorted = RadixSort.ascending(
      pairs.filter { $0.short > least && $0.long > 0 }.map { Float($0.long / $0.short) })
    guard sorted.count >= fewestBlocks else { return nil }
    var range = 0..<sorted.count
    while range.count >= 2 * fewestBlocks,
      sorted[range.upperBound - 1] > Float(1 + reach * mismatch) * sorted[range.lowerBound]
    {
      let half = (range.count + 1) / 2
      let width = { (start: Int) in sorted[start + half - 1] / sorted[start] }
      let best = (range.lowerBound...range.upperBound - half).min { width($0) < width($1) } ?? range.lowerBound
      range = best..<best + half
    }
    return Double(sorted[range.lowerBound + range.count / 2])
  }
}
