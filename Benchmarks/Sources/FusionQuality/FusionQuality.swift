import Develop
import Foundation
import ImageCore
import PhotoFiles
import Synthesis

/// What fusing 48MP detail with a 12MP composite gains: dB of sRGB codes against the noise-free scene at 24MP, beside
/// the enlarged composite and the reduced detail frame.
@main
struct FusionQuality {
  static let usage = """
    usage: FusionQuality still|moved|edge|flat|lamp|speed [--levels E,E,…] [--sigma S] [--frames N] [--crop WxH]
                         [--demosaic fast|balanced|best] [--aligned] [--blind] [--open] [--smoothness C] [--least DB,DB,…] [--write FOLDER] [PICTURE.png|chart|dead-leaves|zone-plate…]

    """
  var levels = [4000.0, 1000, 250, 60, 20]
  /// What fusing must gain at each level, dB.
  var least: [Double] = []
  var sigma = 0.6
  var frames = 8.0
  var crop = PixelSize(width: 768, height: 480)
  var demosaic: DemosaicQuality?
  var alignment = FusionOptions.Alignment.auto
  var gate = FusionOptions.Gate.auto
  var smoothness = 1.0
  var isBlind = false
  var folder: String?
  var paths: [String] = []

  static func main() {
    do {
      var words = CommandLine.arguments.dropFirst()[...]
      guard let command = words.popFirst() else { throw UsageError() }
      let run = try FusionQuality(&words)
      switch command {
      case "still": try run.still()
      case "moved": try run.moved()
      case "edge": try run.edge()
      case "flat": try run.flat()
      case "lamp": try run.lamp()
      case "speed": try run.speed()
      default: throw UsageError()
      }
    } catch {
      FileHandle.standardError.write(Data("FusionQuality: \(error)\n".utf8))
      exit(error is UsageError ? 64 : 65)
    }
  }

  struct UsageError: Error, CustomStringConvertible { var description: String { FusionQuality.usage } }

  init(_ words: inout ArraySlice<String>) throws {
    func value<Value>(_ parse: (String) -> Value?) throws -> Value {
      guard let word = words.popFirst(), let value = parse(word) else { throw UsageError() }
      return value
    }
    while let word = words.popFirst() {
      switch word {
      case "--levels": levels = try value { $0.split(separator: ",").compactMap { Double($0) } }
      case "--sigma": sigma = try value(Double.init)
      case "--frames": frames = try value(Double.init)
      case "--smoothness": smoothness = try value(Double.init)
      case "--least": least = try value { $0.split(separator: ",").compactMap { Double($0) } }
      case "--crop":
        crop = try value { text in
          let sides = text.split(separator: "x").compactMap { Int($0) }
          return sides.count == 2 ? PixelSize(width: sides[0], height: sides[1]) : nil
        }
      case "--demosaic": demosaic = try value(DemosaicQuality.init(rawValue:))
      case "--aligned": alignment = .none
      case "--blind": isBlind = true
      case "--open": gate = .open
      case "--write": folder = try value { $0 }
      default: paths.append(word)
      }
    }
  }

  func simulator(_ level: Double) -> Simulator {
    var simulator = Simulator()
    (simulator.peak, simulator.frames, simulator.demosaic) = (level, max(1, frames * 0.75), demosaic)
    simulator.isBlind = isBlind
    return simulator
  }

  /// The linear scene at the detail frame's pixels, as the lens shows it.
  func scene(_ path: String) throws -> Image<RGB<Float>> {
    if let kind = SceneKind(rawValue: path) {
      let light = Synthesis.Scene(SceneRecipe(kind: kind, size: crop)).light
      return blurred(
        Image(crop) { x, y in
          let p = light[x, y]
          return RGB(min(1, p.red), min(1, p.green), min(1, p.blue))
        }, sigma: sigma)
    }
    let picture = try PictureFile.read(path)
    // The ratio 17/24 with even sizes wants multiples of 48.
    let turned = picture.height > picture.width ? crop.transposed : crop
    let size = PixelSize(
      width: min(picture.width, turned.width) / 48 * 48, height: min(picture.height, turned.height) / 48 * 48)
    let rect = PixelRect(
      x: (picture.width - size.width) / 2, y: (picture.height - size.height) / 2, width: size.width,
      height: size.height)
    let part = picture.cropped(to: rect)
    let table = (0..<256).map { Float(PictureFile.light(Double($0) / 255)) }
    return blurred(
      Image(size) { x, y in
        let p = part[x, y]
        return RGB(table[Int(p.red)], table[Int(p.green)], table[Int(p.blue)])
      }, sigma: sigma)
  }

