import ImageCore

/// The light at any point of a scene, as a function of the point.
struct Chart: Sendable {
  /// A rectangle in pixels.
  private struct Area: Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// A rectangle in fractions of a picture.
    init(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double, of size: PixelSize) {
      x = left * Double(size.width)
      y = top * Double(size.height)
      width = (right - left) * Double(size.width)
      height = (bottom - top) * Double(size.height)
    }

    @inline(__always)
    func contains(_ px: Double, _ py: Double) -> Bool {
      px >= x && py >= y && px < x + width && py < y + height
    }
  }

  private let kind: SceneKind
  private let size: PixelSize
  private let all: Area
  private let patches: Area
  private let wedge: Area
  private let edge: Area
  private let zone: Area
  private let star: Area
  private let texture: Area
  private let up: Area
  private let duo: Area
  private let dark: Area
  private let lamp: SIMD2<Double>
  private let lampRadius: Double
  private let leaves: DeadLeaves?
  private let palette: [SIMD3<Double>]
  private let steps: [Double]
  private let upWord = Letters.Word("UP")
  private let duoWord = Letters.Word("DUO")

  /// The light of a flat scene: a quarter of saturation.
  private static let flatGrey = SIMD3(0.25, 0.25, 0.25)
  private static let paper = SIMD3(0.7, 0.7, 0.7)
  private static let ink = SIMD3(0.05, 0.05, 0.05)
  private static let lampLight = SIMD3(8.0, 7.4, 6.4)
  private static let edgeNormal = SIMD2(0.99619469809174553, 0.08715574274765817)  // 5°

  /// The 24 patches of the usual colour chart, as 8-bit sRGB.
  private static let patchCodes: [UInt32] = [
    0x735244, 0xC29682, 0x627A9D, 0x576C43, 0x8580B1, 0x67BDAA, 0xD67E2C, 0x505BA6,
    0xC15A63, 0x5E3C6C, 0x9DBC40, 0xE0A32E, 0x383D96, 0x469449, 0xAF363C, 0xE7C71F,
    0xBB5695, 0x0885A1, 0xF3F3F2, 0xC8C8C8, 0xA0A0A0, 0x7A7A79, 0x555555, 0x343434,
  ]

  init(_ recipe: SceneRecipe) {
    let size = recipe.size
    kind = recipe.kind
    self.size = size
    let whole = Area(0, 0, 1, 1, of: size)
    let isChart = recipe.kind == .chart
    all = whole
    patches = isChart ? Area(0.03, 0.05, 0.40, 0.36, of: size) : whole
    wedge = Area(0.03, 0.40, 0.40, 0.48, of: size)
    edge = isChart ? Area(0.03, 0.53, 0.20, 0.76, of: size) : whole
    zone = isChart ? Area(0.23, 0.53, 0.40, 0.76, of: size) : whole
    star = Area(0.44, 0.05, 0.62, 0.32, of: size)
    texture = isChart ? Area(0.44, 0.40, 0.68, 0.76, of: size) : whole
    up = Area(0.655, 0.06, 0.775, 0.24, of: size)
    duo = Area(0.03, 0.81, 0.40, 0.96, of: size)
    dark = Area(0.72, 0.55, 1, 1, of: size)
    lamp = SIMD2(0.89 * Double(size.width), 0.22 * Double(size.height))
    lampRadius = 0.06 * Double(min(size.width, size.height))
    leaves =
      isChart || recipe.kind == .deadLeaves
      ? DeadLeaves(width: texture.width, height: texture.height, seed: recipe.seed) : nil
    palette = Self.patchCodes.map { code in
      SIMD3(Self.linear(code >> 16 & 255), Self.linear(code >> 8 & 255), Self.linear(code & 255))
    }
    steps = (0..<12).map { 0.9 * ExactMath.exp2(-0.6 * Double($0)) }
  }

  /// The light at a point in pixels from the top left corner.
  func colour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    switch kind {
    case .flat: Self.flatGrey
    case .slantedEdge: edgeColour(x, y)
    case .zonePlate: zoneColour(x, y)
    case .deadLeaves: leafColour(x, y)
    case .patches: patchColour(x, y)
    case .chart: chartColour(x, y)
    }
  }

  private func chartColour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    if patches.contains(x, y) { return patchColour(x, y) }
    if wedge.contains(x, y) {
      let step = min(steps.count - 1, Int((x - wedge.x) / wedge.width * Double(steps.count)))
      return SIMD3(repeating: steps[step])
    }
    if edge.contains(x, y) { return edgeColour(x, y) }
    if zone.contains(x, y) { return zoneColour(x, y) }
    if star.contains(x, y) { return starColour(x, y) }
    if texture.contains(x, y) { return leafColour(x, y) }
    if up.contains(x, y), upWord.hasInk((x - up.x) / up.width, (y - up.y) / up.height) { return Self.ink }
    if duo.contains(x, y), duoWord.hasInk((x - duo.x) / duo.width, (y - duo.y) / duo.height) { return Self.ink }
    if dark.contains(x, y) { return darkColour(x, y) }
    return background(x, y)
  }

  /// A gradient, and the lamp with its halo.
  private func background(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let (u, v) = (x / all.width, y / all.height)
    let base = SIMD3(0.20, 0.24, 0.32) * (1 - v) + SIMD3(0.34, 0.28, 0.20) * v
    let (dx, dy) = (x - lamp.x, y - lamp.y)
    let q = (dx * dx + dy * dy) / (lampRadius * lampRadius)
    if q <= 1 { return Self.lampLight }
    return base * (0.5 + u) + Self.lampLight * (0.12 * ExactMath.exp(-0.5 * q) + 0.02 / (q * q))
  }

  /// About six stops below the rest: a checkerboard, and bars that get finer to the right.
  private func darkColour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let (u, v) = ((x - dark.x) / dark.width, (y - dark.y) / dark.height)
    let isLight =
      v < 0.5
      ? (Int(u * 12) + Int(v * 12)) & 1 == 0
      : ExactMath.sine(turns: u * (4 + 20 * u)) > 0
    return isLight ? SIMD3(0.0060, 0.0052, 0.0044) : SIMD3(0.0016, 0.0018, 0.0022)
  }

  private func patchColour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let u = (x - patches.x) / patches.width * 6
    let v = (y - patches.y) / patches.height * 4
    let (column, row) = (min(5, Int(u)), min(3, Int(v)))
    let (du, dv) = (abs(u - Double(column) - 0.5), abs(v - Double(row) - 0.5))
    return max(du, dv) > 0.44 ? Self.ink : palette[row * 6 + column]
  }

  private func edgeColour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let dx = x - edge.x - edge.width * 0.5
    let dy = y - edge.y - edge.height * 0.5
    return dx * Self.edgeNormal.x + dy * Self.edgeNormal.y > 0 ? Self.paper : Self.ink
  }

  /// The phase `r² / (4·half)` turns changes by half a turn a pixel at `r = half`: white and black in turn.
  private func zoneColour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let dx = x - zone.x - zone.width * 0.5
    let dy = y - zone.y - zone.height * 0.5
    let turns = (dx * dx + dy * dy) / (2 * max(zone.width, zone.height))
    return SIMD3(repeating: 0.45 + 0.4 * ExactMath.cosine(turns: turns))
  }

  /// 36 spokes: the sign of the imaginary part of `(dx + i·dy)³⁶`.
  private func starColour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let dx = (x - star.x) / star.width - 0.5
    let dy = ((y - star.y) / star.height - 0.5) * star.height / star.width
    let squared = dx * dx + dy * dy
    if squared == 0 { return Self.paper }
    let scale = 1 / squared.squareRoot()
    let z2 = Self.squared(SIMD2(dx, dy) * scale)
    let z4 = Self.squared(z2)
    let z32 = Self.squared(Self.squared(Self.squared(z4)))
    return z32.x * z4.y + z32.y * z4.x > 0 ? Self.paper : Self.ink
  }

  private func leafColour(_ x: Double, _ y: Double) -> SIMD3<Double> {
    leaves?.colour(x - texture.x, y - texture.y) ?? Self.paper
  }

  private static func squared(_ z: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(z.x * z.x - z.y * z.y, 2 * z.x * z.y)
  }

  /// The light of an 8-bit sRGB code (IEC 61966-2-1).
  private static func linear(_ code: UInt32) -> Double {
    let v = Double(code) / 255
    return v <= 0.04045 ? v / 12.92 : ExactMath.pow((v + 0.055) / 1.055, 2.4)
  }
}
