import ImageCore
import Testing

@Suite("Fusion of detail and composite")
struct FusionTests {
  private static let border = 8

  /// Root mean square of the difference of green light over the result, border left out.
  private static func deviation(_ result: FusionResult, _ expected: (Int, Int) -> Float) -> Double {
    var (sum, count) = (0.0, 0.0)
    for y in border..<result.pixels.height - border {
      for x in border..<result.pixels.width - border {
        let d = Double(FusionScene.green(result, x, y) - expected(x, y))
        sum += d * d
        count += 1
      }
    }
    return (sum / count).squareRoot()
  }

  @Test(
    "Sizes",
    arguments: [
      (PixelSize(width: 8064, height: 6048), PixelSize(width: 5712, height: 4284), 17, 24),
      (PixelSize(width: 8000, height: 6000), PixelSize(width: 5600, height: 4200), 7, 10),
      (PixelSize(width: 8160, height: 6120), PixelSize(width: 5760, height: 4320), 12, 17),
      (PixelSize(width: 8192, height: 6144), PixelSize(width: 5760, height: 4320), 45, 64),
    ])
  func sizes(detail: PixelSize, result: PixelSize, numerator: Int, denominator: Int) throws {
    let half = PixelSize(width: detail.width / 2, height: detail.height / 2)
    let geometry = try FusionGeometry(detail: detail, composite: half)
    #expect(geometry.size == result, "\(geometry.numerator)/\(geometry.denominator)")
    #expect(geometry.numerator == numerator && geometry.denominator == denominator)
  }

