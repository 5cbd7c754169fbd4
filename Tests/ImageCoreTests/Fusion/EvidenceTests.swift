import Testing

@testable import ImageCore

@Suite("Middle frequencies of two pictures")
struct EvidenceTests {
  private static let (span, side) = (36, 24)

  /// A picture of one frequency, cycles a pixel, displaced by parts of a pixel.
  private func wave(_ x: Int, _ y: Int, shift: Double, frequency: Double = 0.17) -> Float {
    // A triangle's fundamental is near enough to a sine.
    let phase = (Double(x) + 0.6 * Double(y) + shift) * frequency
    let part = phase - phase.rounded(.down)
    return Float(0.5 + 0.2 * (part < 0.5 ? 4 * part - 1 : 3 - 4 * part))
  }

  private func compared(
    shift: (x: Float, y: Float) = (0, 0), _ detail: (Int, Int) -> Float, _ composite: (Int, Int) -> Float
  ) -> EvidenceWindow.Comparison {
    var window = EvidenceWindow(span: Self.span, reach: 5)
    for y in 0..<Self.span {
      for x in 0..<Self.span {
        window.detail[y * Self.span + x] = detail(x, y)
        window.composite[y * Self.span + x] = composite(x, y)
      }
    }
    window.shift(x: shift.x, y: shift.y)
    return window.compared(side: Self.side)
  }

  @Test("Equal pictures compare as 1, half the contrast as ½, light alone as nothing")
  func contrast() {
    let same = compared {
      wave($0, $1, shift: 0)
    } _: {
      wave($0, $1, shift: 0)
    }
    #expect(same.product == same.square && same.square == same.detailSquare && same.square > 1e-4)
    let half = compared {
      0.25 + 0.5 * wave($0, $1, shift: 0)
    } _: {
      wave($0, $1, shift: 0)
    }
    #expect(abs(half.product / half.square - 0.5) < 1e-4 && abs(half.detailSquare / half.square - 0.25) < 1e-4)
    #expect(abs(half.level - half.detailLevel) < 0.02)
    let flat = compared { _, _ in
      0.7
    } _: { _, _ in
      0.7
    }
    #expect(flat.square < 1e-10 && abs(flat.level - 0.7) < 1e-5)
  }

  @Test("Parts of a pixel make no difference", arguments: [0.25, 0.5, 0.8])
  func displaced(part: Double) {
    // The composite shows at x + part what the detail frame shows at x.
    let found = compared(shift: (Float(part), 0)) {
      wave($0, $1, shift: 0)
    } _: {
      wave($0, $1, shift: -part)
    }
    #expect(abs(found.product / found.square - 1) < 0.03, "\(found)")
    let left = compared {
      wave($0, $1, shift: 0)
    } _: {
      wave($0, $1, shift: -part)
    }
    #expect(part < 0.5 || left.product / left.square < 0.9, "left where it is: \(left)")
    #expect(abs(left.detailSquare / left.square - 1) < 0.05, "energies do not depend on places: \(left)")
  }
}
