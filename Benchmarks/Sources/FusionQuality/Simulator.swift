import Develop
import Foundation
import ImageCore
import Synthesis

/// A camera in front of a scene: one 48MP frame under a quad array and the mean of several binned 12MP frames under a
/// Bayer array, with photon and read noise (protocol of the design's fusion simulation).
struct Simulator {
  /// Electrons that the brightest light of the most sensitive colour makes in one small photosite.
  var peak = 1000.0
  /// Electrons of read noise of each photosite read, binned or not.
  var readNoise = 2.0
  /// Binned frames times what a robust merge makes of them.
  var frames = 8 * 0.75
  /// Light at the composite's white over that at the detail frame's: more than 1 for a merge of bracketed frames.
  var reach = 1.0
  var demosaic: DemosaicQuality?
  /// The detail frame is demosaiced as if it had no noise: nothing is smoothed before the merge.
  var isBlind = false
  /// What the sensor makes of the three colours.
  static let gains = [0.5, 1, 0.65]
  /// Saturation beyond the brightest light.
  static let room = 1.02
  static let black: Double = 2500
  static let white: Double = 60000
  static let quad = CFAPattern(named: "quad-rggb")!

  /// Noise of a small photosite in parts of white.
  var profile: NoiseProfile {
    let full = Self.room * peak
    return NoiseProfile(planes: [.init(scale: 1 / full, offset: readNoise * readNoise / (full * full))])
  }

  /// Noise of the composite's photosites: means of four, and of the frames.
  var compositeProfile: NoiseProfile {
    let full = Self.room * peak * reach
    return NoiseProfile(planes: [
      .init(scale: 1 / (full * 4 * frames), offset: readNoise * readNoise / (16 * frames * full * full))
    ])
  }

  /// Camera light of the detail frame.
  func detail(_ light: Image<RGB<Float>>, seed: UInt64) -> Image<RGB<Float>> {
    let counts = Image<UInt16>(light.size) { x, y in
      var random = CounterRandom(seed: seed, x: x, y: y)
      let mean = Self.value(light[x, y], Int(Self.quad[x, y].rawValue)) * peak
      let electrons = random.poisson(max(0, mean)) + readNoise * random.normal()
      return Self.count(min(electrons / peak, Self.room))
    }
    return developed(counts, Self.quad, isBlind ? nil : profile, limit: reach)
  }

  /// Camera light of the composite.
  func composite(_ light: Image<RGB<Float>>, seed: UInt64) -> Image<RGB<Float>> {
    let size = PixelSize(width: light.width / 2, height: light.height / 2)
    let counts = Image<UInt16>(size) { x, y in
      var random = CounterRandom(seed: seed, x: x, y: y, stream: 1)
      let colour = Int(CFAPattern.rggb[x, y].rawValue)
      var sum = 0.0
      for (u, v) in [(0, 0), (1, 0), (0, 1), (1, 1)] { sum += Self.value(light[2 * x + u, 2 * y + v], colour) * peak }
      let electrons =
        (random.poisson(max(0, sum * frames)) + readNoise * frames.squareRoot() * random.normal()) / frames
      return Self.count(min(electrons / (4 * peak * reach), Self.room))
    }
    return developed(counts, .rggb, compositeProfile, limit: 1)
  }

  private static func value(_ pixel: RGB<Float>, _ colour: Int) -> Double {
    Double(colour == 0 ? pixel.red : colour == 1 ? pixel.green : pixel.blue) * gains[colour]
  }

  private static func count(_ part: Double) -> UInt16 {
    UInt16(min(65535, max(0, (part / room * white + black).rounded())))
  }

  /// - Parameter limit: white-balanced light at which all colours are cut, as the chain has it.
  private func developed(
    _ counts: Image<UInt16>, _ cfa: CFAPattern, _ noise: NoiseProfile?, limit: Double
  ) -> Image<RGB<Float>> {
    let levels = SensorLevels(black: Float(Self.black), white: Float(Self.black + Self.white))
    let photo = RawPhoto(
      pixels: .mosaic(Mosaic(samples: counts, cfa: cfa, levels: levels)),
      calibration: ColourCalibration(asShotWhite: .neutral(Self.gains)), noise: noise)
    var options = DevelopOptions.standard
    options.rendering = .camera
    options.demosaic = demosaic
    var camera = Image<RGB<Float>>(uninitialized: counts.size)
    do {
      try Developer(photo, options: options, limit: limit).render(
        PixelRect(counts.size), orientation: .up, into: &camera, resources: Resources())
    } catch { fatalError("\(error)") }
    return camera
  }

