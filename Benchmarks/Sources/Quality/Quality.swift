import Develop
import Foundation
import ImageCore
import PhotoFiles

/// Demosaic quality, protocol P2: linear light, gains 0.5/1/0.65, RGGB mosaic without noise, scored in sRGB after
/// rounding to 8 bits, 10 pixels of border left out, mean of the pictures' CPSNR.
@main
struct Quality {
  /// What the sensor makes of the three colours: a daylight-like imbalance.
  static let gains = [0.5, 1, 0.65]
  static let border = 10
  static let white: Double = 65535

  static func main() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty else {
      FileHandle.standardError.write(
        Data("usage: Quality PICTURE.png…   (8-bit sRGB pictures taken as truth)\n".utf8))
      exit(64)
    }
    var sum = 0.0
    for path in paths {
      let truth = try read(path)
      let score = try cpsnr(of: truth)
      sum += score
      print("\(URL(fileURLWithPath: path).lastPathComponent)  \(String(format: "%.2f", score)) dB")
    }
    print("mean CPSNR over \(paths.count): \(String(format: "%.2f", sum / Double(paths.count))) dB")
  }

  static func read(_ path: String) throws -> Image<RGB<UInt8>> {
    let reader = try PictureReader(path: Array(path.utf8))
    guard reader.format == PixelFormat(.rgb, .uint8) else { throw CocoaError(.fileReadCorruptFile) }
    var image = Image<RGB<UInt8>>(uninitialized: reader.size)
    try image.withMutableRows { rows in
      try reader.read(rows: rows.height, into: UnsafeMutableRawPointer(rows.base), bytesPerRow: rows.stride * 3)
    }
    return image
  }

  static func cpsnr(of truth: Image<RGB<UInt8>>) throws -> Double {
    let pattern = CFAPattern.rggb
    let counts = Image<UInt16>(truth.size) { x, y in
      let pixel = truth[x, y]
      let channel = Int(pattern[x, y].rawValue)
      let code = Double([pixel.red, pixel.green, pixel.blue][channel]) / 255
      return UInt16((light(code) * gains[channel] * white).rounded())
    }
    let mosaic = Mosaic(samples: counts, cfa: pattern, levels: SensorLevels(black: 0, white: Float(white)))
    var options = DevelopOptions.standard
    options.rendering = .camera
    let photo = RawPhoto(
      pixels: .mosaic(mosaic), calibration: ColourCalibration(asShotWhite: .neutral(gains)))
    var camera = Image<RGB<UInt16>>(uninitialized: truth.size)
    try Developer(photo, options: options).render(
      PixelRect(truth.size), orientation: .up, into: &camera, resources: Resources())
    let result = Image<RGB<UInt8>>(truth.size) { x, y in
      let pixel = camera[x, y]
      let codes = zip([pixel.red, pixel.green, pixel.blue], gains).map { code(Double($0) / white / $1) }
      return RGB(codes[0], codes[1], codes[2])
    }
    return PixelDifference(truth, result, border: border).cpsnr
  }

  static func light(_ code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }

  static func code(_ light: Double) -> UInt8 {
    UInt8((255 * min(1, max(0, TransferFunction.sRGB.encode(light, power: pow)))).rounded())
  }
}