  func still() throws {
    let scenes = try paths.map(scene)
    for (slot, level) in levels.enumerated() {
      var (up, down, fused, better) = (0.0, 0.0, 0.0, 0.0)
      var decisions: [String: Int] = [:]
      var report: FusionReport?
      for (index, light) in scenes.enumerated() {
        let trial = try Trial(
          light, simulator(level), seed: UInt64(index + 1), alignment: alignment, gate: gate, smoothness: smoothness)
        let scores = [
          psnr(trial.enlarged, trial.truth), psnr(trial.reduced, trial.truth), psnr(trial.fused, trial.truth),
        ]
        up += scores[0]
        down += scores[1]
        fused += scores[2]
        better += max(scores[0], scores[1])
        decisions[trial.result.report.decision.rawValue, default: 0] += 1
        report = trial.result.report
        if let folder { try write(trial, "\(folder)/\(index)-\(Int(level))") }
      }
      let count = Double(scenes.count)
      (up, down, fused, better) = (up / count, down / count, fused / count, better / count)
      print(
        String(
          format:
            "%5.0f e-, sigma %.1f: 12MP enlarged %.2f  48MP reduced %.2f  fused %.2f dB: %+.2f over the better (%+.2f picture by picture)",
          level, sigma, up, down, fused, fused - max(up, down), fused - better), terminator: "")
      if let report {
        let verdict = slot < least.count ? Required.verdict(fused - max(up, down), atLeast: least[slot]) : ""
        print(
          String(
            format: "; noise %.1f and %.1f codes, ghosts %.2f %%, off by %.3f px", report.detailNoise,
            report.compositeNoise, 100 * report.ghostShare, report.registration.meanDeviation),
          decisions.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ") + verdict)
      }
    }
  }

  /// A slanted edge of contrast 4:1.
  func edge() throws {
    let size = PixelSize(width: 480, height: 480)
    let slope = tan(5 * Double.pi / 180)
    for (name, dark, bright) in [
      ("neutral", RGB<Float>(0.2, 0.2, 0.2), RGB<Float>(0.8, 0.8, 0.8)),
      ("red and cyan", RGB<Float>(0.7, 0.2, 0.2), RGB<Float>(0.2, 0.8, 0.8)),
    ] {
      // The share of a pixel beyond the edge, from 64 points of it.
      let sharp = Image<RGB<Float>>(size) { x, y in
        var share: Float = 0
        for v in 0..<8 {
          for u in 0..<8 {
            let (px, py) = (Double(x) + (Double(u) + 0.5) / 8, Double(y) + (Double(v) + 0.5) / 8)
            if px - 240 > slope * (py - 240) { share += 1 / 64 }
          }
        }
        return RGB(
          dark.red + share * (bright.red - dark.red), dark.green + share * (bright.green - dark.green),
          dark.blue + share * (bright.blue - dark.blue))
      }
      let light = blurred(sharp, sigma: sigma)
      for level in levels {
        let trial = try Trial(
          light, simulator(level), seed: 5, alignment: alignment, gate: gate, smoothness: smoothness)
        let centre = 240.0 * 17 / 24 - 0.5
        let all = [trial.truth, trial.enlarged, trial.reduced, trial.fused].map {
          EdgeResponse($0, centreX: centre, centreY: centre, slope: slope)
        }
        print(
          String(
            format:
              "%5.0f e-, %@ edge: MTF50 of the ideal 24MP %.3f cycles/px; of it, 12MP enlarged %.2f, 48MP reduced %.2f, fused %.2f; overshoot %.1f, %.1f, %.1f, %.1f %%",
            level, name, all[0].mtf50, all[1].mtf50 / all[0].mtf50, all[2].mtf50 / all[0].mtf50,
            all[3].mtf50 / all[0].mtf50, 100 * all[0].overshoot, 100 * all[1].overshoot, 100 * all[2].overshoot,
            100 * all[3].overshoot)
            + (name == "neutral" ? Required.verdict(all[3].mtf50 / all[0].mtf50, atLeast: Required.sharpness) : ""))
      }
    }
  }

  /// Noise of an even grey.
  func flat() throws {
    let light = Image<RGB<Float>>(PixelSize(width: 480, height: 480), repeating: RGB(0.18, 0.18, 0.18))
    func deviation(_ image: Image<RGB<Float>>) -> Double {
      var (sum, squares, count) = (0.0, 0.0, 0.0)
      for y in 16..<image.height - 16 {
        for x in 16..<image.width - 16 {
          let p = image[x, y]
          let luma = 0.2126 * code(p.red) + 0.7152 * code(p.green) + 0.0722 * code(p.blue)
          (sum, squares, count) = (sum + luma, squares + luma * luma, count + 1)
        }
      }
      return (squares / count - sum * sum / (count * count)).squareRoot()
    }
    for level in levels {
      let trial = try Trial(
        light, simulator(level), seed: 9, alignment: alignment, gate: gate, smoothness: smoothness)
      let sigmas = [trial.enlarged, trial.reduced, trial.fused].map(deviation)
      print(
        String(
          format:
            "%5.0f e-, even grey: noise of brightness 12MP enlarged %.2f, 48MP reduced %.2f, fused %.2f codes: %.2f of 12MP, %.2f of 48MP",
          level, sigmas[0], sigmas[1], sigmas[2], sigmas[2] / sigmas[0], sigmas[2] / sigmas[1])
          + Required.verdict(sigmas[2] / sigmas[0], atMost: Required.noise))
    }
  }
}
