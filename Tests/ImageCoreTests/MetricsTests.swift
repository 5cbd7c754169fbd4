import ImageCore
import Testing

@Suite("Metrics")
struct MetricsTests {
  /// Pairs 1, 4, 7, 8, 9, 10, 17, 18, 25 and 34 of table 1 of Sharma, Wu, Dalal 2005.
  static let published: [(LabColour, LabColour, Double)] = [
    (LabColour(50, 2.6772, -79.7751), LabColour(50, 0, -82.7485), 2.0425),
    (LabColour(50, -1.3802, -84.2814), LabColour(50, 0, -82.7485), 1.0000),
    (LabColour(50, 0, 0), LabColour(50, -1, 2), 2.3669),
    (LabColour(50, -1, 2), LabColour(50, 0, 0), 2.3669),
    (LabColour(50, 2.49, -0.001), LabColour(50, -2.49, 0.0009), 7.1792),
    (LabColour(50, 2.49, -0.001), LabColour(50, -2.49, 0.0010), 7.1792),
    (LabColour(50, 2.5, 0), LabColour(73, 25, -18), 27.1492),
    (LabColour(50, 2.5, 0), LabColour(61, -5, 29), 22.8977),
    (LabColour(60.2574, -34.0099, 36.2677), LabColour(60.4626, -34.1751, 39.4387), 1.2644),
    (LabColour(2.0776, 0.0795, -1.1350), LabColour(0.9033, -0.0636, -0.5514), 0.9082),
  ]

  static func ramp(_ shift: Int = 0) -> Image<RGB<UInt8>> {
    Image(PixelSize(width: 31, height: 23)) { x, y in
      RGB(UInt8(5 * x + shift), UInt8(7 * y + shift), UInt8((x * y) % 200 + shift))
    }
  }

  @Test(arguments: published.indices)
  func ciede2000AgreesWithThePaper(index: Int) {
    let (a, b, expected) = Self.published[index]
    #expect(abs(a.ciede2000(to: b) - expected) < 0.00006)
    #expect(abs(b.ciede2000(to: a) - expected) < 0.00006)
  }

  @Test func greyHasNoColour() {
    let white = LabColour(linearSRGB: RGB(1, 1, 1))
    #expect(abs(white.lightness - 100) < 1e-9 && abs(white.a) < 1e-9 && abs(white.b) < 1e-9)
  }

  @Test func equalPicturesDoNotDiffer() {
    let image = Self.ramp()
    #expect(PixelDifference(image, image).cpsnr == .infinity)
    #expect(PixelDifference(image, image).largest == 0)
    #expect(abs(StructuralSimilarity.mean(image, image) - 1) < 1e-12)
    #expect(ColourDifference(image, image).largest == 0)
  }

  @Test func psnrOfAKnownDifference() {
    let difference = PixelDifference(Self.ramp(), Self.ramp(5), border: 2)
    #expect(difference.largest == 5)
    #expect(abs(difference.cpsnr - 34.1514) < 0.0001)  // 20 log10(255 / 5)
    #expect(difference.psnr.allSatisfy { abs($0 - 34.1514) < 0.0001 })
  }

  @Test func similarityIsSymmetricAndFalls() {
    let a = Self.ramp()
    let near = StructuralSimilarity.mean(a, Self.ramp(2))
    let far = StructuralSimilarity.mean(a, Self.ramp(40))
    #expect(1 > near && near > far)
    #expect(abs(near - StructuralSimilarity.mean(Self.ramp(2), a)) < 1e-12)
  }
}
