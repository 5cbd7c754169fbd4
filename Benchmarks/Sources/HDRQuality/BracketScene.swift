import Foundation
import HDRMerge
import ImageCore
import Synthesis

/// A synthetic bracket with its truth: the mosaic that a sensor without noise and without saturation would have had
/// in the reference frame.
struct BracketScene {
  var size = PixelSize(width: 1024, height: 768)
  var stops: [Double] = [-2, 0, 2]
  var cfa = CFAPattern.rggb
  var iso = 400
  var views: [SceneView] = []
  /// The frame of 0 EV.
  var reference: Int { stops.firstIndex(of: 0)! }

  func sensor(_ frame: Int) -> SensorRecipe {
    var sensor = SensorRecipe()
    sensor.cfa = cfa
    sensor.iso = iso
    sensor.white = 16383
    sensor.black = 1024
    sensor.exposureEV = stops[frame]
    sensor.seed = UInt64(frame + 11)
    return sensor
  }

  func scene(_ frame: Int) -> Scene {
    var recipe = SceneRecipe(kind: .chart, size: size, seed: 7)
    recipe.view = views.isEmpty ? SceneView() : views[frame]
    return Scene(recipe)
  }

  func frames() -> [RawPhoto] {
    stops.indices.map { Synthesizer.capture(scene($0), sensor: sensor($0)).photo }
  }

  /// Light of the reference frame without noise, in parts of its saturation; not clipped.
  func truth() -> Image<Float> { truth(of: reference) }

  /// The same as frame `frame` saw it.
  func truth(of frame: Int) -> Image<Float> {
    var dim = sensor(frame)
    // A sensor of 16 bits at three stops less holds the lamp; rounding is far below the noise.
    let stops = 3.0
    dim.exposureEV = -stops
    dim.hasNoise = false
    (dim.black, dim.white) = (0, 65535)
    let photo = Synthesizer.capture(scene(frame), sensor: dim).photo
    guard case .mosaic(let mosaic) = photo.pixels else { fatalError("synth makes mosaics") }
    let scale = Float(pow(2, stops)) / 65535
    return Image<Float>(size) { x, y in Float(mosaic.samples[x, y]) * scale }
  }

  /// What the best weights make of a still bracket: the very samples averaged with 1 / variance, the variance and
  /// what is saturated taken from the truth; where all are saturated, saturated light.
  func bound(_ truth: Image<Float>) -> Image<Float> {
    var still = self
    still.views = stops.map { _ in views.isEmpty ? SceneView() : views[reference] }
    let photos = still.frames()
    let planes = photos.map { light($0, headroom: 0) }
    let range = Double(sensor(0).white - sensor(0).black)
    return Image<Float>(size) { x, y in
      let light = Double(truth[x, y])
      var (sum, inverse) = (0.0, 0.0)
      for frame in stops.indices {
        let exposure = pow(2, stops[frame])
        guard light * exposure < 1, let noise = photos[frame].noise?.planes[0] else { continue }
        let variance = noise.scale * light * exposure + noise.offset + 1 / (12 * range * range)
        sum += Double(planes[frame][x, y]) * exposure / variance
        inverse += exposure * exposure / variance
      }
      return inverse > 0 ? Float(sum / inverse) : Float(light)
    }
  }
}

/// Light of a photo's photosites in parts of the reference's saturation.
func light(_ photo: RawPhoto, headroom: Double) -> Image<Float> {
  guard case .mosaic(let mosaic) = photo.pixels else { fatalError("a mosaic was merged") }
  let linear = LinearMosaic(normalizing: mosaic)
  let scale = Float(pow(2, headroom))
  return Image<Float>(linear.size) { x, y in linear.plane[x, y] * scale }
}

/// PSNR-μ (μ = 5000) of light clipped to 0...`top`, over the pixels that `counts` accepts.
func psnrMu(
  _ image: Image<Float>, _ truth: Image<Float>, top: Double, border: Int = 16,
  where counts: (Int, Int) -> Bool = { _, _ in true }
) -> Double {
  let mu = 5000.0
  func encode(_ value: Float) -> Double {
    log(1 + mu * min(1, max(0, Double(value) / top))) / log(1 + mu)
  }
  var (sum, count) = (0.0, 0)
  for y in border..<truth.height - border {
    for x in border..<truth.width - border where counts(x, y) {
      let d = encode(image[x, y]) - encode(truth[x, y])
      sum += d * d
      count += 1
    }
  }
  return -10 * log10(sum / Double(max(1, count)))
}
