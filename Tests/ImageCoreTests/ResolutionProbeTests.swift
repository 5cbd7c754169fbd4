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
      #expect(!found.isEnlarged, "\(kind), blur \(blur), \(electrons) e-: \(found)")
      let noise = try #require(found.noiseShare)
      #expect(noise > 0.7, "\(kind), blur \(blur), \(electrons) e-: \(found)")
    }
  }

  @Test("A frame interpolated from a binned one is found out", arguments: [4000.0, 250])
  func enlarged(electrons: Double) throws {
    for kind in [SceneKind.chart, .deadLeaves, .flat] {
      let found = try measure { ($0.enlargement, $0.electrons, $0.kind) = (.smooth, electrons, kind) }
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
    // The same with every second column blended with the next cluster of its colour: linear interpolation.
    var blended = samples
    for y in 0..<recipe.size.height {
      for x in 4..<recipe.size.width - 4 where x & 1 == 1 {
        blended[x, y] = UInt16((3 * Int(samples[x, y]) + Int(samples[x + 4, y])) / 4)
      }
    }
    let interpolated = Mosaic(samples: blended, cfa: quad, levels: bayer.levels)
    let profile = try #require(small.noise)
    let single = NoiseProfile(
      planes: profile.planes.map { NoiseProfile.Plane(scale: 4 * $0.scale, offset: 4 * $0.offset) })
    let second = try #require(ResolutionProbe.measure(interpolated, noise: single))
    #expect(second.isEnlarged, "\(second)")
    let flat = try measure { $0.kind = .flat }
    #expect(flat.detailShare == nil && !flat.isEnlarged, "\(flat)")
    #expect(ResolutionProbe.measure(bayer, noise: nil) == nil)
  }
}
