import ImageCore

/// Colours of a heat map: black over violet and red to yellow and white, ever lighter by equal steps of L*, so that
/// they can be told apart in grey too.
enum HeatColours {
  /// 256 colours for 0...1, sRGB.
  static let table: [RGB<UInt8>] = (0...255).map { colour(Double($0) / 255) }

  /// a*, b* at equal steps of lightness, inside sRGB's gamut.
  private static let hues: [(a: Double, b: Double)] = [
    (0, 0), (38, -44), (60, -8), (58, 38), (22, 66), (-4, 50), (0, 0),
  ]
  private static let darkest = 2.0
  private static let lightest = 99.0

  private static func colour(_ share: Double) -> RGB<UInt8> {
    let place = share * Double(hues.count - 1)
    let index = min(Int(place), hues.count - 2)
    let part = place - Double(index)
    let (from, to) = (hues[index], hues[index + 1])
    let l = darkest + (lightest - darkest) * share
    let fy = (l + 16) / 116
    let f = [
      fy + (from.a + (to.a - from.a) * part) / 500, fy, fy - (from.b + (to.b - from.b) * part) / 200,
    ]
    // CIE 15:2004, annex: the inverse of the lightness curve.
    let relative = f.map { $0 > 6.0 / 29 ? $0 * $0 * $0 : (116 * $0 - 16) * 27 / 24389 }
    let xyz = zip(relative, Chromaticity.d65.xyz).map(*)
    let light = (OutputColourSpace.sRGB.toXYZ.inverse ?? .identity(3)) * xyz
    let stored = light.map { light in
      UInt8(
        intensity: 255 * TransferFunction.sRGB.encode(min(1, max(0, light)), power: Elementary.power))
    }
    return RGB(stored[0], stored[1], stored[2])
  }
}
