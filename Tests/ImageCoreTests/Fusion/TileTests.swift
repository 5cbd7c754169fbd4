import Testing

@testable import ImageCore

@Suite("Tiles of a difference")
struct TileTests {
  private static func spectra(_ power: Float) -> NoiseSpectra {
    let flat = [Float](repeating: power, count: DifferenceTiles.area)
    let level = NoiseSpectra.Level(
      root: 0.5, detail: [flat, flat, flat], composite: [flat, flat, flat], blocks: .one, colours: .one,
      compositeColours: .one, grey: 1, band: 1, detailBand: 1, light: 0.25, enlarged: .one)
    return NoiseSpectra(levels: [level], whiteRoot: 1)
  }

  private static func run(_ power: Float) -> (from: [Float], to: [Float]) {
    let area = DifferenceTiles.span * DifferenceTiles.span
    var noise = EvenNoise(seed: 2)
    let difference = (0..<area).map { _ in noise.next() }
    let brightness = [Float](repeating: 0.5, count: area)
    var out = [Float](repeating: 0, count: area)
    var taken = [Float](repeating: 0, count: DifferenceTiles.across * DifferenceTiles.across)
    var scratch = TileScratch()
    TileShrinkage(spectra(power), plane: 0, strength: 3).run(
      difference, brightness: brightness, into: &out, taken: &taken, scratch: &scratch)
    return (difference, out)
  }

  @Test("Without noise the tiles add up to what they were cut from")
  func identity() {
    let (from, to) = Self.run(0)
    var worst: Float = 0
    for y in 0..<DifferenceTiles.unit {
      for x in 0..<DifferenceTiles.unit {
        let index = (y + DifferenceTiles.halo) * DifferenceTiles.span + x + DifferenceTiles.halo
        worst = max(worst, abs(from[index] - to[index]))
      }
    }
    #expect(worst < 1e-4, "off by \(worst) of a deviation of 1")
  }

  @Test("White noise of the power that is expected is taken away")
  func noise() {
    // Windowed white noise of variance 1 has a quarter in each coefficient; half of it is said to be the composite's.
    let (_, to) = Self.run(0.125)
    let power = to.reduce(Float(0)) { $0 + $1 * $1 } / Float(to.count)
    #expect(power < 0.02, "\(power) of a power of 1 is left")
  }

  @Test("A wave keeps its frequency: coefficients are those of the cosine transform")
  func transform() {
    // One basis function, scaled: all power in one coefficient, so it survives noise that would bury it otherwise.
    let side = DifferenceTiles.span
    let area = side * side
    let wave = (0..<area).map { index -> Float in index % side / 4 % 2 == 0 ? 1 : -1 }
    var out = [Float](repeating: 0, count: area)
    var taken = [Float](repeating: 0, count: DifferenceTiles.across * DifferenceTiles.across)
    var scratch = TileScratch()
    TileShrinkage(Self.spectra(0.01), plane: 0, strength: 3).run(
      wave, brightness: [Float](repeating: 0.5, count: area), into: &out, taken: &taken, scratch: &scratch)
    var (both, own) = (0.0, 0.0)
    for y in 16..<side - 16 {
      for x in 16..<side - 16 {
        both += Double(wave[y * side + x] * out[y * side + x])
        own += Double(wave[y * side + x] * wave[y * side + x])
      }
    }
    #expect(both / own > 0.97, "\(both / own) of the wave is left")
  }
}
