import ImageCore
import Testing

@Suite("Registration")
struct RegistrationTests {
  /// Smooth structure without a period: sums of bumps at odd places.
  private static func scene(_ x: Double, _ y: Double) -> Float {
    var sum = 0.3
    for index in 0..<90 {
      let cx = Double((index * 7919) % 263) - 20
      let cy = Double((index * 104_729) % 211) - 20
      let radius = 4 + Double(index % 9)
      let d = ((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (radius * radius)
      sum += (index % 2 == 0 ? 0.4 : -0.25) / (1 + d * d)
    }
    return Float(sum)
  }

  private static let size = PixelSize(width: 220, height: 160)

  private static func picture(_ motion: SimilarityMotion) -> Image<Float> {
    Image<Float>(size) { x, y in
      // The picture shows at q what the reference shows at p, q = p + displacement(p): solved by iteration.
      var (px, py) = (Double(x), Double(y))
      for _ in 0..<8 {
        let d = motion.displacement(x: px, y: py, in: size)
        (px, py) = (Double(x) - d.x, Double(y) - d.y)
      }
      return scene(px, py)
    }
  }

  @Test(
    "A similarity is found",
    arguments: [
      SimilarityMotion(), SimilarityMotion(shiftX: 17, shiftY: -9), SimilarityMotion(shiftX: -3.25, shiftY: 6.5),
      SimilarityMotion(shiftX: 4, shiftY: 2, turn: 0.02),
      SimilarityMotion(shiftX: -6.4, shiftY: 3.1, stretch: 0.01, turn: -0.015),
    ])
  func similarity(motion: SimilarityMotion) {
    let reference = GreyPyramid(Self.picture(.identity))
    // Another exposure of it: brighter, and with an offset.
    let moved = Self.picture(motion)
    let other = GreyPyramid(Image<Float>(Self.size) { x, y in 1.1 * moved[x, y] + 0.02 })
    let found = GlobalAlignment(reference: reference, other: other, workers: Workers(count: 3))
    for corner in [(0.0, 0.0), (219, 0), (0, 159), (219, 159)] {
      let a = found.motion.displacement(x: corner.0, y: corner.1, in: Self.size)
      let b = motion.displacement(x: corner.0, y: corner.1, in: Self.size)
      #expect(abs(a.x - b.x) < 0.1 && abs(a.y - b.y) < 0.1, "at \(corner): \(a) instead of \(b)")
    }
    #expect(found.similarity > 0.95)
  }

  @Test("Tiles find a local motion that no similarity describes, with every row and every other", arguments: [1, 2])
  func localMotion(rowStep: Int) {
    let reference = Self.picture(.identity)
    func bend(_ y: Double) -> Double { 1.2 * (y - 80) * (y - 80) / 6400 }
    let other = Image<Float>(Self.size) { x, y in Self.scene(Double(x) - bend(Double(y)), Double(y)) }
    let alignment = TileAlignment(
      TileStructure(GreyPyramid(reference), rowStep: rowStep), other: GreyPyramid(other), noise: 1e-7)
    let flow = alignment.flow(from: .identity)
    var worst = 0.0
    for row in 1..<flow.rows - 1 {
      for column in 1..<flow.columns - 1 {
        let y = Double(row * flow.spacing) + Double(flow.spacing - 1) / 2
        let index = row * flow.columns + column
        worst = max(worst, abs(Double(flow.x[index]) - bend(y)), abs(Double(flow.y[index])))
      }
    }
    #expect(worst < 0.25, "a tile is off by \(worst) pixels")
  }

  @Test("A flow made of a similarity gives its displacements back between tiles")
  func flowInterpolates() {
    let motion = SimilarityMotion(shiftX: 3, shiftY: -2, stretch: 0.004, turn: 0.01)
    let flow = TileFlow(motion, size: Self.size, spacing: 16)
    let (dx, dy) = (
      UnsafeMutablePointer<Float>.allocate(capacity: 220), UnsafeMutablePointer<Float>.allocate(capacity: 220)
    )
    defer {
      dx.deallocate()
      dy.deallocate()
    }
    for y in [0, 7, 8, 100, 159] {
      flow.displacements(x: 0, y: y, count: 220, dx: dx, dy: dy)
      for x in 0..<220 {
        let d = motion.displacement(x: Double(x), y: Double(y), in: Self.size)
        #expect(abs(Double(dx[x]) - d.x) < 1e-3 && abs(Double(dy[x]) - d.y) < 1e-3, "(\(x), \(y))")
      }
    }
  }

  @Test("Halving keeps constants and the place of things", arguments: [(64, 48), (101, 77)])
  func pyramid(width: Int, height: Int) {
    let size = PixelSize(width: width, height: height)
    let flat = GreyPyramid(Image<Float>(size, repeating: 0.75), smallestSide: 8)
    let ramp = GreyPyramid(Image<Float>(size) { x, _ in Float(x) }, smallestSide: 8)
    #expect(flat.levels.count > 2)
    for (level, image) in flat.levels.enumerated() { #expect(image[3, 3] == 0.75, "level \(level)") }
    for (level, image) in ramp.levels.enumerated() {
      let expected = (Float(3) + 0.5) * Float(1 << level) - 0.5
      #expect(abs(image[3, 3] - expected) < 1e-3, "level \(level): \(image[3, 3])")
    }
  }
}
