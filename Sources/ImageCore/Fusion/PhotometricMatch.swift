/// Gain and offset that the detail frame's light has against the composite's, for each colour and zone of the picture:
/// exposure that is not what the file says, flicker, vignetting that was corrected in one only.
struct PhotometricMatch: Sendable {
  /// Zones across and down, bilinear between their centres.
  static let columns = 8
  static let rows = 6

  /// Detail light = gain × composite light + offset, for the whole picture.
  private(set) var gain = SIMD4<Float>(repeating: 1)
  private(set) var offset = SIMD4<Float>.zero
  /// For each zone, row by row.
  private(set) var gains: [SIMD4<Float>]
  private(set) var offsets: [SIMD4<Float>]

  static let none = PhotometricMatch()

  private init() {
    gains = Array(repeating: SIMD4(repeating: 1), count: Self.columns * Self.rows)
    offsets = Array(repeating: .zero, count: Self.columns * Self.rows)
  }

  /// Deviations that are expected before looking: of the whole picture's gain and of a zone's beyond it; offsets in
  /// parts of the detail frame's white.
  private static let wholeGain = 0.3
  private static let zoneGain = 0.02
  private static let wholeOffset = 0.0005
  private static let zoneOffset = 0.0001
  /// Blocks this bright, in parts of saturation, are left out: noise would decide which of them are clipped.
  private static let brightest: Float = 0.85
  /// Error of a block beyond noise, relative to its light, and to the contrast with its neighbours.
  private static let modelError: Float = 0.01
  private static let edgeError: Float = 0.15
  private static let passes = 4
  /// A gain this far from the expected one, relative to it, is a fit gone astray: of the whole picture, of a zone.
  private static let largestStep = (whole: 0.5, zone: 0.1)
  /// Residuals' scale may grow to this many times what noise explains: by a picture that is off as a whole; a zone
  /// that something moved into must not follow it.
  private static let widest = (whole: Double.infinity, zone: 2.0)
  /// Mean weight of a zone's points, 0...1, below which it shows other things than the composite and tells nothing.
  private static let leastAgreement = (whole: 0.0, zone: 0.5)
  /// Blocks looked at for the whole picture, and residuals that a median is taken of, about.
  private static let enoughPoints = 30_000
  /// Of larger pictures rows of blocks are skipped, so that about this many are looked at.
  private static let enoughBlocks = 250_000
  private static let enoughResiduals = 1_000

  /// - Complexity: a few passes over the blocks.
  /// - Source: iteratively reweighted least squares with Tukey's biweight (Beaton & Tukey 1974); instrumental variables
  ///   (Wald 1940, "The fitting of straight lines if both variables are subject to error").
  init(_ blocks: BlockComparison, _ light: FusionLight, _ noise: NoiseSpectra) {
    self.init()
    for colour in 0..<3 {
      let points = Self.points(blocks, colour, light, noise)
      guard points.count >= 16 else { continue }
      let sums = points.reduce(into: (h: 0.0, q: 0.0)) {
        $0 = ($0.h + Double($1.composite), $0.q + Double($1.detail))
      }
      let start = sums.h > 0 && sums.q > 0 ? sums.q / sums.h : 1
      let white = Double(light.white[colour])
      let sample = stride(from: 0, to: points.count, by: max(1, points.count / Self.enoughPoints)).map { points[$0] }
      let whole = Self.fit(
        sample, from: (start, 0), prior: (start, 0), spread: (Self.wholeGain, Self.wholeOffset * white),
        limits: (Self.largestStep.whole, Self.widest.whole, Self.leastAgreement.whole))
      gain[colour] = Float(whole.gain)
      offset[colour] = Float(whole.offset)
      var zones = [[Point]](repeating: [], count: Self.columns * Self.rows)
      for point in points { zones[point.zone].append(point) }
      for (zone, own) in zones.enumerated() {
        let fit = Self.fit(
          own, from: whole, prior: whole, spread: (Self.zoneGain, Self.zoneOffset * white),
          limits: (Self.largestStep.zone, Self.widest.zone, Self.leastAgreement.zone))
        gains[zone][colour] = Float(fit.gain)
        offsets[zone][colour] = Float(fit.offset)
      }
    }
  }

  private struct Point {
    let composite: Float
    let detail: Float
    /// Of the detail's light, and of what else keeps it from being the composite's.
    let variance: Float
    /// The composite's light around: it knows how bright the place is without sharing the block's own errors, which
    /// least squares would take for a gain below 1.
    let near: Float
    let zone: Int
  }

