import Testing

@testable import ImageCore

@Suite("Sorting floats by their digits")
struct RadixSortTests {
  @Test("Orders as comparing does, few and many, of both signs and all sizes", arguments: [0, 1, 5, 511, 512, 5000])
  func ordersAsComparing(count: Int) {
    var state: UInt32 = 12345
    let values = (0..<count).map { index -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      let size = Float(Int(state >> 8) - (1 << 23))
      return index % 7 == 0 ? 0.5 : size * (index % 3 == 0 ? 1e-30 : 1e20)
    }
    #expect(RadixSort.ascending(values) == values.sorted())
  }
}

@Suite("Rows between pixels")
struct WarpedRowTests {
  @Test(
    "A row that a similarity moves is what its places show, one by one",
    arguments: [
      SimilarityMotion(), SimilarityMotion(shiftX: 3.3, shiftY: -2.7), SimilarityMotion(shiftX: -40, stretch: 0.02),
      SimilarityMotion(shiftX: 1.5, turn: -0.05), SimilarityMotion(shiftX: 500),
    ])
  func row(motion: SimilarityMotion) {
    let size = PixelSize(width: 131, height: 37)
    // A plane and a product: straight lines between pixels give both exactly.
    let picture = Image<Float>(size) { x, y in Float(x) + 0.25 * Float(y) + 0.01 * Float(x * y) }
    picture.withRows { rows in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: size.width) { values in
        for y in 0..<size.height {
          let found = WarpedRow(motion, y: y, in: size).fill(rows, columns: 0..<size.width, into: values.baseAddress!)
          for x in 0..<size.width {
            let d = motion.displacement(x: Double(x), y: Double(y), in: size)
            let (u, v) = (Double(x) + d.x, Double(y) + d.y)
            let depth = min(u, v, Double(size.width - 1) - u, Double(size.height - 1) - v)
            if depth > 1e-3 { #expect(found.contains(x), "(\(x), \(y)) is left out") }
            if depth < -1e-3 { #expect(!found.contains(x), "(\(x), \(y)) lies outside") }
            guard found.contains(x) else { continue }
            let expected = u + 0.25 * v + 0.01 * u * v
            #expect(abs(Double(values[x]) - expected) < 2e-3, "(\(x), \(y)): \(values[x]) instead of \(expected)")
          }
        }
      }
    }
  }
}