  /// How both chains render even surfaces.
  var noise: FusionNoiseSource {
    @Sendable func even(_ light: RGBTriple, _ size: PixelSize) -> Image<RGB<Float>> {
      // Camera light in parts of white → light before the colours' gains.
      let scene = RGB(
        Float(light.red * Self.room / Self.gains[0]), Float(light.green * Self.room / Self.gains[1]),
        Float(light.blue * Self.room / Self.gains[2]))
      return Image(size, repeating: scene)
    }
    return FusionNoiseSource(
      profile: profile,
      detail: { light, size in detail(even(light, size), seed: 71) },
      composite: { light, size in
        let inLight = RGBTriple(light.red * reach, light.green * reach, light.blue * reach)
        return composite(even(inLight, PixelSize(width: 2 * size.width, height: 2 * size.height)), seed: 72)
      })
  }

  var options: FusionOptions {
    var options = FusionOptions()
    options.neutral = RGBTriple(Self.gains[0], Self.gains[1], Self.gains[2])
    return options
  }

  /// Scene light of a fusion's result.
  func scene(_ result: FusionResult) -> Image<RGB<Float>> {
    let (black, gains) = (result.levels.black.values[0], Self.gains)
    let scale = Float(Self.room * reach) / (result.levels.white[0] - black)
    return Image(result.pixels.size) { x, y in
      let p = result.pixels[x, y]
      return RGB(
        (Float(p.red) - black) * scale / Float(gains[0]), (Float(p.green) - black) * scale / Float(gains[1]),
        (Float(p.blue) - black) * scale / Float(gains[2]))
    }
  }

  /// Scene light of camera light.
  static func scene(_ camera: Image<RGB<Float>>) -> Image<RGB<Float>> {
    Image(camera.size) { x, y in
      let p = camera[x, y]
      return RGB(
        p.red * Float(room / gains[0]), p.green * Float(room / gains[1]), p.blue * Float(room / gains[2]))
    }
  }
}

/// Gaussian blur of light, border repeated.
func blurred(_ light: Image<RGB<Float>>, sigma: Double) -> Image<RGB<Float>> {
  let reach = Int((4 * sigma).rounded(.up))
  var weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
  let sum = weights.reduce(0, +)
  weights = weights.map { $0 / sum }
  func pass(_ from: Image<RGB<Float>>, _ dx: Int, _ dy: Int) -> Image<RGB<Float>> {
    Image(from.size) { x, y in
      var (r, g, b) = (0.0, 0.0, 0.0)
      for (index, weight) in weights.enumerated() {
        let p = from[
          max(0, min(from.width - 1, x + dx * (index - reach))),
          max(0, min(from.height - 1, y + dy * (index - reach)))]
        (r, g, b) = (r + weight * Double(p.red), g + weight * Double(p.green), b + weight * Double(p.blue))
      }
      return RGB(Float(r), Float(g), Float(b))
    }
  }
  return pass(pass(light, 1, 0), 0, 1)
}

/// The light seen after the scene was shifted and turned about its centre; Catmull–Rom between pixels.
func displaced(_ light: Image<RGB<Float>>, x shiftX: Double, y shiftY: Double, degrees: Double) -> Image<RGB<Float>> {
  let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
  let (centreX, centreY) = (Double(light.width - 1) / 2, Double(light.height - 1) / 2)
  func weights(_ t: Double) -> [Double] {
    [
      0.5 * (2 * t * t - t - t * t * t), 0.5 * (2 - 5 * t * t + 3 * t * t * t), 0.5 * (t + 4 * t * t - 3 * t * t * t),
      0.5 * (t * t * t - t * t),
    ]
  }
  return Image(light.size) { x, y in
    let (dx, dy) = (Double(x) - centreX - shiftX, Double(y) - centreY - shiftY)
    let (u, v) = (centreX + c * dx + s * dy, centreY - s * dx + c * dy)
    let (left, top) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
    let (across, down) = (weights(u - Double(left)), weights(v - Double(top)))
    var sum = SIMD3<Double>.zero
    for j in 0..<4 {
      for i in 0..<4 {
        let p = light[max(0, min(light.width - 1, left + i - 1)), max(0, min(light.height - 1, top + j - 1))]
        sum += across[i] * down[j] * SIMD3(Double(p.red), Double(p.green), Double(p.blue))
      }
    }
    return RGB(Float(max(0, sum.x)), Float(max(0, sum.y)), Float(max(0, sum.z)))
  }
}
