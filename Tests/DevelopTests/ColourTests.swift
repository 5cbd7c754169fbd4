import Develop
import Glibc
import ImageCore
import Testing

/// Colour against the formulas of DNG 1.7, chapter 6, worked out here once more.
@Suite("Colour")
struct ColourTests {
  private static let size = PixelSize(width: 16, height: 16)
  private static let warm = Matrix([0.9, -0.35, -0.05], [-0.4, 1.2, 0.25], [-0.05, 0.2, 0.45])
  private static let cool = Matrix([0.75, -0.2, -0.1], [-0.45, 1.3, 0.15], [-0.1, 0.3, 0.65])
  /// Rows sum to the XYZ of D50.
  private static let forward = Matrix([0.60, 0.25, 0.11421], [0.30, 0.65, 0.05], [0.02, 0.08, 0.72510])

  /// One camera colour all over, in shares of saturation.
  private func photo(_ camera: [Double], _ calibration: ColourCalibration) -> RawPhoto {
    let cfa = CFAPattern.rggb
    let samples = Image<UInt16>(Self.size) { x, y in UInt16((camera[Int(cfa[x, y].rawValue)] * 60000).rounded()) }
    let mosaic = Mosaic(samples: samples, cfa: cfa, levels: SensorLevels(black: 0, white: 60000))
    return RawPhoto(pixels: .mosaic(mosaic), calibration: calibration)
  }

  private func calibration(
    _ profiles: [ColourCalibration.Profile], _ white: AsShotWhite
  ) -> ColourCalibration { ColourCalibration(profiles: profiles, asShotWhite: white) }

  private func linear(_ change: (inout DevelopOptions) -> Void = { _ in }) -> DevelopOptions {
    var options = DevelopOptions()
    options.tone = .linear
    change(&options)
    return options
  }

