import Develop
import Foundation
import ImageCore

/// A scene captured, and what becomes of it.
struct Trial {
  let truth: Image<RGB<Float>>
  let enlarged: Image<RGB<Float>>
  let reduced: Image<RGB<Float>>
  let fused: Image<RGB<Float>>
  let result: FusionResult

  /// - Parameters:
  ///   - light: what the detail frame sees, through the optics.
  ///   - other: what the composite sees.
  init(
    _ light: Image<RGB<Float>>, other: Image<RGB<Float>>? = nil, _ simulator: Simulator, seed: UInt64,
    alignment: FusionOptions.Alignment = .auto, gate: FusionOptions.Gate = .auto, smoothness: Double = 1
  ) throws {
    let detail = simulator.detail(light, seed: seed)
    let composite = FusionComposite(pixels: simulator.composite(other ?? light, seed: seed))
    var options = simulator.options
    (options.alignment, options.gate, options.smoothness) = (alignment, gate, smoothness)
    let noise = NoiseCache.noise(simulator)
    let frame = FusionDetail(detail, lightAtWhite: 1 / simulator.reach)
    result = try Fusion.fuse(composite, frame, noise: noise, options: options)
    fused = simulator.scene(result)
    truth = light.resampled(to: result.pixels.size)
    reduced = Simulator.scene(detail.resampled(to: result.pixels.size))
    // The composite alone is laid by nothing: where it moved, it shows the scene as it was then.
    options.gate = .closed
    enlarged = simulator.scene(try Fusion.fuse(composite, frame, noise: noise, options: options))
  }
}

/// Even surfaces are the same for every picture of a level.
enum NoiseCache {
  nonisolated(unsafe) private static var surfaces: [String: Image<RGB<Float>>] = [:]

  static func noise(_ simulator: Simulator) -> FusionNoiseSource {
    let source = simulator.noise
    func kept(_ kind: String, _ make: @escaping FusionNoiseSource.EvenSurface) -> FusionNoiseSource.EvenSurface {
      { light, size in
        let key =
          "\(kind) \(simulator.isBlind) \(simulator.peak) \(simulator.frames) \(simulator.reach) \(simulator.demosaic?.rawValue ?? "-") \(light) \(size)"
        if let found = surfaces[key] { return found }
        let surface = make(light, size)
        surfaces[key] = surface
        return surface
      }
    }
    return FusionNoiseSource(
      profile: source.profile, detail: kept("detail", source.detail), composite: kept("composite", source.composite))
  }
}

/// Code of 255 of scene light, not rounded.
func code(_ light: Float) -> Double {
  let v = min(1, max(0, Double(light)))
  return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055)
}

/// dB of sRGB codes over the pixels that `counts` accepts.
func psnr(
  _ image: Image<RGB<Float>>, _ truth: Image<RGB<Float>>, border: Int = 8,
  where counts: (Int, Int) -> Bool = { _, _ in true }
) -> Double {
  var (sum, count) = (0.0, 0.0)
  for y in border..<truth.height - border {
    for x in border..<truth.width - border where counts(x, y) {
      let (a, b) = (image[x, y], truth[x, y])
      let d = [code(a.red) - code(b.red), code(a.green) - code(b.green), code(a.blue) - code(b.blue)]
      sum += d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
      count += 3
    }
  }
  return 10 * log10(255 * 255 / max(1e-9, sum / max(1, count)))
}

/// Modulation and overshoot of a slanted edge between two greys (ISO 12233): rows are binned by their distance from
/// the edge, whose place and slope are known.
struct EdgeResponse {
  /// Cycles a pixel at which contrast falls to half.
  let mtf50: Double
  /// Beyond the brighter or darker side, relative to the step.
  let overshoot: Double

  private static let bins = 4
  private static let reach = 16

  init(_ image: Image<RGB<Float>>, centreX: Double, centreY: Double, slope: Double) {
    let count = 2 * Self.reach * Self.bins
    var sums = [Double](repeating: 0, count: count)
    var hits = sums
    let cosine = 1 / (1 + slope * slope).squareRoot()
    for y in 24..<image.height - 24 {
      for x in 0..<image.width {
        let distance = (Double(x) - centreX - slope * (Double(y) - centreY)) * cosine
        let bin = Int(((distance + Double(Self.reach)) * Double(Self.bins)).rounded(.down))
        guard bin >= 0, bin < count else { continue }
        sums[bin] += Double(image[x, y].green)
        hits[bin] += 1
      }
    }
    let profile = zip(sums, hits).map { $0 / max(1, $1) }
    let (low, high) = (profile.prefix(24).reduce(0, +) / 24, profile.suffix(24).reduce(0, +) / 24)
    overshoot = max(profile.max()! - high, low - profile.min()!) / (high - low)
    let spread = (1..<count).map { index in
      let window = 0.5 - 0.5 * cos(2 * .pi * (Double(index) - 0.5) / Double(count - 1))
      return (profile[index] - profile[index - 1]) * window
    }
    func modulation(_ frequency: Double) -> Double {
      var (re, im) = (0.0, 0.0)
      for (index, value) in spread.enumerated() {
        let phase = 2 * .pi * frequency * Double(index) / Double(Self.bins)
        (re, im) = (re + value * cos(phase), im + value * sin(phase))
      }
      return (re * re + im * im).squareRoot()
    }
    let all = modulation(0)
    var frequency = 0.0
    while frequency < 1, modulation(frequency) > 0.5 * all { frequency += 0.002 }
    mtf50 = frequency
  }
}
