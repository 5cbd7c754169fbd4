import Develop
import Foundation
import ImageCore
import PhotoFiles

/// Demosaic quality, protocol P2: linear light, gains 0.5/1/0.65, mosaic, scored in sRGB after rounding to 8 bits,
/// 10 pixels of border left out, mean of the pictures' CPSNR. With `--noise S`, Gaussian noise of S codes is added to
/// 255 times the square root of the sensor's light. With `--detail D` the result is a picture with finished detail, and
/// with `--optics S` the truth was blurred by a Gaussian of S pixels before it was sampled.
@main
struct Quality {
  /// What the sensor makes of the three colours: a daylight-like imbalance.
  static let gains = [0.5, 1, 0.65]
  static let border = 10
  static let white: Double = 60000
  /// Room for noise below black.
  static let black: Double = 2000
  static let usage = """
    usage: Quality [--cfa NAME] [--demosaic fast|balanced|best] [--noise S] [--detail D]
      [--optics S] [--write FOLDER] PICTURE.png…
    (8-bit sRGB pictures taken as truth)

    """

  static func main() {
    do { try run() } catch {
      FileHandle.standardError.write(Data("Quality: \(error)\n".utf8))
      exit(error is UsageError ? 64 : 65)
    }
  }

  static func run() throws {
    var cfa = CFAPattern.rggb
    var quality: DemosaicQuality?
    var scene = DetailScene()
    var noise = 0.0
    var folder: String?
    var paths: [String] = []
    var words = CommandLine.arguments.dropFirst()[...]
    while let word = words.popFirst() {
      switch word {
      case "--cfa": cfa = try value(&words, CFAPattern.init(named:))
      case "--demosaic": quality = try value(&words, DemosaicQuality.init(rawValue:))
      case "--noise": noise = try value(&words, Double.init)
      case "--detail": scene.detail = try value(&words, Double.init)
      case "--optics": scene.optics = try value(&words, Double.init)
      case "--write": folder = try value(&words) { $0 }
      default: paths.append(word)
      }
    }
    guard !paths.isEmpty else { throw UsageError() }
    var sum = 0.0
    for path in paths {
      let truth = try read(path)
      let (score, picture) = try cpsnr(of: truth, cfa, quality, noise, scene)
      sum += score
      let name = URL(fileURLWithPath: path).lastPathComponent
      print("\(name)  \(String(format: "%.2f", score)) dB")
      if let folder { try write(picture, "\(folder)/\(name)") }
    }
    print("mean CPSNR over \(paths.count): \(String(format: "%.2f", sum / Double(paths.count))) dB")
  }

  struct WrongPicture: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is no 8-bit RGB picture" }
  }

  struct UsageError: Error, CustomStringConvertible { var description: String { Quality.usage } }

  static func value<Value>(_ words: inout ArraySlice<String>, _ parse: (String) -> Value?) throws -> Value {
    guard let word = words.popFirst(), let value = parse(word) else { throw UsageError() }
    return value
  }

  static func write(_ picture: Image<RGB<UInt8>>, _ path: String) throws {
    let spec = PictureSpec(size: picture.size, format: PixelFormat(.rgb, .uint8), container: .png)
    let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o644)
    defer { close(descriptor) }
    let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
    try picture.withRows { rows in
      try writer.write(rows: rows.height, from: UnsafeRawPointer(rows.base), bytesPerRow: rows.stride * 3)
    }
    try writer.finish()
  }

  static func read(_ path: String) throws -> Image<RGB<UInt8>> {
    let reader = try PictureReader(path: Array(path.utf8))
    guard reader.format == PixelFormat(.rgb, .uint8) else { throw WrongPicture(path: path) }
    var image = Image<RGB<UInt8>>(uninitialized: reader.size)
    try image.withMutableRows { rows in
      try reader.read(rows: rows.height, into: UnsafeMutableRawPointer(rows.base), bytesPerRow: rows.stride * 3)
    }
    return image
  }

  static func cpsnr(
    of truth: Image<RGB<UInt8>>, _ pattern: CFAPattern, _ quality: DemosaicQuality?, _ noise: Double,
    _ scene: DetailScene
  ) throws -> (Double, Image<RGB<UInt8>>) {
    var random = SystemOfGaussians(seed: 7)
    let sigma = noise / 255
    let seen = scene.blurred(truth)
    let counts = Image<UInt16>(truth.size) { x, y in
      let channel = Int(pattern[x, y].rawValue)
      // Noise of the root adds its variance to the mean of the light, which a sensor's noise does not.
      let root = max(0, (seen[channel][x, y] * gains[channel]).squareRoot() + (sigma > 0 ? sigma * random.next() : 0))
      return UInt16(min(65535, max(0, ((root * root - sigma * sigma) * white + black).rounded())))
    }
    let levels = SensorLevels(black: Float(black), white: Float(white + black))
    let mosaic = Mosaic(samples: counts, cfa: pattern, levels: levels)
    var options = DevelopOptions.standard
    options.rendering = .camera
    options.demosaic = quality
    // The root of light with variance s x has variance s / 4.
    let profile = noise > 0 ? NoiseProfile(planes: [.init(scale: 4 * sigma * sigma, offset: 0)]) : nil
    let photo = RawPhoto(
      pixels: .mosaic(mosaic), calibration: ColourCalibration(asShotWhite: .neutral(gains)), noise: profile)
    if let detail = scene.detail {
      let result = try scene.picture(of: photo, detail: detail, quality)
      return (PixelDifference(truth, result, border: border).cpsnr, result)
    }
    var camera = Image<RGB<UInt16>>(uninitialized: truth.size)
    try Developer(photo, options: options).render(
      PixelRect(truth.size), orientation: .up, into: &camera, resources: Resources())
    let result = Image<RGB<UInt8>>(truth.size) { x, y in
      let pixel = camera[x, y]
      let codes = zip([pixel.red, pixel.green, pixel.blue], gains).map { code(Double($0) / 65535 / $1) }
      return RGB(codes[0], codes[1], codes[2])
    }
    return (PixelDifference(truth, result, border: border).cpsnr, result)
  }

  static func light(_ code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }

  static func code(_ light: Double) -> UInt8 {
    UInt8((255 * min(1, max(0, TransferFunction.sRGB.encode(light, power: pow)))).rounded())
  }
}

/// Normal deviates from a 64-bit mixer (Steele, Lea & Flood 2014, SplitMix) and the Box–Muller transform.
struct SystemOfGaussians {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return (Double(mixed >> 11) + 0.5) / Double(1 << 53)
  }

  mutating func next() -> Double { (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()) }
}
