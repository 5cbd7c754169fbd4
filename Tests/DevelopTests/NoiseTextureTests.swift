import ImageCore
import Testing

@testable import Develop

/// What is measured of the noise of linear pictures, against noise of a known kind.
struct NoiseTextureTests {
  private static let size = PixelSize(width: 320, height: 256)
  private static let profile = NoiseProfile(planes: [.init(scale: 1e-3, offset: 1e-5)])

  /// A gentle slope of light with noise of a texture; `relief` is added to it.
  private static func picture(
    _ texture: NoiseTexture, relief: (_ x: Int, _ y: Int) -> Double = { _, _ in 0 }
  ) -> LinearPicture {
    var noise = PatchNoise(seed: 11)
    let field = texture.field(size, &noise)
    let (black, white) = (1000.0, 61000.0)
    let samples = Image<RGB<UInt16>>(size) { x, y in
      let light = 0.2 + 0.2 * Double(x) / Double(size.width) + relief(x, y)
      let deviation = (1e-3 * light + 1e-5).squareRoot()
      let counts = (0..<3).map { plane in
        UInt16((black + (light + deviation * field[plane][y * size.width + x]) * (white - black)).rounded())
      }
      return RGB(counts[0], counts[1], counts[2])
    }
    return LinearPicture(
      samples: samples,
      levels: SensorLevels(black: BlackLevel(uniform: 1000, planes: 3), white: [61000, 61000, 61000]))
  }

  private static let textures = [
    NoiseTexture.white, NoiseTexture(across: 0.5, down: 0.5, red: 0, blue: 0),
    NoiseTexture(across: 0.3, down: 0.6, red: 0.7, blue: 0.2),
    NoiseTexture(across: -0.3, down: 0, red: -0.4, blue: 0.9),
  ]

  @Test("Noise that is made is measured", arguments: textures)
  func roundTrip(texture: NoiseTexture) {
    let found = NoiseTexture(of: Self.picture(texture), Self.profile)
    let pairs = [
      (found.across, texture.across), (found.down, texture.down), (found.red, texture.red),
      (found.blue, texture.blue),
    ]
    for (measured, made) in pairs { #expect(abs(measured - made) < 0.06, "\(found) of \(texture)") }
  }

  @Test("Fields have variance 1", arguments: textures)
  func variance(texture: NoiseTexture) {
    var noise = PatchNoise(seed: 3)
    for plane in texture.field(PixelSize(width: 128, height: 128), &noise) {
      let variance = plane.reduce(0) { $0 + $1 * $1 } / Double(plane.count)
      #expect(abs(variance - 1) < 0.06, "\(variance) of \(texture)")
    }
  }

  @Test("Where nothing is flat nothing is claimed")
  func reliefTellsNothing() {
    let picture = Self.picture(NoiseTexture(across: 0.5, down: 0.5, red: 0, blue: 0)) { x, y in
      (x / 3 + y / 3) & 1 == 0 ? 0.1 : 0
    }
    #expect(NoiseTexture(of: picture, Self.profile) == .white)
    #expect(NoiseTexture(of: picture, NoiseProfile(planes: [.init(scale: 0, offset: 0)])) == .white)
  }
}