  @Test("Sizes that do not belong together are refused")
  func wrongSizes() {
    let (large, same) = (PixelSize(width: 800, height: 600), PixelSize(width: 800, height: 600))
    #expect(throws: FusionError.sizes(composite: same, detail: large)) {
      try FusionGeometry(detail: large, composite: same)
    }
    let tiny = PixelSize(width: 40, height: 600)
    #expect(throws: FusionError.tooSmall(tiny)) {
      try FusionGeometry(detail: tiny, composite: PixelSize(width: 20, height: 300))
    }
    #expect(throws: FusionError.self) { try FusionScene.plan(lightAtWhite: 0) }
  }

  @Test("A ramp and a wave land on the same place from both grids", arguments: [(0, 0), (1, 0), (-1, 2)])
  func places(originX: Int, originY: Int) throws {
    // Light whose slope is known: a place off by 1/16 pixel shows.
    let ramp = FusionScene { x, _ in Float(0.2 + 0.002 * x) }
    let wave = FusionScene { x, y in Float(0.5) + 0.2 * Self.sine((x + 0.6 * y) / 60) }
    let slopes = [0.002, 0.2 * 2 * Double.pi / 60 / 2.0.squareRoot()]
    for gate in [FusionOptions.Gate.closed, .open] {
      let plan = try FusionScene.plan(gate: gate, originX: originX, originY: originY)
      for (scene, slope) in zip([ramp, wave], slopes) {
        let composite = FusionComposite(
          pixels: scene.composite(originX: originX, originY: originY), originX: originX, originY: originY)
        let result = plan.run(composite, FusionDetail(scene.detail()))
        let error = Self.deviation(result) { x, y in scene.truth(x, y) }
        // Slope a detail pixel; a result pixel is 24/17 of it.
        #expect(error < slope / 16, "gate \(gate.rawValue): off by \(error / slope) detail pixels")
      }
    }
  }

  /// A sine of turns by Bhaskara's formula smoothed: a wave is a wave, its exact shape does not matter here.
  private static func sine(_ turns: Double) -> Float {
    let t = turns - turns.rounded(.down)
    let half = t < 0.5 ? t : t - 0.5
    let p = half * (0.5 - half)
    let value = 16 * p * 4 / (5 - 16 * p)
    return Float(t < 0.5 ? value : -value)
  }

  @Test("Without noise the result is the detail frame at the result's size")
  func ideal() throws {
    let scene = FusionScene()
    let detail = scene.detail()
    let result = try FusionScene.plan().run(FusionComposite(pixels: scene.composite()), FusionDetail(detail))
    let ideal = detail.resampled(to: result.pixels.size)
    let error = Self.deviation(result) { x, y in ideal[x, y].green }
    #expect(result.report.decision == .fused && result.report.detailShare > 0.02)
    #expect(error < 0.001, "off by \(error)")
  }

  @Test("Noise alone adds little to the composite")
  func pureNoise() throws {
    let scene = FusionScene { x, y in Float(0.3 + 0.0005 * (x + y)) }
    let sigma: Float = 0.05
    let composite = FusionComposite(pixels: scene.composite())
    let detail = FusionDetail(scene.detail(sigma: sigma))
    let fused = try FusionScene.plan(sigma: Double(sigma)).run(composite, detail)
    let error = Self.deviation(fused) { x, y in scene.truth(x, y) }
    // White noise shrunk to half the pixels keeps about 0.6 of its deviation; a sixth of that may pass.
    #expect(error < Double(sigma) * 0.1, "\(error) of noise of \(sigma)")
  }

  @Test("A constant stays constant")
  func constant() throws {
    let scene = FusionScene { _, _ in 0.37 }
    let result = try FusionScene.plan().run(
      FusionComposite(pixels: scene.composite()), FusionDetail(scene.detail()))
    let expected = Fusion.black + 0.37 * (Fusion.white - Fusion.black)
    for y in 0..<result.pixels.height {
      for x in 0..<result.pixels.width {
        let found = Float(result.pixels[x, y].green)
        guard abs(found - expected) <= 4 else {
          Issue.record("(\(x), \(y)) is \(found), not \(expected)")
          return
        }
      }
    }
  }

  @Test("Bits do not depend on threads")
  func threads() throws {
    let scene = FusionScene()
    let plan = try FusionScene.plan(sigma: 0.01, alignment: .auto)
    let composite = FusionComposite(pixels: scene.composite(shift: 1.7))
    let detail = FusionDetail(scene.detail(sigma: 0.01))
    let one = plan.run(composite, detail)
    let three = plan.run(composite, detail, Resources(workers: Workers(count: 3), pool: MemoryPool()))
    #expect(one.pixels == three.pixels)
    #expect(one.sourceMap == three.sourceMap && one.ghostMap == three.ghostMap && one.report == three.report)
  }

  @Test("A shifted composite is laid on the detail frame", arguments: [0.0, 2.5, -7.0])
  func shifted(by shift: Double) throws {
    let scene = FusionScene()
    let result = try FusionScene.plan(sigma: 0.003, alignment: .auto).run(
      FusionComposite(pixels: scene.composite(shift: shift)), FusionDetail(scene.detail(sigma: 0.003)))
    // Displacements are in pixels of the composite: to 1/8.
    let motion = result.report.registration.motion
    #expect(abs(motion.shiftX - shift / 2) < 0.125 && abs(motion.shiftY - shift / 2) < 0.125, "\(motion)")
    // Detail that the result's grid cannot show is missing from any picture of its size.
    let ideal = scene.detail().resampled(to: result.pixels.size)
    let error = Self.deviation(result) { x, y in ideal[x, y].green }
    #expect(error < 0.004, "off by \(error): \(result.report)")
  }

  @Test("Light of another exposure is matched")
  func gain() throws {
    let scene = FusionScene()
    let result = try FusionScene.plan().run(
      FusionComposite(pixels: scene.composite()), FusionDetail(scene.detail(gain: 0.9)))
    #expect(abs(result.report.gains.green - 0.9) < 0.01, "\(result.report.gains)")
    let ideal = scene.detail().resampled(to: result.pixels.size)
    let error = Self.deviation(result) { x, y in ideal[x, y].green }
    #expect(error < 0.004, "off by \(error): \(result.report)")
  }

  @Test("What moved comes from the detail frame, without a ghost")
  func moving() throws {
    let still = FusionScene()
    let square = PixelRect(x: 100, y: 80, width: 48, height: 48)
    let before = FusionScene { x, y in
      square.columns.contains(Int(x)) && square.rows.contains(Int(y)) ? 0.75 : FusionScene.texture(x, y)
    }
    let result = try FusionScene.plan(sigma: 0.003).run(
      FusionComposite(pixels: before.composite()), FusionDetail(still.detail(sigma: 0.003)))
    #expect(result.report.ghostShare > 0.01)
    let ideal = still.detail().resampled(to: result.pixels.size)
    let error = Self.deviation(result) { x, y in ideal[x, y].green }
    #expect(error < 0.006, "off by \(error): \(result.report)")
  }

  @Test("Where something moved the detail frame is taken as it is, noise and all")
  func movingAsItIs() throws {
    let still = FusionScene()
    let square = PixelRect(x: 72, y: 56, width: 96, height: 80)
    // Brighter than any texture: nothing of it looks alike.
    let before = FusionScene { x, y in
      square.columns.contains(Int(x)) && square.rows.contains(Int(y)) ? 0.95 : FusionScene.texture(x, y)
    }
    let sigma: Float = 0.01
    let detail = still.detail(sigma: sigma)
    let result = try FusionScene.plan(sigma: Double(sigma)).run(
      FusionComposite(pixels: before.composite()), FusionDetail(detail))
    let alone = detail.resampled(to: result.pixels.size)
    var worst: (off: Float, x: Int, y: Int) = (0, 0, 0)
    for y in (square.y + 16) * 17 / 24..<(square.y + square.height - 16) * 17 / 24 {
      for x in (square.x + 16) * 17 / 24..<(square.x + square.width - 16) * 17 / 24 {
        let off = abs(FusionScene.green(result, x, y) - alone[x, y].green)
        if off > worst.off { worst = (off, x, y) }
      }
    }
    // The match of light may be off by a little; noise that was shrunk away would be off by several deviations.
    #expect(worst.off < sigma / 2, "off by \(worst)")
  }

  @Test("Light beyond the detail frame's white comes from the composite")
  func clipped() throws {
    let lamp = FusionScene { x, y in (x - 120) * (x - 120) + (y - 96) * (y - 96) < 900 ? 0.8 : 0.1 }
    // The frame's white is a quarter of the composite's.
    let detail = FusionDetail(lamp.detail(gain: 4, limit: 1), lightAtWhite: 0.25)
    let result = try FusionScene.plan(lightAtWhite: 0.25).run(FusionComposite(pixels: lamp.composite()), detail)
    let (x, y) = (120 * 17 / 24, 96 * 17 / 24)
    #expect(abs(FusionScene.green(result, x, y) - 0.8) < 0.01, "\(FusionScene.green(result, x, y))")
    #expect(abs(FusionScene.green(result, 20, 20) - 0.1) < 0.01, "\(FusionScene.green(result, 20, 20))")
    #expect(result.report.clippedShare > 0.01)
  }

  @Test("Too little light, and another scene, give the enlarged composite and say so")
  func gates() throws {
    let scene = FusionScene()
    let dark = try FusionScene.plan(sigma: 0.2, gate: .auto)
    #expect(dark.decision == .tooDark && dark.detailNoise > FusionPlan.noiseLimit)
    let unread = FusionDetail(size: FusionScene.size) { _, _ in Issue.record("the frame was read in vain") }
    let enlarged = dark.run(FusionComposite(pixels: scene.composite()), unread)
    #expect(enlarged.report.decision == .tooDark && enlarged.report.detailShare == 0)
    let other = FusionScene { x, y in FusionScene.texture(239 - x, 191 - y * 0.7) }
    let result = try FusionScene.plan(sigma: 0.002, alignment: .auto).run(
      FusionComposite(pixels: other.composite()), FusionDetail(scene.detail()))
    #expect(result.report.decision == .differentScenes, "similarity \(result.report.registration.similarity)")
  }
}
