import Develop
import ImageCore

/// Even surfaces as a photo's own chain renders them: the sensor's noise, then the same demosaicing. A fusion learns
/// from them how noise looks.
struct EvenSurface: Sendable {
  private let photo: RawPhoto
  private let options: DevelopOptions
  private let noise: NoiseProfile
  private let limit: Double
  private let seed: UInt64

  /// Black and white of the surfaces, counts: fine enough for any noise.
  private static let black: Float = 4096
  private static let white: Float = 65535

  /// - Parameters:
  ///   - photo: whose filter array, calibration and noise the surfaces have.
  ///   - options: how it is developed.
  ///   - limit: the light at which all colours are cut, see ``Developer``.
  init(like photo: RawPhoto, options: DevelopOptions, limit: Double, seed: UInt64) {
    (self.photo, self.options, self.limit, self.seed) = (photo, options, limit, seed)
    noise = photo.noise ?? NoiseProfile(planes: [NoiseProfile.Plane(scale: 0, offset: 0)])
  }

  /// Linear camera RGB of a surface of the given light, 1 at the photo's white.
  func picture(_ light: RGBTriple, _ size: PixelSize) -> Image<RGB<Float>> {
    var surface = photo
    surface.defaultCrop = PixelRect(size)
    switch photo.pixels {
    case .mosaic(let mosaic):
      surface.pixels = .mosaic(
        Mosaic(
          samples: samples(light, size, mosaic.cfa), cfa: mosaic.cfa,
          levels: SensorLevels(black: Self.black, white: Self.white)))
    case .linear: surface.pixels = .linear(pixels(light, size))
    }
    var result = Image<RGB<Float>>(
      size, repeating: RGB(Float(light.red), Float(light.green), Float(light.blue)))
    guard let developer = try? Developer(surface, options: options, limit: limit) else { return result }
    developer.render(PixelRect(size), orientation: .up, into: &result)
    return result
  }

  private func samples(_ light: RGBTriple, _ size: PixelSize, _ cfa: CFAPattern) -> Image<UInt16> {
    var deviates = EvenNoise(seed: seed)
    let planes = cfa.colours.map { plane($0, light) }
    var image = Image<UInt16>(uninitialized: size)
    image.withMutableRows { rows in
      for y in 0..<size.height {
        let row = rows.row(y)
        let phase = y % cfa.height * cfa.width
        for x in 0..<size.width {
          let (mean, deviation) = planes[phase + x % cfa.width]
          row[x] = Self.count(mean + deviation * deviates.next())
        }
      }
    }
    return image
  }

  private func pixels(_ light: RGBTriple, _ size: PixelSize) -> LinearPicture {
    var deviates = EvenNoise(seed: seed)
    let planes = [CFAColour.red, .green, .blue].map { plane($0, light) }
    var image = Image<RGB<UInt16>>(uninitialized: size)
    image.withMutableRows { rows in
      for y in 0..<size.height {
        let row = rows.row(y)
        for x in 0..<size.width {
          let values = planes.map { Self.count($0.mean + $0.deviation * deviates.next()) }
          row[x] = RGB(values[0], values[1], values[2])
        }
      }
    }
    let levels = SensorLevels(
      black: BlackLevel(uniform: Self.black, planes: 3), white: Array(repeating: Self.white, count: 3))
    return LinearPicture(samples: image, levels: levels)
  }

  /// Light and its noise under a filter; green stands in for colours that are none of three.
  private func plane(_ colour: CFAColour, _ light: RGBTriple) -> (mean: Float, deviation: Float) {
    let index = colour == .red ? 0 : colour == .blue ? 2 : 1
    let mean = light[index]
    let plane = noise.plane(index)
    return (Float(mean), Float(max(0, plane.scale * mean + plane.offset).squareRoot()))
  }

  private static func count(_ light: Float) -> UInt16 {
    UInt16(max(0, min(white, (black + light * (white - black)).rounded())))
  }
}
