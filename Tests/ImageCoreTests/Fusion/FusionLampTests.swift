import ImageCore
import Testing

@Suite("Fusion of lamps that both pictures clip")
struct FusionLampTests {
  /// What red, green and blue see of neutral light; each clips at 1.
  private static let neutral = RGB<Float>(0.5, 1, 0.65)
  private static let radius = 30.0

  /// Four times as bright as green's white, falling by 1 a pixel beyond its radius.
  private static func lamp(_ phase: Double) -> FusionScene {
    FusionScene { x, y in
      let (dx, dy) = (x - 120 - phase, y - 96)
      return min(4, max(0.1, 4 - Float((dx * dx + dy * dy).squareRoot() - radius)))
    }
  }

  /// - Parameter isCut: all colours end at one white, as demosaicing for fusion has it; else each ends at its own.
  private static func seen(_ image: Image<RGB<Float>>, isCut: Bool) -> Image<RGB<Float>> {
    Image(image.size) { x, y in
      let light = isCut ? min(1, image[x, y].green) : image[x, y].green
      return RGB(min(1, light * neutral.red), min(1, light * neutral.green), min(1, light * neutral.blue))
    }
  }

  /// The largest difference between a pixel's colours once white is cut to one white, within a distance of the lamp's
  /// centre in detail pixels.
  private static func colour(
    _ size: PixelSize, _ phase: Double, within reach: Double, _ pixel: (Int, Int) -> RGB<Float>
  ) -> (colour: Float, x: Int, y: Int) {
    var worst: (colour: Float, x: Int, y: Int) = (0, 0, 0)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (dx, dy) = ((Double(x) + 0.5) * 24 / 17 - 120.5 - phase, (Double(y) + 0.5) * 24 / 17 - 96.5)
        guard dx * dx + dy * dy < reach * reach else { continue }
        let p = pixel(x, y)
        let lights = [min(1, p.red / neutral.red), min(1, p.green / neutral.green), min(1, p.blue / neutral.blue)]
        let colour = lights.max()! - lights.min()!
        if colour > worst.colour { worst = (colour, x, y) }
      }
    }
    return worst
  }

  @Test(
    "White to its rim, and no more colour there than in the detail frame alone", arguments: [0.0, 0.3], [false, true])
  func clippedInBoth(phase: Double, isCut: Bool) throws {
    let scene = Self.lamp(phase)
    let detail = Self.seen(scene.detail(), isCut: isCut)
    for gate in [FusionOptions.Gate.open, .closed] {
      let plan = try FusionScene.plan(gate: gate, neutral: RGBTriple(0.5, 1, 0.65))
      let result = plan.run(FusionComposite(pixels: Self.seen(scene.composite(), isCut: isCut)), FusionDetail(detail))
      func pixel(_ x: Int, _ y: Int) -> RGB<Float> {
        let (p, range) = (result.pixels[x, y], Fusion.white - Fusion.black)
        return RGB(
          (Float(p.red) - Fusion.black) / range, (Float(p.green) - Fusion.black) / range,
          (Float(p.blue) - Fusion.black) / range)
      }
      let size = result.pixels.size
      let inside = Self.colour(size, phase, within: Self.radius - 2, pixel)
      // Half a code of 255.
      #expect(inside.colour < 0.002, "gate \(gate.rawValue): \(inside)")
      guard gate == .open else { continue }
      let alone = detail.resampled(to: size)
      let (own, theirs) = (
        Self.colour(size, phase, within: .infinity, pixel),
        Self.colour(size, phase, within: .infinity) { alone[$0, $1] }
      )
      #expect(own.colour < theirs.colour + (isCut ? 0.003 : 0.03), "\(own), and \(theirs) in the detail frame alone")
    }
  }
}
