import Develop
import Foundation
import ImageCore
import Synthesis

/// Megapixels a second, on one thread, of demosaicing a 48 megapixel mosaic (counts in, linear camera colours of 16 bits
/// out) and of developing it to a picture of 8 bits, for each demosaic quality.
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
    let only = CommandLine.arguments.dropFirst().first.flatMap(DemosaicQuality.init(rawValue:))
    let qualities = DemosaicQuality.allCases.filter { only == nil || only == $0 }
    for name in ["quad-rggb", "rggb"] {
      guard let cfa = CFAPattern(named: name) else { continue }
      let photo = photo(cfa)
      var bodies: [() -> Void] = []
      var camera = Image<RGB<UInt16>>(size, repeating: RGB(0, 0, 0))
      var picture = Image<RGB<UInt8>>(size, repeating: RGB(0, 0, 0))
      for quality in qualities {
        var options = DevelopOptions.standard
        options.demosaic = quality
        let pictures = try Developer(photo, options: options)
        options.rendering = .camera
        let colours = try Developer(photo, options: options)
        bodies.append { colours.render(PixelRect(size), orientation: .up, into: &camera) }
        bodies.append { pictures.render(PixelRect(size), orientation: .up, into: &picture) }
      }
      let rates = medianMilliseconds(rounds: rounds, bodies).map { Double(size.area) / 1e3 / $0 }
      for (index, quality) in qualities.enumerated() {
        let rate = rates[2 * index]
        let gate = name == "rggb" ? nil : gates[quality]
        let verdict = gate.map { " (gate \(Int($0)))" + (rate < $0 ? "  BELOW" : "") } ?? ""
        passes = passes && rate >= (gate ?? 0)
        let (demosaic, whole) = (String(format: "%.1f", rate), String(format: "%.1f", rates[2 * index + 1]))
        print("\(name)  \(quality.rawValue)  demosaic \(demosaic) MP/s\(verdict), picture \(whole) MP/s")
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
