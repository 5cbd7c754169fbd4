import Testing

@testable import ImageCore

/// Table 1 of Sharma, Wu, Dalal 2005: two colours and their difference.
private let published: [(LabColour, LabColour, Double)] = [
  (LabColour(50, 2.6772, -79.7751), LabColour(50, 0, -82.7485), 2.0425),
  (LabColour(50, 3.1571, -77.2803), LabColour(50, 0, -82.7485), 2.8615),
  (LabColour(50, 2.8361, -74.0200), LabColour(50, 0, -82.7485), 3.4412),
  (LabColour(50, -1.3802, -84.2814), LabColour(50, 0, -82.7485), 1.0000),
  (LabColour(50, -1.1848, -84.8006), LabColour(50, 0, -82.7485), 1.0000),
  (LabColour(50, -0.9009, -85.5211), LabColour(50, 0, -82.7485), 1.0000),
  (LabColour(50, 0, 0), LabColour(50, -1, 2), 2.3669),
  (LabColour(50, -1, 2), LabColour(50, 0, 0), 2.3669),
  (LabColour(50, 2.49, -0.001), LabColour(50, -2.49, 0.0009), 7.1792),
  (LabColour(50, 2.49, -0.001), LabColour(50, -2.49, 0.0010), 7.1792),
  (LabColour(50, 2.49, -0.001), LabColour(50, -2.49, 0.0011), 7.2195),
  (LabColour(50, 2.49, -0.001), LabColour(50, -2.49, 0.0012), 7.2195),
  (LabColour(50, -0.001, 2.49), LabColour(50, 0.0009, -2.49), 4.8045),
  (LabColour(50, -0.001, 2.49), LabColour(50, 0.0010, -2.49), 4.8045),
  (LabColour(50, -0.001, 2.49), LabColour(50, 0.0011, -2.49), 4.7461),
  (LabColour(50, 2.5, 0), LabColour(50, 0, -2.5), 4.3065),
  (LabColour(50, 2.5, 0), LabColour(73, 25, -18), 27.1492),
  (LabColour(50, 2.5, 0), LabColour(61, -5, 29), 22.8977),
  (LabColour(50, 2.5, 0), LabColour(56, -27, -3), 31.9030),
  (LabColour(50, 2.5, 0), LabColour(58, 24, 15), 19.4535),
  (LabColour(50, 2.5, 0), LabColour(50, 3.1736, 0.5854), 1.0000),
  (LabColour(50, 2.5, 0), LabColour(50, 3.2972, 0), 1.0000),
  (LabColour(50, 2.5, 0), LabColour(50, 1.8634, 0.5757), 1.0000),
  (LabColour(50, 2.5, 0), LabColour(50, 3.2592, 0.3350), 1.0000),
  (LabColour(60.2574, -34.0099, 36.2677), LabColour(60.4626, -34.1751, 39.4387), 1.2644),
  (LabColour(63.0109, -31.0961, -5.8663), LabColour(62.8187, -29.7946, -4.0864), 1.2630),
  (LabColour(61.2901, 3.7196, -5.3901), LabColour(61.4292, 2.2480, -4.9620), 1.8731),
  (LabColour(35.0831, -44.1164, 3.7933), LabColour(35.0232, -40.0716, 1.5901), 1.8645),
  (LabColour(22.7233, 20.0904, -46.6940), LabColour(23.0331, 14.9730, -42.5619), 2.0373),
  (LabColour(36.4612, 47.8580, 18.3852), LabColour(36.2715, 50.5065, 21.2231), 1.4146),
  (LabColour(90.8027, -2.0831, 1.4410), LabColour(91.1528, -1.6435, 0.0447), 1.4441),
  (LabColour(90.9257, -0.5406, -0.9208), LabColour(88.6381, -0.8985, -0.7239), 1.5381),
  (LabColour(6.7747, -0.2908, -2.4247), LabColour(5.8714, -0.0985, -2.2286), 0.6377),
  (LabColour(2.0776, 0.0795, -1.1350), LabColour(0.9033, -0.0636, -0.5514), 0.9082),
]

@Suite("Colour difference")
struct ColourDifferenceTests {
  static func fast(_ a: LabColour, _ b: LabColour) -> Double {
    Double(
      ColourKernel.difference(
        Float(a.lightness), Float(a.a), Float(a.b), Float(b.lightness), Float(b.a), Float(b.b)))
  }

  @Test(arguments: published.indices)
  func agreesWithThePaper(index: Int) {
    let (a, b, expected) = published[index]
    #expect(abs(a.ciede2000(to: b) - expected) < 0.00006)
    #expect(abs(b.ciede2000(to: a) - expected) < 0.00006)
    #expect(abs(Self.fast(a, b) - expected) < 0.0001)
    #expect(abs(Self.fast(b, a) - expected) < 0.0001)
  }

  /// Every pair of colours of a coarse grid of the whole space.
  @Test func fastAgreesWithExact() {
    let places = stride(from: -110.0, through: 110, by: 27.5)
    let colours = [3.0, 50, 97].flatMap { l in places.flatMap { a in places.map { LabColour(l, a, $0) } } }
    var worst = (error: 0.0, a: colours[0], b: colours[0])
    for a in colours {
      for b in colours {
        // Opposite hues are a jump in the formula: which side rounding falls on is not ours to test.
        let isOpposite = a.a * b.b == a.b * b.a && a.a * b.a + a.b * b.b < 0
        let error = abs(a.ciede2000(to: b) - Self.fast(a, b))
        if !isOpposite && error > worst.error { worst = (error, a, b) }
      }
    }
    #expect(worst.error < 1e-4, "\(worst)")
  }

  @Test func greyHasNoColour() {
    let white = LabColour(linearSRGB: RGB(1, 1, 1))
    #expect(abs(white.lightness - 100) < 1e-9 && abs(white.a) < 1e-9 && abs(white.b) < 1e-9)
  }
}

@Suite("Elementary functions of lanes")
struct LaneMathTests {
  @Test func logarithmAndPower() {
    for step in 1...4000 {
      let value = Float(step) * Float(step) / 1000
      let exact = Elementary.log2(Double(value))
      #expect(abs(Double(LaneMath.log2(value)) - exact) < 2e-7 + abs(exact) * 6e-8, "log2 \(value)")
      let exponent = Float(step) / 20 - 100
      let ratio = Double(LaneMath.exp2(exponent)) / Elementary.exp2(Double(exponent))
      #expect(abs(ratio - 1) < 2e-7, "exp2 \(exponent)")
    }
  }

  @Test func cubeRoot() {
    for step in 1...4000 {
      let value = Float(step) * Float(step) * Float(step) * 1e-7
      let cube =
        Double(LaneMath.cubeRoot(value)) * Double(LaneMath.cubeRoot(value)) * Double(LaneMath.cubeRoot(value))
      #expect(abs(cube / Double(value) - 1) < 9e-7, "cube root of \(value)")
    }
  }

  @Test func arcTangentUndoesTheTangent() {
    for step in -100...100 {
      let angle = Double(step) / 100 * 0.87
      let sine = Double(LaneMath.sine(Float(angle)))
      let tangent = sine / (1 - sine * sine).squareRoot()
      #expect(abs(Double(LaneMath.arcTangent(Float(tangent))) - angle) < 1e-5, "\(angle)")
    }
  }
}