  /// The pixel in the middle, linear sRGB.
  private func light(_ photo: RawPhoto, _ options: DevelopOptions) throws -> [Double] {
    var image = Image<RGB<Float>>(uninitialized: Self.size)
    try Developer(photo, options: options).render(PixelRect(Self.size), orientation: .up, into: &image)
    let pixel = image[8, 8]
    return [pixel.red, pixel.green, pixel.blue].map { code in
      let value = Double(code)
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
  }

  private func expect(
    _ found: [Double], _ wanted: [Double], within limit: Double = 2e-4, location: SourceLocation = #_sourceLocation
  ) {
    let worst = zip(found, wanted).map { abs($0 - $1) }.max() ?? 1
    #expect(worst <= limit && found.count == wanted.count, "\(found), expected \(wanted)", sourceLocation: location)
  }

  /// XYZ under one white → under another, by the Bradford cones.
  private func adaptation(_ from: Chromaticity, _ to: Chromaticity) -> Matrix {
    let cones = Matrix([0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
    let gains = zip(cones * to.xyz, cones * from.xyz).map { $0 / $1 }
    return cones.inverse! * Matrix(diagonal: gains) * cones
  }

  @Test func forwardMatrixLeadsToD50() throws {
    let neutral = [0.5, 1, 0.625]
    let profile = ColourCalibration.Profile(
      illuminant: .exif(21), colorMatrix: Self.cool, forwardMatrix: Self.forward)
    let camera = [0.2, 0.3, 0.1]
    let photo = photo(camera, calibration([profile], .neutral(neutral)))
    let xyz = Self.forward * zip(camera, neutral).map { $0 / $1 }
    let wanted = OutputColourSpace.sRGB.toXYZ.inverse! * (adaptation(.d50, .d65) * xyz)
    expect(try light(photo, linear()), wanted)
    #expect(try Developer(photo, options: linear()).resolved.matrixSource == "forward matrix")
  }

  @Test func colourMatrixIsInvertedAndAdapted() throws {
    let white = Chromaticity.d65
    let neutral = Self.cool * white.xyz
    let xyz = [0.25, 0.2, 0.12]
    let profile = ColourCalibration.Profile(illuminant: .exif(21), colorMatrix: Self.cool)
    // The neutral's largest value stands for saturation, so light is relative to it.
    let largest = neutral.max()!
    let camera = (Self.cool * xyz).map { $0 / largest }
    let wanted = (OutputColourSpace.sRGB.toXYZ.inverse! * xyz)
    expect(try light(photo(camera, calibration([profile], .neutral(neutral))), linear()), wanted, within: 1e-3)
  }

  @Test(
    "Between two lights matrices are blended by 1/T",
    arguments: [
      Chromaticity(x: 0.4476, y: 0.4074), Chromaticity(x: 0.38, y: 0.377), Chromaticity(x: 0.3457, y: 0.3585),
      Chromaticity(x: 0.28, y: 0.29),
    ])
  func twoLights(white: Chromaticity) throws {
    let profiles = [(17, Self.warm), (21, Self.cool)].map {
      ColourCalibration.Profile(illuminant: .exif($0.0), colorMatrix: $0.1)
    }
    let n = (white.x - 0.3320) / (0.1858 - white.y)
    let kelvin = ((449 * n + 3525) * n + 6823.3) * n + 5520.33
    let share = min(1, max(0, (1 / kelvin - 1 / 6500) / (1.0 / 2850 - 1 / 6500)))
    let blended = share * Self.warm + (1 - share) * Self.cool
    let neutral = blended * white.xyz
    let shown = try Developer(
      photo([0.1, 0.1, 0.1], calibration(profiles, .chromaticity(white))), options: linear()
    ).resolved
    expect(shown.neutral, neutral.map { $0 / neutral.max()! }, within: 1e-9)
    #expect(abs((shown.temperature ?? 0) - min(15000, kelvin)) < 30, "\(shown.temperature ?? 0) K, not \(kelvin) K")
    // The same white, told by its camera values, gives the same picture.
    let camera = [0.2, 0.3, 0.15]
    expect(
      try light(photo(camera, calibration(profiles, .chromaticity(white))), linear()),
      try light(photo(camera, calibration(profiles, .neutral(neutral))), linear()), within: 1e-4)
  }

  @Test func multipliersAreTheInverseOfANeutral() throws {
    let profile = ColourCalibration.Profile(illuminant: .exif(21), colorMatrix: Self.cool)
    let photos = [AsShotWhite.neutral([0.5, 1, 0.625]), .unknown].map {
      photo([0.2, 0.3, 0.1], calibration([profile], $0))
    }
    // A common factor does not matter.
    let chosen = linear { $0.whiteBalance = .multipliers(red: 4, green: 2, blue: 3.2) }
    expect(try light(photos[1], chosen), try light(photos[0], linear()), within: 0)
    let wrong = linear { $0.whiteBalance = .multipliers(red: 0, green: 1, blue: 1) }
    #expect(throws: DevelopError.self) { try Developer(photos[0], options: wrong) }
  }

  @Test func exposureAndBaselineAddUp() throws {
    let neutral = AsShotWhite.neutral([0.5, 1, 0.625])
    let dim = photo([0.05, 0.1, 0.0625], calibration([], neutral))
    let bright = photo([0.1, 0.2, 0.125], calibration([], neutral))
    expect(try light(dim, linear { $0.exposure = 1 }), try light(bright, linear()), within: 1e-5)
    var based = dim
    based.baselineExposure = 1.5
    expect(try light(based, linear { $0.exposure = -0.5 }), try light(bright, linear()), within: 1e-5)
    #expect(throws: DevelopError.self) { try Developer(dim, options: linear { $0.exposure = .infinity }) }
  }

  @Test("The standard tone keeps the hue of bright colours", arguments: [0, 1, 2])
  func hue(stops: Double) throws {
    // Orange, up to saturation.
    for light in [[0.9, 0.3, 0.03], [0.5, 0.2, 0.05], [0.1, 0.4, 0.9]] {
      var scene = photo(light.map { $0 * 0.9 }, calibration([], .neutral([1, 1, 1])))
      scene.baselineExposure = stops
      let shown = try self.light(scene, DevelopOptions())
      func place(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[1] - sorted[0]) / (sorted[2] - sorted[0])
      }
      #expect(abs(place(shown) - place(light)) < 2e-3, "\(light) became \(shown)")
    }
  }

  @Test("8 bits and floating point agree with 16 bits", arguments: DevelopOptions.Tone.allCases, [false, true])
  func depths(tone: DevelopOptions.Tone, camera: Bool) throws {
    let size = PixelSize(width: 67, height: 35)
    let samples = Image<UInt16>(size) { x, y in UInt16((x &* 7919 ^ y &* 104_729) % 4000) }
    let mosaic = Mosaic(samples: samples, cfa: .rggb, levels: SensorLevels(black: 0, white: 4095))
    let photo = RawPhoto(
      pixels: .mosaic(mosaic), calibration: calibration([], .neutral([0.5, 1, 0.625])))
    var options = DevelopOptions()
    options.tone = tone
    options.rendering = camera ? .camera : .picture
    let developer = try Developer(photo, options: options)
    var bytes = Image<RGB<UInt8>>(uninitialized: size)
    var words = Image<RGB<UInt16>>(uninitialized: size)
    var numbers = Image<RGB<Float>>(uninitialized: size)
    developer.render(PixelRect(size), orientation: .up, into: &bytes)
    developer.render(PixelRect(size), orientation: .up, into: &words)
    developer.render(PixelRect(size), orientation: .up, into: &numbers)
    var (worstByte, worstNumber) = (0.0, 0.0)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let word = [words[x, y].red, words[x, y].green, words[x, y].blue].map(Double.init)
        let byte = [bytes[x, y].red, bytes[x, y].green, bytes[x, y].blue].map(Double.init)
        let number = [numbers[x, y].red, numbers[x, y].green, numbers[x, y].blue].map { min(1, max(0, Double($0))) }
        for channel in 0..<3 {
          worstByte = max(worstByte, abs(byte[channel] - word[channel] / 257))
          worstNumber = max(worstNumber, abs(number[channel] * 65535 - word[channel]))
        }
      }
    }
    #expect(worstNumber <= 0.51, "floating point is \(worstNumber) 16-bit codes away")
    #expect(worstByte <= 0.85, "8 bits are \(worstByte) codes away")
  }
}
