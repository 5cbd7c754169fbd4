import ImageCore
import Synthesis

@testable import HDRMerge

/// A small synthetic bracket.
enum TestBracket {
  static let size = PixelSize(width: 320, height: 240)

  static func sensor(stops: Double, cfa: CFAPattern = .rggb) -> SensorRecipe {
    var sensor = SensorRecipe()
    sensor.cfa = cfa
    sensor.iso = 400
    (sensor.black, sensor.white) = (1024, 16383)
    sensor.exposureEV = stops
    sensor.seed = UInt64(stops + 20)
    return sensor
  }

  static func frame(
    stops: Double, view: SceneView = SceneView(), kind: SceneKind = .chart, size: PixelSize = size,
    cfa: CFAPattern = .rggb, noise: UInt64 = 0
  ) -> RawPhoto {
    var recipe = SceneRecipe(kind: kind, size: size, seed: 5)
    recipe.view = view
    var sensor = sensor(stops: stops, cfa: cfa)
    sensor.seed += 100 * noise
    return Synthesizer.capture(Scene(recipe), sensor: sensor).photo
  }

  /// Light of the 0 EV frame without noise and saturation, in parts of its saturation.
  static func truth(view: SceneView = SceneView()) -> Image<Float> {
    var recipe = SceneRecipe(kind: .chart, size: size, seed: 5)
    recipe.view = view
    var dim = sensor(stops: -3)
    dim.hasNoise = false
    (dim.black, dim.white) = (0, 65535)
    let photo = Synthesizer.capture(Scene(recipe), sensor: dim).photo
    return light(photo, headroom: 3)
  }

  static func mosaic(_ photo: RawPhoto) -> Mosaic {
    guard case .mosaic(let mosaic) = photo.pixels else { preconditionFailure("not a mosaic") }
    return mosaic
  }

  static func light(_ photo: RawPhoto, headroom: Double) -> Image<Float> {
    let linear = LinearMosaic(normalizing: mosaic(photo))
    let scale = Float(Elementary.exp2(headroom))
    return Image<Float>(linear.size) { x, y in linear.plane[x, y] * scale }
  }

  /// Mean square of the difference of square roots, which weighs shadows as sight does; light above `top` is cut.
  static func error(
    _ image: Image<Float>, _ truth: Image<Float>, top: Float = 4, in rect: PixelRect = PixelRect(size)
  ) -> Double {
    var sum = 0.0
    for y in rect.rows {
      for x in rect.columns {
        let a = max(0, min(top, image[x, y])).squareRoot()
        let b = max(0, min(top, truth[x, y])).squareRoot()
        sum += Double((a - b) * (a - b))
      }
    }
    return sum / Double(rect.size.area)
  }
}
