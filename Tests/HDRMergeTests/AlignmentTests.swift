import ImageCore
import Synthesis
import Testing

@testable import HDRMerge

@Suite("Alignment of frames")
struct AlignmentTests {
  @Test("Shift and turn are found", arguments: [(8.0, -5.5, 0.4), (-11.0, 6.0, 0), (0.9, 0, 0), (-2.0, 4.0, 0)])
  func motionIsFound(shiftX: Double, shiftY: Double, turn: Double) throws {
    var view = SceneView()
    (view.shiftX, view.shiftY, view.rotation) = (shiftX, shiftY, turn)
    let result = try BracketMerger.merge([TestBracket.frame(stops: 0), TestBracket.frame(stops: 2, view: view)])
    let frame = try #require(result.report.frames.last)
    #expect(abs(frame.shiftX - shiftX) < 0.15, "shift x \(frame.shiftX)")
    #expect(abs(frame.shiftY - shiftY) < 0.15, "shift y \(frame.shiftY)")
    #expect(abs(frame.rotation - turn) < 0.1, "turn \(frame.rotation)")
  }

  @Test("A shift by whole cells copies samples instead of interpolating")
  func wholeCells() throws {
    var view = SceneView()
    (view.shiftX, view.shiftY) = (6, -4)
    let frames = [TestBracket.frame(stops: 0), TestBracket.frame(stops: 0, view: view)].map { photo in
      var frame = SourceFrame(photo)
      frame.noise.offset = max(frame.noise.offset, frame.roundingVariance)
      return frame
    }
    var reference = AlignmentReference(
      frames[0], with: [frames[1]], isOneOfMany: false, resources: Resources())
    let alignment = FrameAlignment(frames[1], to: &reference, local: true, resources: Resources())
    guard case .cells(let x, let y) = alignment.placement else {
      Issue.record("placed by \(alignment.placement)")
      return
    }
    #expect(x == 3 && y == -2)
  }

  @Test("Alignment helps: displaced frames end up nearer to the truth than the reference alone")
  func alignmentHelps() throws {
    var view = SceneView()
    (view.shiftX, view.shiftY, view.rotation) = (5.3, 2.2, 0.3)
    let frames = [TestBracket.frame(stops: 0), TestBracket.frame(stops: 2, view: view)]
    let truth = TestBracket.truth()
    let inside = PixelRect(x: 16, y: 16, width: 288, height: 208)
    func error(_ alignment: MergeOptions.Alignment) throws -> Double {
      var options = MergeOptions()
      options.alignment = alignment
      let result = try BracketMerger.merge(frames, options: options)
      return TestBracket.error(
        TestBracket.light(result.photo, headroom: result.report.headroom), truth, top: 1, in: inside)
    }
    let single = TestBracket.error(TestBracket.light(frames[0], headroom: 0), truth, top: 1, in: inside)
    let none = try error(.none)
    let auto = try error(.auto)
    #expect(auto < 0.8 * single, "aligned \(auto), alone \(single)")
    #expect(auto < 0.9 * none, "aligned \(auto), not aligned \(none)")
  }

  @Test("Frames without structure are taken as they lie, with a word about it")
  func noStructure() throws {
    let frames = [0.0, 1].map { TestBracket.frame(stops: $0, kind: .flat) }
    let result = try BracketMerger.merge(frames)
    #expect(result.report.warnings.count == 1)
    #expect(result.report.frames.allSatisfy { $0.shiftX == 0 && $0.shiftY == 0 })
  }
}
