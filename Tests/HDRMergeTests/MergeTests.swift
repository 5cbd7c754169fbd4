import ImageCore
import Synthesis
import Testing

@testable import HDRMerge

@Suite("Merging")
struct MergeTests {
  @Test("Twice the same frame is that frame")
  func sameFrameTwice() throws {
    let frame = TestBracket.frame(stops: 0)
    let result = try BracketMerger.merge([frame, frame])
    let merged = TestBracket.light(result.photo, headroom: result.report.headroom)
    let single = TestBracket.light(frame, headroom: 0)
    var worst: Float = 0
    for y in 0..<single.height {
      for x in 0..<single.width { worst = max(worst, abs(merged[x, y] - single[x, y])) }
    }
    #expect(worst < 1e-4, "a sample differs by \(worst) of full scale")
  }

  @Test("A still bracket has less noise than any frame, and its lamp is measured")
  func stillBracket() throws {
    let frames = [-2.0, 0, 2].map { TestBracket.frame(stops: $0) }
    let truth = TestBracket.truth()
    let result = try BracketMerger.merge(frames)
    let merged = TestBracket.light(result.photo, headroom: result.report.headroom)
    let single = TestBracket.error(TestBracket.light(frames[1], headroom: 0), truth)
    #expect(TestBracket.error(merged, truth) < 0.25 * single)
    #expect(result.report.reference == 1)
    #expect(abs(result.report.headroom - 2) < 0.01)
    for (frame, expected) in zip(result.report.frames, [0.25, 1, 4]) {
      #expect(abs(frame.exposure / expected - 1) < 0.005, "frame \(frame.index): exposure \(frame.exposure)")
      #expect(frame.shiftX == 0 && frame.shiftY == 0 && frame.rotation == 0, "a tripod frame was moved")
    }
  }

  @Test("The order of frames and the number of threads change nothing")
  func orderAndThreads() throws {
    var view = SceneView()
    (view.shiftX, view.rotation) = (3.3, 0.3)
    let frames = [
      TestBracket.frame(stops: -2), TestBracket.frame(stops: 0), TestBracket.frame(stops: 2, view: view),
    ]
    let first = try BracketMerger.merge(frames)
    let other = try BracketMerger.merge(
      [frames[2], frames[0], frames[1]], resources: Resources(workers: Workers(count: 7)))
    #expect(TestBracket.mosaic(first.photo).samples == TestBracket.mosaic(other.photo).samples)
    #expect(first.photo.noise == other.photo.noise)
  }

  @Test("Where all frames are saturated the result is saturated in all colours")
  func allSaturated() throws {
    let frames = [-1.0, 1].map { TestBracket.frame(stops: $0) }
    let result = try BracketMerger.merge(frames)
    let (shortest, merged) = (TestBracket.mosaic(frames[0]), TestBracket.mosaic(result.photo))
    var count = 0
    for y in 0..<merged.size.height where y & 1 == 0 {
      for x in 0..<merged.size.width where x & 1 == 0 {
        let cell = [(0, 0), (1, 0), (0, 1), (1, 1)]
        guard cell.allSatisfy({ shortest.samples[x + $0.0, y + $0.1] == 16383 }) else { continue }
        count += 1
        for (dx, dy) in cell {
          let found = merged.samples[x + dx, y + dy]
          #expect(found >= 65000, "(\(x + dx), \(y + dy)) holds \(found)")
        }
      }
    }
    #expect(count > 50, "the scene has no saturated lamp to look at")
    #expect(result.report.clippedShare > 0)
  }

  @Test("A thing that moved is shown as the reference saw it")
  func movingSquare() throws {
    let places = [40.0, 100, 150]
    let frames = zip([-2.0, 0, 2], places).map { stops, x in
      var view = SceneView()
      view.mover = SceneView.Mover(x: x, y: 90, side: 60)
      return TestBracket.frame(stops: stops, view: view)
    }
    var view = SceneView()
    view.mover = SceneView.Mover(x: places[1], y: 90, side: 60)
    let truth = TestBracket.truth(view: view)
    var options = MergeOptions()
    options.wantsGhostMap = true
    let result = try BracketMerger.merge(frames, options: options)
    let merged = TestBracket.light(result.photo, headroom: result.report.headroom)
    let object = PixelRect(x: 100, y: 90, width: 60, height: 60)
    let mine = TestBracket.error(merged, truth, in: object)
    let single = TestBracket.error(TestBracket.light(frames[1], headroom: 0), truth, in: object)
    #expect(mine < 1.05 * single, "error \(mine) inside the object, the reference alone has \(single)")
    let map = try #require(result.ghostMap)
    #expect(map.size == PixelSize(width: 160, height: 120))
    #expect(map[55, 60] > 200 && map[10, 10] < 128, "the map shows the object and nothing else")
    options.deghosting = .none
    let ghosts = try BracketMerger.merge(frames, options: options)
    let error = TestBracket.error(
      TestBracket.light(ghosts.photo, headroom: ghosts.report.headroom), truth, in: object)
    #expect(error > 5 * single, "without deghosting the object must be smeared, or the test tests nothing")
  }

  @Test("Every pattern and awkward sizes merge", arguments: ["rggb", "quad-rggb", "xtrans", "gmcy"], [0, 1, 3])
  func patterns(name: String, extra: Int) throws {
    let cfa = try #require(CFAPattern(named: name))
    let size = PixelSize(width: 131 + extra, height: 97 + extra)
    let frames = [-1.0, 1].map { TestBracket.frame(stops: $0, kind: .deadLeaves, size: size, cfa: cfa) }
    let result = try BracketMerger.merge(frames)
    #expect(TestBracket.mosaic(result.photo).cfa == cfa)
    #expect(result.photo.pixels.size == size)
    // Every sample is near one of its sources: none was left out at the edges.
    let merged = TestBracket.light(result.photo, headroom: result.report.headroom)
    let dark = TestBracket.light(frames[0], headroom: 0)
    let unit = Float(result.report.reference == 0 ? 1 : 4)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let expected = dark[x, y] * unit
        let slack = 0.15 * max(unit, expected.magnitude)
        #expect(abs(merged[x, y] - expected) < slack, "(\(x), \(y)): \(merged[x, y]) instead of about \(expected)")
      }
    }
  }

  @Test("Quad frames that are displaced are interpolated, not mixed up")
  func displacedQuad() throws {
    let cfa = try #require(CFAPattern(named: "quad-rggb"))
    var view = SceneView()
    (view.shiftX, view.shiftY) = (5.4, -2.7)
    let frames = [TestBracket.frame(stops: 0, cfa: cfa), TestBracket.frame(stops: 2, view: view, cfa: cfa)]
    let result = try BracketMerger.merge(frames)
    let frame = try #require(result.report.frames.last)
    #expect(abs(frame.shiftX - 5.4) < 0.5 && abs(frame.shiftY + 2.7) < 0.5)
  }
}
