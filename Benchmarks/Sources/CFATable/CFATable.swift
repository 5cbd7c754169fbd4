import Foundation
import ImageCore
import PhotoFiles

/// How often the pattern probe finds which kind of mosaic, over pictures that are taken as light: every pattern at a
/// changing origin, tagged as plain RGGB, through unequal and through equal colour gains, without and with noise.
@main
struct CFATable {
  static let kinds = ["rggb", "grbg", "gbrg", "bggr", "xtrans", "quad-rggb", "nona-rggb", "hexadeca-rggb"]
  /// Camera values of grey: a phone's, and the worst case, in which grey areas show no pattern at all.
  static let gains = [("unequal gains", [0.5, 1, 0.62]), ("equal gains", [1.0, 1, 1])]
  /// Variance per light, of normalised samples: none, and that of a small pixel at ISO 3200.
  static let noises = [("clean", 0.0), ("noisy", 0.02)]
  static let black = 528.0
  static let white = 4095.0

  /// What became of one kind of mosaic.
  struct Row {
    /// Certain findings by their kind, by its index in `kinds` (all four Bayer cells are one); wrong origins apart.
    var certain: [String: Int] = [:]
    var unsure = 0
    var wrongOrigin = 0
    var largestFalse = 0.0
  }

  static func main() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty else {
      FileHandle.standardError.write(Data("usage: CFATable PICTURE.png…   (8-bit sRGB)\n".utf8))
      exit(64)
    }
    var rows: [String: Row] = [:]
    for (index, path) in paths.enumerated() {
      guard let light = try read(path) else { continue }
      for (gainName, gain) in gains {
        for (noiseName, noise) in noises {
          for kind in kinds {
            let cell = CFAPattern(named: kind)!
            let truth = kind.count == 4 ? cell : cell.shifted(dx: index * 5 % cell.width, dy: index * 7 % cell.height)
            let found = CFAProbe().measure(mosaic(light, truth, gain, noise, seed: index))
            let key = "\(family(truth))  \(gainName), \(noiseName)"
            rows[key, default: Row()].count(found, truth)
          }
        }
      }
    }
    print(
      "true pattern, gains, noise: certain findings of each kind | unsure | wrong origin | most confident wrong kind")
    for key in rows.keys.sorted() {
      guard let row = rows[key] else { continue }
      let certain = row.certain.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      print("\(key): \(certain) | \(row.unsure) | \(row.wrongOrigin) | \(String(format: "%.2f", row.largestFalse))")
    }
  }

  static func family(_ pattern: CFAPattern) -> String {
    switch pattern.clusters?.side {
    case 1: "Bayer"
    case 2: "quad"
    case 3: "nona"
    case 4: "hexadeca"
    default: "X-Trans"
    }
  }

  static func read(_ path: String) throws -> Image<RGB<UInt8>>? {
    let reader = try PictureReader(path: Array(path.utf8))
    guard reader.format == PixelFormat(.rgb, .uint8) else { return nil }
    var image = Image<RGB<UInt8>>(uninitialized: reader.size)
    try image.withMutableRows { rows in
      try reader.read(rows: rows.height, into: UnsafeMutableRawPointer(rows.base), bytesPerRow: rows.stride * 3)
    }
    let most = 1024
    let side = (width: min(most, image.width), height: min(most, image.height))
    return image.cropped(to: PixelRect(x: 0, y: 0, width: side.width, height: side.height))
  }

  static func mosaic(
    _ light: Image<RGB<UInt8>>, _ pattern: CFAPattern, _ gains: [Double], _ noise: Double, seed: Int
  ) -> Mosaic {
    let table = (0..<256).map { code -> Double in
      let value = Double(code) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    var random = SplitMix(state: UInt64(seed &+ 1))
    var samples = Image<UInt16>(uninitialized: light.size)
    light.withRows { from in
      samples.withMutableRows { to in
        for y in 0..<to.height {
          let (pixels, row) = (from.row(y), to.row(y))
          for x in 0..<to.width {
            let pixel = pixels[x]
            let channel = Int(pattern[x, y].rawValue)
            var value = table[Int([pixel.red, pixel.green, pixel.blue][channel])] * gains[channel]
            if noise > 0 { value += random.normal() * (noise * value + noise * noise / 100).squareRoot() }
            row[x] = UInt16(max(0, min(white, (black + value * (white - black)).rounded())))
          }
        }
      }
    }
    return Mosaic(samples: samples, cfa: .rggb, levels: SensorLevels(black: Float(black), white: Float(white)))
  }
}

extension CFATable.Row {
  mutating func count(_ found: CFAMeasurement, _ truth: CFAPattern) {
    let kind = found.pattern.map(CFATable.family) ?? "nothing"
    if kind != CFATable.family(truth) { largestFalse = max(largestFalse, found.confidence) }
    guard found.isCertain, let pattern = found.pattern else {
      unsure += 1
      return
    }
    certain[kind, default: 0] += 1
    let (a, b) = (pattern.clusters, truth.clusters)
    if a?.side == b?.side, a?.originX != b?.originX || a?.originY != b?.originY { wrongOrigin += 1 }
  }
}

/// Steele, Lea, Flood 2014, SplitMix64; a sum of twelve uniform numbers is near enough to a normal one here.
struct SplitMix {
  var state: UInt64

  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }

  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}
