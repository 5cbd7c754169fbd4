import ImageCore
import Synthesis
import Testing

@testable import HDRMerge

@Suite("Brackets that are none")
struct RefusalTests {
  private func failure(_ photos: [RawPhoto], _ options: MergeOptions = MergeOptions()) -> MergeError? {
    do {
      _ = try BracketMerger.merge(photos, options: options)
      return nil
    } catch { return error }
  }

  @Test func oneFrame() {
    #expect(failure([TestBracket.frame(stops: 0)]) == .tooFewFrames(found: 1))
    #expect(failure([]) == .tooFewFrames(found: 0))
  }

  @Test func differentSize() {
    let small = PixelSize(width: 96, height: 64)
    let error = failure([TestBracket.frame(stops: 0), TestBracket.frame(stops: 1, size: small)])
    #expect(error == .differentSize(frame: 1, found: small, expected: TestBracket.size))
  }

  @Test func differentPattern() throws {
    let quad = try #require(CFAPattern(named: "quad-rggb"))
    var frame = TestBracket.frame(stops: 1, cfa: quad)
    frame.facts.model = TestBracket.frame(stops: 1).facts.model
    #expect(
      failure([TestBracket.frame(stops: 0), frame])
        == .differentPattern(frame: 1, found: "quad-RGGB", expected: "RGGB"))
  }

  @Test func differentCamera() {
    var frame = TestBracket.frame(stops: 1)
    frame.facts.model = "Another"
    #expect(failure([TestBracket.frame(stops: 0), frame])?.frame == 1)
  }

  @Test("An orientation that differs is no obstacle")
  func orientationDiffers() throws {
    var frame = TestBracket.frame(stops: 2)
    frame.orientation = .right
    let result = try BracketMerger.merge([TestBracket.frame(stops: 0), frame])
    #expect(result.photo.orientation == .up)
  }

  @Test func anotherScene() {
    let frames = [TestBracket.frame(stops: 0), TestBracket.frame(stops: 1, kind: .deadLeaves)]
    guard case .unrelated? = failure(frames) else {
      Issue.record("merged two scenes")
      return
    }
  }

  @Test func blackFrame() {
    var dark = TestBracket.frame(stops: 0, kind: .flat)
    let samples = Image<UInt16>(TestBracket.size) { x, y in UInt16(1020 + (x * 7 + y * 13) % 9) }
    dark.pixels = .mosaic(Mosaic(samples: samples, cfa: .rggb, levels: TestBracket.mosaic(dark).levels))
    #expect(failure([TestBracket.frame(stops: 0), dark]) == .noUsableLight(frame: 1))
  }

  @Test func saturatedFrame() {
    #expect(failure([TestBracket.frame(stops: 0), TestBracket.frame(stops: 14)]) == .noUsableLight(frame: 1))
  }

  @Test func referenceThatIsNotThere() {
    var options = MergeOptions()
    options.reference = 2
    let frames = [0.0, 1].map { TestBracket.frame(stops: $0) }
    #expect(failure(frames, options) == .noSuchReference(number: 3, count: 2))
  }

  @Test("Missing exposure facts are said, and the pixels tell the ratio")
  func missingFacts() throws {
    var frames = [0.0, 2].map { TestBracket.frame(stops: $0) }
    frames[0].facts.exposureTime = nil
    let result = try BracketMerger.merge(frames)
    #expect(result.report.warnings.contains { $0.contains("exposure facts") })
    #expect(abs(result.report.frames[1].exposure / 4 - 1) < 0.01)
  }

  @Test("Exposure facts that the pixels deny are said, and the pixels are believed")
  func wrongFacts() throws {
    var frames = [0.0, 2].map { TestBracket.frame(stops: $0) }
    frames[1].facts.exposureTime = frames[1].facts.exposureTime.map { $0 * 2 }
    let result = try BracketMerger.merge(frames)
    #expect(result.report.warnings.contains { $0.contains("pixels are believed") })
    #expect(abs(result.report.frames[1].exposure / 4 - 1) < 0.01)
  }
}
