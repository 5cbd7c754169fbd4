import ImageCore
import Synthesis
import Testing

@testable import HDRMerge

@Suite("Bursts: frames of one exposure")
struct BurstTests {
  private func light(_ composite: MergeComposite) -> Image<Float> {
    guard case .mosaic(let mosaic, _) = composite.samples else { preconditionFailure("mosaics make mosaics") }
    return mosaic.plane
  }

  @Test("The transform is the cosine transform, and its inverse undoes it")
  func transform() {
    let blocks = BurstBuffers.lanes
    let area = BurstBuffers.area
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: area * blocks)
    defer { memory.deallocate() }
    func value(_ index: Int, _ block: Int) -> Float { Float((index * 37 + block * 101) % 59) / 16 - 1 }
    for k in 0..<area {
      for b in 0..<blocks { memory[k * blocks + b] = value(k, b) }
    }
    BurstMerger.transform(memory, forward: true)
    for (u, v) in [(0, 0), (1, 0), (0, 1), (3, 5), (7, 7), (2, 6)] {
      var expected = 0.0
      for y in 0..<8 {
        for x in 0..<8 {
          let a = (2 * Double(x) + 1) * Double(u) * .pi / 16
          let b = (2 * Double(y) + 1) * Double(v) * .pi / 16
          expected += Double(value(y * 8 + x, 3)) * cosine(a) * cosine(b)
        }
      }
      expected *= 0.25 * (u == 0 ? 0.5.squareRoot() : 1) * (v == 0 ? 0.5.squareRoot() : 1)
      let found = Double(memory[(v * 8 + u) * blocks + 3])
      #expect(abs(found - expected) < 1e-4, "coefficient (\(u), \(v)): \(found) instead of \(expected)")
    }
    BurstMerger.transform(memory, forward: false)
    for k in 0..<area {
      for b in 0..<blocks { #expect(abs(memory[k * blocks + b] - value(k, b)) < 1e-5) }
    }
  }

  /// By its series; the tests have no libm.
  private func cosine(_ angle: Double) -> Double {
    let x = angle - (angle / (2 * .pi)).rounded() * 2 * .pi
    var (term, sum) = (1.0, 1.0)
    for n in 1...16 {
      term *= -x * x / Double((2 * n - 1) * (2 * n))
      sum += term
    }
    return sum
  }

  @Test("A still burst is averaged as plainly as can be: noise falls by the number of frames", arguments: [2, 4, 8])
  func stillBurst(count: Int) throws {
    let frames = (0..<count).map { TestBracket.frame(stops: 0, noise: UInt64($0)) }
    let composite = try BracketMerger.composite(frames)
    let truth = TestBracket.truth()
    let region = PixelRect(x: 8, y: 8, width: 304, height: 224)
    let mine = TestBracket.error(light(composite), truth, top: 0.8, in: region)
    let single = TestBracket.error(
      TestBracket.light(frames[composite.report.reference], headroom: 0), truth, top: 0.8, in: region)
    #expect(mine < 1.06 * single / Double(count), "\(count) frames leave \(mine / single) of the error")
    #expect(composite.report.ghostShare < 0.03)
  }

  @Test("What moves in a burst is shown as the reference saw it", arguments: [3, 6])
  func movingBurst(count: Int) throws {
    func view(_ index: Int) -> SceneView {
      var view = SceneView()
      view.mover = SceneView.Mover(x: 40 + 30 * Double(index), y: 90, side: 60)
      return view
    }
    let frames = (0..<count).map { TestBracket.frame(stops: 0, view: view($0), noise: UInt64($0)) }
    var options = MergeOptions()
    options.reference = 1
    let composite = try BracketMerger.composite(frames, options: options)
    let truth = TestBracket.truth(view: view(1))
    let single = TestBracket.light(frames[1], headroom: 0)
    let object = PixelRect(x: 70, y: 90, width: 60, height: 60)
    let inside = TestBracket.error(light(composite), truth, in: object) / TestBracket.error(single, truth, in: object)
    #expect(inside < 1.03, "error inside the object is \(inside) of the reference's")
    let still = PixelRect(x: 0, y: 170, width: 320, height: 70)
    let outside = TestBracket.error(light(composite), truth, in: still) / TestBracket.error(single, truth, in: still)
    #expect(outside < 1.1 / Double(count), "error outside is \(outside) of the reference's")
    options.deghosting = .none
    let smeared = light(try BracketMerger.composite(frames, options: options))
    #expect(TestBracket.error(smeared, truth, in: object) > 3 * TestBracket.error(single, truth, in: object))
  }

  @Test(
    "Every pattern and awkward sizes average, with any number of threads",
    arguments: ["rggb", "quad-rggb", "xtrans", "gmcy"], [0, 1, 3])
  func patterns(name: String, extra: Int) throws {
    let cfa = try #require(CFAPattern(named: name))
    let size = PixelSize(width: 131 + extra, height: 97 + extra)
    let frames = (0..<3).map {
      TestBracket.frame(stops: -1, kind: .deadLeaves, size: size, cfa: cfa, noise: UInt64($0))
    }
    let first = try BracketMerger.merge(frames)
    let other = try BracketMerger.merge(frames, resources: Resources(workers: Workers(count: 5)))
    #expect(TestBracket.mosaic(first.photo).samples == TestBracket.mosaic(other.photo).samples)
    let merged = TestBracket.light(first.photo, headroom: first.report.headroom)
    let planes = frames.map { TestBracket.light($0, headroom: 0) }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let values = planes.map { $0[x, y] }
        let (low, high) = (values.min()!, values.max()!)
        let slack = 0.5 * (high - low) + 0.02
        #expect(
          merged[x, y] > low - slack && merged[x, y] < high + slack,
          "(\(x), \(y)): \(merged[x, y]) is not between \(low) and \(high)")
      }
    }
  }
}
