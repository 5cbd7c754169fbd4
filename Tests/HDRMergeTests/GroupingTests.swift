import ImageCore
import Testing

@testable import HDRMerge

@Suite("Finding brackets by facts")
struct GroupingTests {
  private func shot(
    _ second: Int, _ time: Double, bias: Double? = nil, model: String = "M", width: Int = 4000
  ) -> BracketGrouping.Candidate {
    var facts = CaptureFacts()
    facts.model = model
    facts.exposureTime = time
    facts.iso = 100
    facts.exposureBias = bias
    let tens = second < 10 ? "0" : ""
    facts.dateTime = "2026:02:28 23:59:\(tens)\(second)"
    return .init(facts: facts, size: PixelSize(width: width, height: 3000), pattern: "RGGB")
  }

  private func brackets(_ shots: [BracketGrouping.Candidate]) -> [[Int]] {
    BracketGrouping().brackets(among: shots)
  }

  @Test func threeExposuresAreOne() {
    #expect(brackets([shot(1, 0.01), shot(2, 0.04), shot(2, 0.0025)]) == [[0, 1, 2]])
  }

  @Test func anExposureThatComesAgainBeginsTheNext() {
    let series = [0.01, 0.04, 0.0025]
    #expect(brackets((series + series).map { shot(5, $0) }) == [[0, 1, 2], [3, 4, 5]])
  }

  @Test func timeCameraSizeAndStepPart() {
    #expect(brackets([shot(1, 0.01), shot(9, 0.04), shot(17, 0.0025)]).isEmpty)
    #expect(brackets([shot(1, 0.01), shot(1, 0.04, model: "N"), shot(1, 0.0025)]).isEmpty)
    #expect(brackets([shot(1, 0.01), shot(1, 0.04, width: 8000), shot(1, 0.0025)]).isEmpty)
    #expect(brackets([shot(1, 0.01), shot(1, 0.011), shot(1, 0.0105)]).isEmpty)
    #expect(brackets([shot(1, 0.01), shot(1, 1), shot(1, 100)]).isEmpty)
  }

  @Test func twoFramesNeedBiases() {
    #expect(brackets([shot(1, 0.01), shot(1, 0.04)]).isEmpty)
    #expect(brackets([shot(1, 0.01, bias: 0), shot(1, 0.04, bias: 2)]) == [[0, 1]])
  }

  private func tagged(_ shot: BracketGrouping.Candidate, aperture: Double? = nil) -> BracketGrouping.Candidate {
    var shot = shot
    shot.facts.isAutoBracket = true
    shot.facts.fNumber = aperture
    return shot
  }

  @Test("What the camera tagged as a bracket is one: pairs, small steps, slow writing, another aperture")
  func taggedFrames() {
    #expect(brackets([tagged(shot(1, 0.01)), tagged(shot(1, 0.04))]) == [[0, 1]])
    #expect(brackets([tagged(shot(1, 0.01)), tagged(shot(1, 0.0125)), tagged(shot(1, 0.008))]) == [[0, 1, 2]])
    #expect(brackets([tagged(shot(1, 0.01)), tagged(shot(9, 0.04)), tagged(shot(17, 0.0025))]) == [[0, 1, 2]])
    #expect(
      brackets([tagged(shot(1, 0.01), aperture: 4), tagged(shot(1, 0.01), aperture: 8)]) == [[0, 1]])
    // The next series begins where an exposure comes again, and a frame that is not tagged belongs to none.
    let series = [0.01, 0.04, 0.0025].map { tagged(shot(1, $0)) }
    #expect(brackets(series + series + [shot(1, 0.3)]) == [[0, 1, 2], [3, 4, 5]])
  }

  @Test("Tagged frames without times go by their bias")
  func taggedBias() {
    let frames = [-2.0, 0, 2].map { bias -> BracketGrouping.Candidate in
      var frame = tagged(shot(3, 0.01, bias: bias))
      (frame.facts.exposureTime, frame.facts.iso) = (nil, nil)
      return frame
    }
    #expect(brackets(frames) == [[0, 1, 2]])
  }

  @Test func filesWithoutFactsAreLeftAlone() {
    var bare = shot(1, 0.02)
    bare.facts.dateTime = nil
    #expect(brackets([shot(1, 0.01), bare, shot(1, 0.04), shot(1, 0.0025)]) == [[0, 2, 3]])
  }

  @Test("Seconds count on over midnight, month and leap day")
  func seconds() {
    func second(_ text: String) -> Int? {
      var facts = CaptureFacts()
      facts.dateTime = text
      return BracketGrouping.second(facts)
    }
    let pairs = [
      ("2026:02:28 23:59:59", "2026:03:01 00:00:00"), ("2024:02:28 23:59:59", "2024:02:29 00:00:00"),
      ("2024:12:31 23:59:59", "2025:01:01 00:00:00"), ("2026:05:06 07:08:09", "2026:05:06 07:08:10"),
    ]
    for (before, after) in pairs {
      #expect(second(after) == second(before).map { $0 + 1 }, "\(before) → \(after)")
    }
    for bad in ["", "yesterday", "2026:13:01 00:00:00", "2026:00:10 00:00:00", "2026:01"] {
      #expect(second(bad) == nil, "\(bad)")
    }
  }
}
