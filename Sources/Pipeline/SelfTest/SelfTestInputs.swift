import ImageCore
import Synthesis
import TIFFTags

/// Synthetic captures that stages are tested on: odd sizes, so that borders and rests of tiles count.
struct SelfTestInputs: Sendable {
  let spoolFolder: FilePath

  /// Bayer, quad, nona and X-Trans captures by the names of their filter arrays.
  private static let size = PixelSize(width: 199, height: 131)
  /// A bracket needs some structure to be laid on each other.
  private static let bracketSize = PixelSize(width: 320, height: 240)
  /// How far the frames of a bracket are apart: right and down, pixels.
  static let motion = (x: 3.5, y: -2.0)
  /// Exposures of a bracket, stops: the longest hardly clips.
  static let stops = [-4.0, -2, 0]

  /// A capture of the chart.
  func capture(_ cfa: String, declared: String? = nil, resources: Resources) throws(JobFailure) -> SyntheticCapture {
    guard let pattern = CFAPattern(named: cfa) else { throw JobFailure(.usage, "there is no filter array \(cfa)") }
    var sensor = SensorRecipe()
    sensor.cfa = pattern
    sensor.declaredCFA = declared.flatMap(CFAPattern.init(named:))
    sensor.iso = 200
    let scene = Scene(SceneRecipe(kind: .chart, size: Self.size), resources: resources)
    return Synthesizer.capture(scene, sensor: sensor, resources: resources)
  }

  /// Its counts.
  func mosaic(_ cfa: String, resources: Resources) throws(JobFailure) -> Mosaic {
    guard case .mosaic(let mosaic) = try capture(cfa, resources: resources).photo.pixels else {
      throw JobFailure(.badData, "a synthetic capture is no mosaic")
    }
    return mosaic
  }

  /// A Bayer bracket, from the shortest exposure to the longest; the longest has moved.
  func bracket(resources: Resources) -> [RawPhoto] {
    let scene = Scene(SceneRecipe(kind: .deadLeaves, size: Self.bracketSize), resources: resources)
    return Self.stops.enumerated().map { index, stops in
      var sensor = SensorRecipe()
      sensor.exposureEV = stops
      sensor.seed = UInt64(index + 1)
      if index == Self.stops.count - 1 { (sensor.motionX, sensor.motionY) = Self.motion }
      return Synthesizer.capture(scene, sensor: sensor, resources: resources).photo
    }
  }
}
