import ImageCore
import Testing

@testable import Synthesis

private func counts(_ capture: SyntheticCapture) -> Image<UInt16> {
  guard case .mosaic(let mosaic) = capture.photo.pixels else { preconditionFailure("synthesizer makes mosaics") }
  return mosaic.samples
}

@Test func philoxKnownAnswer() {
  let block = CounterRandom.philox(counter: SIMD4(), key: SIMD2())
  #expect(block == SIMD4(0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8))
}

@Test func exactMathMatchesKnownValues() {
  #expect(abs(ExactMath.sine(turns: 1.0 / 12) - 0.5) < 1e-13)
  #expect(abs(ExactMath.cosine(turns: 100 + 1.0 / 6) - 0.5) < 1e-12)
  #expect(ExactMath.exp2(-3) == 0.125)
  #expect(abs(ExactMath.exp(1) - 2.718281828459045) < 1e-13)
  #expect(abs(ExactMath.log(10) - 2.302585092994046) < 1e-13)
}

@Test(arguments: SceneKind.allCases)
func threadsChangeNothing(kind: SceneKind) {
  let recipe = SceneRecipe(kind: kind, size: PixelSize(width: 150, height: 100), seed: 3)
  let seven = Resources(workers: Workers(count: 7))
  let one = Synthesizer.capture(Scene(recipe, resources: Resources()), sensor: SensorRecipe(), resources: Resources())
  let many = Synthesizer.capture(Scene(recipe, resources: seven), sensor: SensorRecipe(), resources: seven)
  #expect(one.truth == many.truth)
  #expect(counts(one) == counts(many))
}

@Test(arguments: ["rggb", "quad-rggb"])
func flatCountsFollowTheResponse(name: String) throws {
  var sensor = SensorRecipe()
  sensor.cfa = try #require(CFAPattern(named: name))
  sensor.hasNoise = false
  let scene = Scene(SceneRecipe(kind: .flat, size: PixelSize(width: 16, height: 12), seed: 1))
  let samples = counts(Synthesizer.capture(scene, sensor: sensor))
  let expected: [CFAColour: Double] = [.red: 0.5, .green: 1, .blue: 0.62]
  for y in 0..<12 {
    for x in 0..<16 {
      let gain = try #require(expected[sensor.cfa[x, y]])
      #expect(Double(samples[x, y]) == (528 + 0.25 * gain * (4095 - 528)).rounded())
    }
  }
}

@Test(arguments: Orientation.allCases)
func orientationMakesTheStoredPixelsUpright(orientation: Orientation) throws {
  let scene = Scene(SceneRecipe(kind: .chart, size: PixelSize(width: 96, height: 64), seed: 1))
  var sensor = SensorRecipe()
  sensor.hasNoise = false
  // One colour everywhere, so that only the place of a photosite matters.
  sensor.cfa = try #require(CFAPattern(width: 1, height: 1, colours: [.green]))
  let upright = counts(Synthesizer.capture(scene, sensor: sensor))
  sensor.orientation = orientation
  let turned = Synthesizer.capture(scene, sensor: sensor)
  #expect(turned.photo.orientation == orientation)
  #expect(counts(turned).oriented(orientation) == upright)
}

@Test(arguments: [100, 3200, 25600])
func noiseHasTheDeclaredMeanAndVariance(iso: Int) throws {
  var sensor = SensorRecipe()
  sensor.cfa = try #require(CFAPattern(width: 1, height: 1, colours: [.green]))
  sensor.iso = iso
  sensor.black = 20000
  sensor.white = 65535
  let scene = Scene(SceneRecipe(kind: .flat, size: PixelSize(width: 256, height: 256), seed: 1))
  let capture = Synthesizer.capture(scene, sensor: sensor)
  let samples = counts(capture)
  let plane = try #require(capture.photo.noise?.plane(0))
  var (sum, squares) = (0.0, 0.0)
  for y in 0..<256 {
    for x in 0..<256 {
      let value = (Double(samples[x, y]) - 20000) / 45535
      sum += value
      squares += value * value
    }
  }
  let mean = sum / 65536
  let variance = squares / 65536 - mean * mean
  let expected = plane.scale * 0.25 + plane.offset
  #expect(abs(mean - 0.25) < 5 * (expected / 65536).squareRoot())
  #expect(abs(variance / expected - 1) < 0.04)
}

@Test func motionMovesThePictureRightAndDown() {
  let scene = Scene(SceneRecipe(kind: .deadLeaves, size: PixelSize(width: 64, height: 64), seed: 5))
  var sensor = SensorRecipe()
  sensor.blurSigma = 0
  (sensor.motionX, sensor.motionY) = (3, 2)
  let truth = Synthesizer.capture(scene, sensor: sensor).truth
  #expect(truth[33, 42] == scene.light[30, 40])
}
