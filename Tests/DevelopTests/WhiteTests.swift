import Develop
import ImageCore
import Testing

@Suite("White")
struct WhiteTests {
  private static let size = PixelSize(width: 96, height: 64)
  private static let neutral = [0.5, 1, 0.625]

  /// Grey light seen by a camera whose colours differ in strength; `light` is relative to green's saturation.
  private func photo(_ white: AsShotWhite, light: (Int, Int) -> Double) -> RawPhoto {
    let cfa = CFAPattern.rggb
    let samples = Image<UInt16>(Self.size) { x, y in
      UInt16((min(1, light(x, y) * Self.neutral[Int(cfa[x, y].rawValue)]) * 60000).rounded())
    }
    let mosaic = Mosaic(samples: samples, cfa: cfa, levels: SensorLevels(black: 0, white: 60000))
    return RawPhoto(pixels: .mosaic(mosaic), calibration: ColourCalibration(asShotWhite: white))
  }

  /// Largest difference between the colours of one pixel, borders left out.
  private func largestCast(_ photo: RawPhoto) throws -> Int {
    var options = DevelopOptions.standard
    options.tone = .linear
    var image = Image<RGB<UInt8>>(uninitialized: Self.size)
    try Developer(photo, options: options).render(PixelRect(Self.size), orientation: .up, into: &image)
    var largest = 0
    for y in 4..<Self.size.height - 4 {
      for x in 4..<Self.size.width - 4 {
        let colours = [image[x, y].red, image[x, y].green, image[x, y].blue].map(Int.init)
        largest = max(largest, colours.max()! - colours.min()!)
      }
    }
    return largest
  }

  @Test func sceneAverageIsGreyWhenNoWhiteIsRecorded() throws {
    // A slope without edges: what is seen is the white alone, not the demosaicer.
    let grey = photo(.unknown) { x, y in 0.2 + 0.003 * Double(x) + 0.002 * Double(y) }
    let cast = try largestCast(grey)
    #expect(cast <= 4, "a grey slope comes out with a cast of \(cast) codes")
  }

  @Test func clippedStripesHaveNoColouredFringes() throws {
    // Far above green's saturation beside mid-grey, as bars against a lamp.
    let bars = photo(.neutral(Self.neutral)) { x, _ in (x / 3) % 2 == 0 ? 1.8 : 0.3 }
    let cast = try largestCast(bars)
    #expect(cast <= 24, "fringes of \(cast) codes beside clipped light")
  }
}
