import ImageCore
import Synthesis
import Testing

@Suite("Whether a quad mosaic shows more than its clusters' means")
struct ResolutionProbeTests {
  private func measure(_ change: (inout ShotRecipe) -> Void) throws -> ResolutionProbe {
    var recipe = ShotRecipe(size: PixelSize(width: 768, height: 576))
    change(&recipe)
    let photo = ShotSynthesizer(recipe).detail()
    guard case .mosaic(let mosaic) = photo.pixels else { throw NotMosaic() }
    return try #require(ResolutionProbe.measure(mosaic, noise: photo.noise))
  }

  private struct NotMosaic: Error {}

  @Test("Sharp and soft lenses, much and little light", arguments: [0.6, 0.9], [4000.0, 1000, 250, 60])
  func real(blur: Double, electrons: Double) throws {
    for kind in [SceneKind.chart, .deadLeaves] {
      let found = try measure { ($0.blurSigma, $0.electrons, $0.kind) = (blur, electrons, kind) }
      print("REAL", kind, blur, electrons, found.detailShare as Any, found.noiseShare as Any, found.windows)
      #expect(!found.isEnlarged, "\(kind), blur \(blur), \(electrons) e-: \(found)")
      let noise = try #require(found.noiseShare)
      #expect(noise > 0.7, "\(kind), blur \(blur), \(electrons) e-: \(found)")
    }
  }

  @Test(
    "Light enlarged from a quarter of the pixels is found out, its noise notwithstanding", arguments: [4000.0, 1000])
  func enlarged(electrons: Double) throws {
    for kind in [SceneKind.chart, .deadLeaves] {
      let found = try measure { ($0.isEnlarged, $0.electrons, $0.kind) = (true, electrons, kind) }
      print("FAKE", kind, electrons, found.detailShare as Any, found.noiseShare as Any, found.windows)
      #expect(found.isEnlarged, "\(kind), \(electrons) e-: \(found)")
    }
  }

  @Test("A mosaic of doubled photosites is found out; a flat scene tells nothing")
  func doubledAndFlat() throws {
    let recipe = ShotRecipe(size: PixelSize(width: 768, height: 576))
    let small = ShotSynthesizer(recipe).companion(0)
    guard case .mosaic(let bayer) = small.pixels else { throw NotMosaic() }
    var samples = Image<UInt16>(recipe.size, repeating: 0)
    for y in 0..<recipe.size.height {
      for x in 0..<recipe.size.width { samples[x, y] = bayer.samples[x / 2, y / 2] }
    }
    let quad = CFAPattern(cell: bayer.cfa, clusterSide: 2)!
    let doubled = Mosaic(samples: samples, cfa: quad, levels: bayer.levels)
    let found = try #require(ResolutionProbe.measure(doubled, noise: small.noise))
    #expect(found.isEnlarged, "\(found)")
    let flat = try measure { $0.kind = .flat }
    #expect(flat.detailShare == nil && !flat.isEnlarged, "\(flat)")
    #expect(ResolutionProbe.measure(bayer, noise: nil) == nil)
  }
}
