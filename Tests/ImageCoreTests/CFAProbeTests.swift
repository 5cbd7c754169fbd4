import ImageCore
import Synthesis
import Testing

@Suite("The colour filter array seen in the pixels")
struct CFAProbeTests {
  static func capture(
    _ cfa: String, scene: SceneKind = .chart, iso: Int = 100, ev: Double = 0, declared: String? = nil,
    size: PixelSize = PixelSize(width: 384, height: 256), seed: UInt64 = 1
  ) throws -> Mosaic {
    var sensor = SensorRecipe()
    sensor.cfa = try #require(CFAPattern(named: cfa))
    sensor.declaredCFA = try declared.map { try #require(CFAPattern(named: $0)) }
    sensor.iso = iso
    sensor.exposureEV = ev
    sensor.seed = seed
    let capture = Synthesizer.capture(Scene(SceneRecipe(kind: scene, size: size, seed: seed)), sensor: sensor)
    guard case .mosaic(let mosaic) = capture.photo.pixels else { throw BinningError.notMosaic }
    return mosaic
  }

  @Test(arguments: [("quad", 2), ("nona", 3), ("hexadeca", 4)])
  func everyOriginIsFoundUnderAWrongTag(kind: (String, Int)) throws {
    for y in 0..<kind.1 {
      for x in 0..<kind.1 {
        // Clusters of an RGGB cell in every phase, tagged as plain RGGB.
        let truth = try #require(CFAPattern(named: "\(kind.0)-rggb+\(x),\(y)"))
        let mosaic = try Self.capture(
          truth.description, declared: "rggb", size: PixelSize(width: 480, height: 336))
        let found = CFAProbe().measure(mosaic)
        #expect(found.pattern == truth && found.isCertain, "\(truth): \(found)")
      }
    }
  }

  @Test(arguments: ["quad-rggb", "quad-bggr+1,0", "nona-grbg+1,2", "hexadeca-gbrg+0,3", "rggb", "gbrg", "xtrans+2,3"])
  func aTrueTagIsConfirmed(name: String) throws {
    for scene in [SceneKind.chart, .deadLeaves] {
      for iso in [100, 3200] {
        let mosaic = try Self.capture(name, scene: scene, iso: iso)
        let found = CFAProbe().measure(mosaic)
        #expect(found.pattern == mosaic.cfa, "\(name) \(scene) ISO \(iso): \(found)")
      }
    }
  }

  @Test(arguments: ["rggb", "gbrg", "xtrans"], SceneKind.allCases)
  func noiseAndTextureDoNotMakeClusters(name: String, scene: SceneKind) throws {
    for (iso, ev) in [(100, 0.0), (6400, 0.0), (1600, -4.0), (100, 3.0)] {
      let found = CFAProbe().measure(try Self.capture(name, scene: scene, iso: iso, ev: ev))
      let isClustered = (found.pattern?.clusters?.side ?? 1) > 1
      #expect(!(isClustered && found.isCertain), "\(name) \(scene) ISO \(iso) \(ev) EV: \(found)")
    }
  }

  @Test func theGreensOfABayerTagAreChecked() throws {
    let wrong = try Self.capture("rggb", declared: "grbg")
    let found = CFAProbe().measure(wrong)
    #expect(found.isCertain && found.pattern?.clusters?.side == 1)
    #expect(found.pattern.map { $0.colours[0] } != .green)
  }

  @Test func clippedAndEmptyPicturesTellNothing() throws {
    let size = PixelSize(width: 400, height: 300)
    for count in [UInt16(64), 4095] {
      let mosaic = Mosaic(
        samples: Image(size, repeating: count), cfa: .rggb, levels: SensorLevels(black: 64, white: 4095))
      #expect(CFAProbe().measure(mosaic) == CFAMeasurement(pattern: nil, confidence: 0))
    }
    let tiny = try Self.capture("quad-rggb", size: PixelSize(width: 64, height: 64))
    #expect(CFAProbe().measure(tiny).confidence == 0)
  }

  @Test func gainsOfPhotositesDoNotTurnTheFinding() throws {
    for name in ["rggb", "quad-rggb+1,1"] {
      var mosaic = try Self.capture(name)
      mosaic.samples = SiteGainsTests.disturbed(mosaic, by: 0.05, period: 4)
      mosaic.cfa = .rggb
      let found = CFAProbe().measure(mosaic)
      #expect(found.isCertain && found.pattern == CFAPattern(named: name), "\(name): \(found)")
    }
  }

  @Test func threadsDoNotMatter() throws {
    let mosaic = try Self.capture("quad-rggb", declared: "rggb")
    #expect(CFAProbe().measure(mosaic, workers: Workers(count: 3)) == CFAProbe().measure(mosaic))
  }
}
