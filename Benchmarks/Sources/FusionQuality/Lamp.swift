import Foundation
import ImageCore

extension FusionQuality {
  /// Neutral lamps four times as bright as the detail frame's white, with a glow: where the composite is saturated too,
  /// and where it holds them.
  func lamp() throws {
    let size = PixelSize(width: 384, height: 384)
    let (centre, radius) = (Double(size.width) / 2 + 0.3, 28.0)
    let sharp = Image<RGB<Float>>(size) { x, y in
      let (dx, dy) = (Double(x) + 0.5 - centre, Double(y) + 0.5 - centre)
      let distance = (dx * dx + dy * dy).squareRoot()
      let edge = min(1, max(0, radius + 0.5 - distance))
      let glow = 0.12 + 1.2 * exp(-max(0, distance - radius) / 18)
      let light = Float(edge * 4 + (1 - edge) * glow)
      return RGB(light, light, light)
    }
    let light = blurred(sharp, sigma: sigma)
    for level in levels {
      for (name, reach) in [("clipped in both", 1.0), ("held by the composite", 4.0)] {
        var simulator = simulator(level)
        simulator.reach = reach
        let trial = try Trial(light, simulator, seed: 3, alignment: alignment, gate: gate, smoothness: smoothness)
        let place = centre * 17 / 24 - 0.5
        let rims = [trial.truth, trial.enlarged, trial.reduced, trial.fused].map {
          Self.colour($0, centre: place, exposure: 1 / reach)
        }
        print(
          String(
            format:
              "%5.0f e-, lamp %@: colour of its rings, truth %.2f, 12MP enlarged %.2f, 48MP reduced %.2f, fused %.2f codes",
            level, name, rims[0], rims[1], rims[2], rims[3]) + Required.verdict(rims[3], atMost: Required.rim))
        if reach > 1 {
          let inside = 0.8 * radius * 17 / 24
          let lights = [trial.truth, trial.enlarged, trial.reduced, trial.fused].map {
            Self.mean($0, centre: place, radius: inside)
          }
          print(
            String(
              format: "        its light: truth %.3f, 12MP enlarged %.3f, 48MP reduced %.3f, fused %.3f", lights[0],
              lights[1], lights[2], lights[3])
              + Required.verdict(abs(lights[3] / lights[0] - 1), atMost: Required.lampLight))
        }
        if let folder { try write(trial, "\(folder)/lamp-\(Int(level))-\(Int(reach))", exposure: 1 / reach) }
      }
    }
  }

  /// The largest difference between the colours of a ring's mean, codes.
  private static func colour(_ image: Image<RGB<Float>>, centre: Double, exposure: Double) -> Double {
    let rings = 120
    var sums = [SIMD4<Double>](repeating: .zero, count: rings)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let (dx, dy) = (Double(x) - centre, Double(y) - centre)
        let ring = Int(2 * (dx * dx + dy * dy).squareRoot())
        guard ring < rings else { continue }
        let p = image[x, y]
        let scale = Float(exposure)
        sums[ring] += SIMD4(code(p.red * scale), code(p.green * scale), code(p.blue * scale), 1)
      }
    }
    return sums.map { sum in (max(sum.x, sum.y, sum.z) - min(sum.x, sum.y, sum.z)) / max(1, sum.w) }.max()!
  }

  private static func mean(_ image: Image<RGB<Float>>, centre: Double, radius: Double) -> Double {
    var (sum, count) = (0.0, 0.0)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let (dx, dy) = (Double(x) - centre, Double(y) - centre)
        guard dx * dx + dy * dy < radius * radius else { continue }
        sum += Double(image[x, y].green)
        count += 1
      }
    }
    return sum / max(1, count)
  }
}
