import ImageCore
import Testing

struct RedBlueOrderTests {
  static let white = [0.5, 1, 0.65]

  /// Patches of slightly different tints under a quad array whose cell starts at any place.
  static func mosaic(_ cfa: CFAPattern, brightness: Double = 0.5) -> Mosaic {
    let samples = Image<UInt16>(PixelSize(width: 400, height: 300)) { x, y in
      let patch = x / 40 + 3 * (y / 40)
      let tint: [Double] = [1 + 0.05 * Double(patch % 5 - 2), 1, 1 - 0.04 * Double(patch % 7 - 3)]
      let colour = Int(cfa[x, y].rawValue)
      return UInt16(256 + 3840 * brightness * tint[colour] * white[colour] * (0.4 + 0.06 * Double(patch % 10)))
    }
    return Mosaic(samples: samples, cfa: cfa, levels: SensorLevels(black: 256, white: 4096))
  }

  @Test(arguments: 0..<16)
  func theTrueOrderIsTheLessColouredOne(origin: Int) throws {
    let cfa = try #require(CFAPattern(named: "quad-rggb")).shifted(dx: origin % 4, dy: origin / 4)
    var mosaic = Self.mosaic(cfa)
    let kept = try #require(RedBlueOrder.evidenceForExchange(mosaic, white: Self.white))
    #expect(kept < -0.1, "\(cfa) as it is: \(kept)")
    mosaic.cfa = cfa.exchangingRedAndBlue
    let exchanged = try #require(RedBlueOrder.evidenceForExchange(mosaic, white: Self.white))
    #expect(exchanged > 0.1, "\(cfa) exchanged: \(exchanged)")
  }

  @Test func darknessAndOtherColoursSayNothing() {
    let dark = Self.mosaic(.rggb, brightness: 0.005)
    #expect(RedBlueOrder.evidenceForExchange(dark, white: Self.white) == nil)
    let other = Self.mosaic(.rggb)
    #expect(RedBlueOrder.evidenceForExchange(other, white: [0.5, 0, 0.65]) == nil)
    #expect(CFAPattern.rggb.exchangingRedAndBlue == CFAPattern(named: "bggr"))
  }
}
