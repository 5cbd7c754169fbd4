import ImageCore
import Synthesis
import Testing

@testable import HDRMerge

/// Leaves of many sizes, of which 0, 20, 60 and 80 % clip at 0, 1, 2 and 2.7 EV.
@Suite("Exposure ratios")
struct ExposureRatioTests {
  private static let size = PixelSize(width: 320, height: 240)
  private static let turn = 0.3
  /// Stops between the frames of a pair.
  private static let steps = [1.0, 2, 4, 6]

  private static func photo(
    stops: Double, iso: Int, size: PixelSize = size, view: SceneView = SceneView()
  ) -> RawPhoto {
    var recipe = SceneRecipe(kind: .deadLeaves, size: size, seed: 5)
    recipe.view = view
    var sensor = TestBracket.sensor(stops: stops)
    sensor.iso = iso
    return Synthesizer.capture(Scene(recipe), sensor: sensor).photo
  }

  private static func side(
    stops: Double, iso: Int, size: PixelSize = size, view: SceneView = SceneView()
  ) throws(MergeError) -> Side {
    try Side(photo(stops: stops, iso: iso, size: size, view: view), index: 0, workers: .serial)
  }

  /// How far a ratio is from two to the power of `step`; `nil` when it is not reliable, so that facts are believed.
  private static func deviation(_ ratio: ExposureRatio?, _ step: Double) -> Double? {
    let truth = Elementary.exp2(step)
    guard let ratio, ratio.isReliable(recorded: truth) else { return nil }
    return abs(ratio.value / truth - 1)
  }

  @Test(
    "Still frames: within 1 % or unsolved, whatever clips",
    arguments: [
      (320, 240, 100), (320, 240, 3200), (97, 131, 400),
    ], [0.0, 1, 2, 2.7])
  func still(scene: (width: Int, height: Int, iso: Int), stops: Double) throws {
    let size = PixelSize(width: scene.width, height: scene.height)
    let long = try Self.side(stops: stops, iso: scene.iso, size: size)
    for step in Self.steps {
      let short = try Self.side(stops: stops - step, iso: scene.iso, size: size)
      let found = Self.deviation(ExposureRatio.solve(short: short, long: long), step)
      if let found { #expect(found < 0.01, "\(step) stops are off by \(found)") }
      if scene.iso < 3200 && step <= 2 { #expect(found != nil, "\(step) stops are easy and not solved") }
    }
  }

  @Test("Frames that moved: within 2 % or unsolved, whatever clips", arguments: [100, 1600], [0.0, 1, 2, 2.7])
  func moved(iso: Int, stops: Double) throws {
    var view = SceneView()
    (view.shiftX, view.shiftY, view.rotation) = (3.4, -1.7, Self.turn)
    let motion = SimilarityMotion(
      shiftX: view.shiftX, shiftY: view.shiftY, stretch: 0, turn: Self.turn * 3.141592653589793 / 180)
    let long = try Self.side(stops: stops, iso: iso, view: view)
    for step in Self.steps {
      let short = try Self.side(stops: stops - step, iso: iso)
      let grid = BlockGrid(short)
      let ratio = ExposureRatio.solve(short: short, long: long) { grid.displacement(motion, $0, $1) }
      let found = Self.deviation(ratio, step)
      if let found { #expect(found < 0.02, "\(step) stops are off by \(found)") }
      if iso == 100 && step <= 2 && stops <= 2 { #expect(found != nil, "\(step) stops are easy and not solved") }
    }
  }

  @Test(
    "A fifth of the frame moves: within 2 % or unsolved, whatever clips", arguments: [100, 3200], [0.0, 1, 2, 2.7])
  func mover(iso: Int, stops: Double) throws {
    let side = (0.2 * Double(Self.size.area)).squareRoot()
    func view(x: Double) -> SceneView {
      var view = SceneView()
      view.mover = SceneView.Mover(x: x, y: 60, side: side)
      return view
    }
    let long = try Self.side(stops: stops, iso: iso, view: view(x: 20))
    for step in Self.steps {
      let short = try Self.side(stops: stops - step, iso: iso, view: view(x: 150))
      let found = Self.deviation(ExposureRatio.solve(short: short, long: long), step)
      if let found { #expect(found < 0.02, "\(step) stops are off by \(found)") }
      if stops == 0 && step <= 2 { #expect(found != nil, "\(step) stops are easy and not solved") }
    }
  }

  @Test("A bracket whose bright frame clips 60 % is solved from the pixels")
  func heavilyClipped() throws {
    let photos = [0.0, 2].map { Self.photo(stops: $0, iso: 100) }
    let report = try BracketMerger.merge(photos).report
    let frame = try #require(report.frames.last)
    #expect(frame.clippedShare > 0.5, "the scene hardly clips: nothing is tested")
    #expect(abs(frame.exposure / 4 - 1) < 0.01, "\(frame.exposure) instead of 4")
    #expect(report.warnings.isEmpty, "\(report.warnings)")
  }

  @Test("What pixels cannot tell is believed as recorded, and said")
  func unsolved() throws {
    var view = SceneView()
    (view.shiftX, view.shiftY) = (3.4, -1.7)
    let photos = [Self.photo(stops: 0, iso: 1600), Self.photo(stops: 3, iso: 1600, view: view)]
    let report = try BracketMerger.merge(photos).report
    let frame = try #require(report.frames.last)
    #expect(frame.exposure == frame.recordedExposure)
    #expect(report.warnings.contains { $0.contains("recorded exposure is believed") }, "\(report.warnings)")
  }
}
