import ImageCore

/// A scene of light as a function of place in the detail frame's pixels, and what a camera without or with noise makes
/// of it at both sizes.
struct FusionScene {
  static let size = PixelSize(width: 240, height: 192)
  static let half = PixelSize(width: 120, height: 96)
  var light: @Sendable (Double, Double) -> Float = FusionScene.texture

  /// Random values on grids of three spacings with smooth ways between them: 0.15...0.85, no period.
  static let texture: @Sendable (Double, Double) -> Float = { x, y in
    var sum = 0.5
    for (spacing, height) in [(5.3, 0.2), (11.7, 0.25), (29.1, 0.25)] {
      let (u, v) = (x / spacing + 40, y / spacing + 40)
      let (left, top) = (Int(u), Int(v))
      let (s, t) = (smooth(u - Double(left)), smooth(v - Double(top)))
      let (a, b) = (value(left, top), value(left + 1, top))
      let (c, d) = (value(left, top + 1), value(left + 1, top + 1))
      let (upper, lower) = (a + s * (b - a), c + s * (d - c))
      sum += height * (upper + t * (lower - upper))
    }
    return Float(sum)
  }

  private static func smooth(_ t: Double) -> Double { t * t * (3 - 2 * t) }

  /// -0.5...0.5 by a place on a grid.
  private static func value(_ x: Int, _ y: Int) -> Double {
    var mixed = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663)
    mixed = (mixed ^ (mixed >> 15)) &* 0x2C1B_3C6D
    mixed = (mixed ^ (mixed >> 12)) &* 0x297A_2D39
    return Double((mixed ^ (mixed >> 15)) & 0xffff) / 65_535 - 0.5
  }

  /// Colours differ a little, so that a mistaken plane shows.
  private static func colours(_ v: Float, _ gain: Float) -> RGB<Float> {
    RGB(0.9 * v * gain, v * gain, 0.8 * v * gain)
  }

  func detail(gain: Float = 1, sigma: Float = 0, limit: Float = .infinity) -> Image<RGB<Float>> {
    var noise = EvenNoise(seed: 5)
    return Image(Self.size) { x, y in
      let p = Self.colours(light(Double(x), Double(y)), gain)
      guard sigma > 0 else { return RGB(min(limit, p.red), min(limit, p.green), min(limit, p.blue)) }
      return RGB(p.red + sigma * noise.next(), p.green + sigma * noise.next(), p.blue + sigma * noise.next())
    }
  }

  /// Means of clusters.
  func composite(originX: Int = 0, originY: Int = 0, shift: Double = 0) -> Image<RGB<Float>> {
    Image(Self.half) { x, y in
      var sum: Float = 0
      for (u, v) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        sum += light(Double(originX + 2 * x + u) - shift, Double(originY + 2 * y + v) - shift)
      }
      return Self.colours(sum / 4, 1)
    }
  }

  /// Light of the result's pixel where the scene is sampled at its centre.
  func truth(_ x: Int, _ y: Int) -> Float {
    light((Double(x) + 0.5) * 24 / 17 - 0.5, (Double(y) + 0.5) * 24 / 17 - 0.5)
  }

  static func plan(
    sigma: Double = 1e-4, lightAtWhite: Double = 1, gate: FusionOptions.Gate = .open,
    alignment: FusionOptions.Alignment = .none, neutral: RGBTriple = RGBTriple(1, 1, 1), originX: Int = 0,
    originY: Int = 0
  ) throws -> FusionPlan {
    var options = FusionOptions()
    (options.gate, options.alignment, options.neutral) = (gate, alignment, neutral)
    let noise = FusionNoiseSource.independent(
      detail: NoiseProfile(planes: [.init(scale: 0, offset: sigma * sigma)]),
      composite: NoiseProfile(planes: [.init(scale: 0, offset: sigma * sigma / 64)]))
    return try FusionPlan(
      compositeSize: half, originX: originX, originY: originY, detailSize: size, lightAtWhite: lightAtWhite,
      noise: noise, options: options)
  }

  /// Green light of a result.
  static func green(_ result: FusionResult, _ x: Int, _ y: Int) -> Float {
    (Float(result.pixels[x, y].green) - Fusion.black) / (Fusion.white - Fusion.black)
  }
}
