import ImageCore
import Pipeline
import Synthesis
import Testing

@Suite("Lamps and noise of fused DNGs")
struct FusedLightTests {
  private static let size = PixelSize(width: 768, height: 576)

  private struct NotLinear: Error {}

  /// Light of red, green and blue in parts of white.
  private func light(_ photo: RawPhoto) throws -> Image<RGB<Float>> {
    guard case .linear(let picture) = photo.pixels else { throw NotLinear() }
    let black = picture.levels.black.mean
    let scale = 1 / (picture.levels.white[0] - black)
    return Image(picture.size) { x, y in
      let p = picture.samples[x, y]
      return RGB((Float(p.red) - black) * scale, (Float(p.green) - black) * scale, (Float(p.blue) - black) * scale)
    }
  }

  @Test("A lamp that every frame clips is white, and has no magenta rim", arguments: [(0.0, Float(0.03)), (2, 0.08)])
  func lamp(bracket: Double, most: Float) throws {
    var recipe = ShotRecipe(size: Self.size)
    (recipe.frames, recipe.bracketStops, recipe.electrons) = (3, bracket, 4000)
    let (photo, report) = try ShotSupport.fusedDNG(recipe)
    #expect(report?.decision == .fused)
    let image = try light(photo)
    guard case .neutral(let neutral) = photo.calibration.asShotWhite else { throw NotLinear() }
    // Where the chart has its lamp; within its radius light is 8 times white.
    let (centreX, centreY) = (0.89 * Double(image.width) - 0.5, 0.22 * Double(image.height) - 0.5)
    let radius = 0.06 * Double(image.height)
    var (magenta, place, core) = (Float(-1), (x: 0, y: 0), Float(2))
    for y in 0..<image.height {
      for x in 0..<image.width {
        let (dx, dy) = (Double(x) - centreX, Double(y) - centreY)
        let distance = (dx * dx + dy * dy).squareRoot() / radius
        let p = image[x, y]
        if distance < 0.7 { core = min(core, p.red, p.green, p.blue) }
        guard distance > 0.8, distance < 1.25 else { continue }
        let roots = [(p.red, neutral[0]), (p.green, neutral[1]), (p.blue, neutral[2])].map { value, grey in
          max(0, min(1, value / Float(grey))).squareRoot()
        }
        let excess = (roots[0] + roots[2]) / 2 - roots[1]
        if excess > magenta { (magenta, place) = (excess, (x, y)) }
      }
    }
    // Roots of light; without a common white it is 0.06, in a bracket 0.16.
    #expect(magenta < most, "at \(place) of \(image.size): magenta by \(magenta)")
    // All photosites saturated: white under any white balance.
    #expect(core > 0.999, "the lamp's core has a colour of \(core)")
  }

  @Test("The noise profile is the noise of even patches at every level of light", arguments: [4000.0, 250])
  func noise(electrons: Double) throws {
    var recipe = ShotRecipe(size: Self.size)
    (recipe.kind, recipe.frames, recipe.electrons) = (.patches, 4, electrons)
    let (photo, report) = try ShotSupport.fusedDNG(recipe)
    #expect(report?.decision == .fused)
    let profile = try #require(photo.noise)
    #expect(profile.planes.count == 3)
    let image = try light(photo)
    let (columns, rows) = (6, 4)
    for patch in 0..<columns * rows {
      let (column, row) = (patch % columns, patch / columns)
      // The inner part, away from blurred edges.
      let across = (column * 5 + 1) * image.width / (5 * columns)..<(column * 5 + 4) * image.width / (5 * columns)
      let down = (row * 5 + 1) * image.height / (5 * rows)..<(row * 5 + 4) * image.height / (5 * rows)
      var (sum, squares) = (SIMD3<Double>(), SIMD3<Double>())
      for y in down {
        for x in across {
          let p = image[x, y]
          let value = SIMD3(Double(p.red), Double(p.green), Double(p.blue))
          sum += value
          squares += value * value
        }
      }
      let count = Double(across.count * down.count)
      let (mean, variance) = (sum / count, squares / count - (sum / count) * (sum / count))
      for colour in 0..<3 {
        let plane = profile.plane(colour)
        let expected = plane.scale * mean[colour] + plane.offset
        let ratio = (expected / variance[colour]).squareRoot()
        #expect(
          ratio > 0.8 && ratio < 1.25,
          "patch \(patch), colour \(colour), light \(mean[colour]): the profile says \(ratio) times the deviation")
      }
    }
  }
}
