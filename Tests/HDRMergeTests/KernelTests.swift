import ImageCore
import Testing

@testable import HDRMerge

@Suite("Kernels against plain references")
struct KernelTests {
  private static let sizes = [(5, 5), (16, 9), (33, 17)]

  private func plane(_ width: Int, _ height: Int, _ value: (Int, Int) -> Float) -> Plane {
    let base = UnsafeMutablePointer<Float>.allocate(capacity: width * height)
    for y in 0..<height {
      for x in 0..<width { (base + y * width + x).initialize(to: value(x, y)) }
    }
    return Plane(base: base, stride: width)
  }

  private func noise(_ x: Int, _ y: Int) -> Float { Float((x * 7919 + y * 104_729) % 251) / 16 }

  @Test(arguments: sizes, [1, 2])
  func box(size: (Int, Int), radius: Int) {
    let (width, height) = size
    let (image, scratch) = (plane(width, height, noise), plane(width, height) { _, _ in 0 })
    defer {
      image.base.deallocate()
      scratch.base.deallocate()
    }
    CellKernels.box(image, width: width, height: height, radius: radius, scratch: scratch)
    for y in radius..<height - radius {
      for x in radius..<width - radius {
        var expected: Float = 0
        for v in y - radius...y + radius {
          for u in x - radius...x + radius { expected += noise(u, v) }
        }
        #expect(abs(image.row(y)[x] - expected) < 1e-2, "(\(x), \(y))")
      }
    }
  }

  @Test(arguments: sizes, [true, false])
  func extremum(size: (Int, Int), largest: Bool) {
    let (width, height) = size
    let (image, scratch) = (plane(width, height, noise), plane(width, height) { _, _ in 0 })
    defer {
      image.base.deallocate()
      scratch.base.deallocate()
    }
    CellKernels.extremum(image, width: width, height: height, largest: largest, scratch: scratch)
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        var around: [Float] = []
        for v in y - 1...y + 1 {
          for u in x - 1...x + 1 { around.append(noise(u, v)) }
        }
        let expected = largest ? around.max() : around.min()
        #expect(image.row(y)[x] == expected, "(\(x), \(y))")
      }
    }
  }

  @Test("The cubic passes through its samples and is exact for straight lines")
  func cubic() {
    for step in 0...16 {
      let t = Float(step) / 16
      let cubic = Cubic(t)
      #expect(abs(cubic.sum(-1, 0, 1, 2) - t) < 1e-6)
      #expect(abs(cubic.sum(5, 5, 5, 5) - 5) < 1e-6)
    }
    #expect(Cubic(0).sum(9, 3, 7, 1) == 3 && Cubic(1).sum(9, 3, 7, 1) == 7)
  }

  @Test(
    "Any filter array is interpolated exactly where light changes evenly", arguments: ["quad-rggb", "xtrans", "gmcy"])
  func siteKernels(name: String) throws {
    let cfa = try #require(CFAPattern(named: name))
    let size = PixelSize(width: 48, height: 48)
    let slopes: [CFAColour: (Float, Float)] = [.red: (0.01, -0.02), .green: (0.003, 0.004), .blue: (-0.02, 0.01)]
    func light(_ colour: CFAColour, _ x: Float, _ y: Float) -> Float {
      let slope = slopes[colour] ?? (0.005, 0.002)
      return 0.5 + slope.0 * x + slope.1 * y
    }
    let plane = plane(size.width, size.height) { x, y in
      light(cfa.colours[y % cfa.height * cfa.width + x % cfa.width], Float(x), Float(y))
    }
    defer { plane.base.deallocate() }
    let kernels = SiteKernels(SampleCell(cfa))
    for step in 0..<400 {
      let (x, y) = (12 + Float(step * 37 % 351) / 16, 12 + Float(step * 53 % 343) / 16)
      for colour in cfa.distinctColours {
        let (found, expected) = (kernels.value(plane, size, x, y, kernels.index(of: colour)), light(colour, x, y))
        // Damping keeps a part of the difference to a weighted mean.
        #expect(abs(found - expected) < 4e-3, "\(colour) at (\(x), \(y)): \(found) instead of \(expected)")
      }
    }
  }

  @Test("Noise found in pixels is the noise that was put in")
  func noiseEstimate() throws {
    let size = PixelSize(width: 512, height: 384)
    var photo = TestBracket.frame(stops: 0, size: size)
    let truth = try #require(photo.noise).planes[0]
    photo.noise = nil
    let found = try #require(SourceFrame(photo).estimatedNoise)
    let (light, dark) = (0.2, 0.004)
    for x in [light, dark] {
      let ratio = (found.scale * x + found.offset) / (truth.scale * x + truth.offset)
      #expect(ratio > 0.6 && ratio < 1.7, "variance at \(x) is off by a factor of \(ratio)")
    }
  }
}
