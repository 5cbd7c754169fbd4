import Develop
import Foundation
import ImageCore
import Synthesis

/// Megapixels a second, on one thread, of developing a 48 megapixel mosaic to 8 bits, for each demosaic quality.
@main
struct Throughput {
  /// A 48 megapixel sensor, and the part of it that is rendered and then repeated.
  static let size = PixelSize(width: 8064, height: 6048)
  static let part = PixelSize(width: 2016, height: 1512)
  static let rounds = 3
  /// Least rates that this project holds itself to for quad arrays, MP/s.
  static let gates: [DemosaicQuality: Double] = [.fast: 80, .balanced: 15, .best: 6]

  static func main() throws {
    var passes = true
    for name in ["quad-rggb", "rggb"] {
      guard let cfa = CFAPattern(named: name) else { continue }
      let photo = photo(cfa)
      var bodies: [() -> Void] = []
      var image = Image<RGB<UInt8>>(size, repeating: RGB(0, 0, 0))
      for quality in DemosaicQuality.allCases {
        var options = DevelopOptions.standard
        options.demosaic = quality
        let developer = try Developer(photo, options: options)
        bodies.append { developer.render(PixelRect(size), orientation: .up, into: &image) }
      }
      for (quality, time) in zip(DemosaicQuality.allCases, medianMilliseconds(rounds: rounds, bodies)) {
        let rate = Double(size.area) / 1e3 / time
        let gate = name == "rggb" ? nil : gates[quality]
        let verdict = gate.map { " (gate \(Int($0)))" + (rate < $0 ? "  BELOW" : "") } ?? ""
        passes = passes && rate >= (gate ?? 0)
        print("\(name)  \(quality.rawValue)  \(String(format: "%.1f", rate)) MP/s\(verdict)")
      }
    }
    if !passes { exit(1) }
  }

  /// Leaves of all sizes under a noisy sensor, repeated over the frame.
  static func photo(_ cfa: CFAPattern) -> RawPhoto {
    var sensor = SensorRecipe()
    sensor.cfa = cfa
    let scene = Scene(SceneRecipe(kind: .deadLeaves, size: part))
    var photo = Synthesizer.capture(scene, sensor: sensor).photo
    guard case .mosaic(let small) = photo.pixels else { return photo }
    let samples = small.samples.withRows { rows in
      Image<UInt16>(size) { x, y in rows.row(y % part.height)[x % part.width] }
    }
    photo.pixels = .mosaic(Mosaic(samples: samples, cfa: small.cfa, levels: small.levels))
    photo.noise = nil
    return photo
  }
}

/// The median of `rounds` timings of each body; bodies take turns.
func medianMilliseconds(rounds: Int, _ bodies: [() -> Void]) -> [Double] {
  let clock = ContinuousClock()
  var times = bodies.map { _ in [Double]() }
  for _ in 0..<rounds {
    for (index, body) in bodies.enumerated() {
      let elapsed = clock.measure(body).components
      times[index].append(Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15)
    }
  }
  return times.map { $0.sorted()[$0.count / 2] }
}