  private static func points(
    _ blocks: BlockComparison, _ colour: Int, _ light: FusionLight, _ noise: NoiseSpectra
  ) -> [Point] {
    let size = blocks.detail.size
    let top = light.white[colour] * brightest
    var points: [Point] = []
    guard size.width >= 3, size.height >= 3 else { return [] }
    blocks.detail.withRows { detail in
      blocks.composite.withRows { composite in
        for y in stride(from: 1, to: size.height - 1, by: max(1, size.area / enoughBlocks)) {
          let (q, h) = (detail.row(y), composite.row(y))
          let (up, down) = (composite.row(y - 1), composite.row(y + 1))
          for x in 1..<size.width - 1 where h[x].w >= 0 && q[x].w < FusionLight.saturated {
            let value = h[x][colour]
            guard value > 0, value < top else { continue }
            let contrast = max(
              abs(h[x - 1][colour] - value), abs(h[x + 1][colour] - value), abs(up[x][colour] - value),
              abs(down[x][colour] - value))
            let root = light.domain.root(value)
            // A root's variance in units of light: times the slope of the square.
            let own = 4 * root * root * noise.bothColours(root)[colour]
            let near = 0.25 * (h[x - 1][colour] + h[x + 1][colour] + up[x][colour] + down[x][colour])
            let (edge, model) = (edgeError * contrast, modelError * value)
            let zone = y * rows / size.height * columns + x * columns / size.width
            points.append(
              Point(
                composite: value, detail: q[x][colour], variance: own + edge * edge + model * model,
                near: near, zone: zone))
          }
        }
      }
    }
    return points
  }

  /// Weighted equations with a prior, the light around as instrument; points that stand out count less from pass to
  /// pass.
  private static func fit(
    _ points: [Point], from start: (gain: Double, offset: Double), prior: (gain: Double, offset: Double),
    spread: (gain: Double, offset: Double), limits: (step: Double, widest: Double, agreement: Double)
  ) -> (gain: Double, offset: Double) {
    guard !points.isEmpty else { return prior }
    // Biweight's usual constant, in deviations.
    let reach = 4.685
    var fit = start
    for _ in 0..<passes {
      let (gainNow, offsetNow) = fit
      /// In variances.
      func square(_ point: Point) -> Double {
        let residual = Double(point.detail) - gainNow * Double(point.composite) - offsetNow
        return residual * residual / Double(point.variance)
      }
      let sample = stride(from: 0, to: points.count, by: max(1, points.count / enoughResiduals))
        .map { square(points[$0]) }.sorted()
      // 1.4826: from the median of absolute deviations to a standard deviation.
      let scale = min(limits.widest, max(1, 1.4826 * sample[sample.count / 2].squareRoot())) * reach
      let unit = 1 / (scale * scale)
      var (zh, z1, h1) = (1 / (spread.gain * spread.gain), 0.0, 0.0)
      var one = 1 / (spread.offset * spread.offset)
      var agreement = 0.0
      var (zq, q1) = (prior.gain * zh, prior.offset * one)
      for point in points {
        let t = square(point) * unit
        guard t < 1 else { continue }
        let trust = (1 - t) * (1 - t)
        let weight = trust / Double(point.variance)
        agreement += trust
        let (h, q, z) = (Double(point.composite), Double(point.detail), Double(point.near))
        zh += weight * z * h
        z1 += weight * z
        h1 += weight * h
        one += weight
        zq += weight * z * q
        q1 += weight * q
      }
      guard agreement >= limits.agreement * Double(points.count) else { return prior }
      let determinant = zh * one - z1 * h1
      guard determinant > 0 else { return prior }
      let gain = (zq * one - q1 * z1) / determinant
      guard abs(gain / prior.gain - 1) < limits.step else { return prior }
      fit = (gain, (zh * q1 - h1 * zq) / determinant)
    }
    return fit
  }

  /// Smallest and largest gain of any zone and colour.
  var range: (least: Double, most: Double) {
    var (least, most) = (Float.infinity, -Float.infinity)
    for zone in gains {
      least = min(least, zone.x, zone.y, zone.z)
      most = max(most, zone.x, zone.y, zone.z)
    }
    return (Double(least), Double(most))
  }

  /// Gain and offset at a place of the picture, 0...1 across and down.
  func at(_ u: Float, _ v: Float) -> (gain: SIMD4<Float>, offset: SIMD4<Float>) { line(v).at(u) }

  /// Gains and offsets at a height of the picture, 0...1 down.
  func line(_ v: Float) -> Line {
    let y = min(max(v * Float(Self.rows) - 0.5, 0), Float(Self.rows - 1))
    let top = min(Int(y), Self.rows - 2)
    let part = y - Float(top)
    func mixed(_ values: [SIMD4<Float>]) -> [SIMD4<Float>] {
      (0..<Self.columns).map { column in
        let (a, b) = (values[top * Self.columns + column], values[(top + 1) * Self.columns + column])
        return a + part * (b - a)
      }
    }
    return Line(gains: mixed(gains), offsets: mixed(offsets))
  }

  /// Gains and offsets of a row of the picture, at the zones' centres.
  struct Line {
    fileprivate let gains: [SIMD4<Float>]
    fileprivate let offsets: [SIMD4<Float>]

    /// What takes the detail frame's light to the composite's: composite light = gain × detail light + offset.
    func inverse(_ u: Float) -> (gain: SIMD4<Float>, offset: SIMD4<Float>) {
      let (gain, offset) = at(u)
      let inverse = 1 / gain
      return (inverse, -offset * inverse)
    }

    /// At a place 0...1 across.
    @inline(__always)
    func at(_ u: Float) -> (gain: SIMD4<Float>, offset: SIMD4<Float>) {
      let x = min(max(u * Float(columns) - 0.5, 0), Float(columns - 1))
      let left = min(Int(x), columns - 2)
      let part = x - Float(left)
      return (
        gains[left] + part * (gains[left + 1] - gains[left]),
        offsets[left] + part * (offsets[left + 1] - offsets[left])
      )
    }
  }
}
