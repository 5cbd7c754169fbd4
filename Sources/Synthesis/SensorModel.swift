import ImageCore

/// The colour response and the noise of the synthetic camera, those of the project's DNG maker.
struct SensorModel {
  /// Camera response to linear sRGB, rows red, green, blue, before the gains.
  private static let cross = Matrix([0.80, 0.17, 0.03], [0.10, 0.82, 0.08], [0.02, 0.20, 0.78])
  private static let gains = [0.50, 1.00, 0.62]
  private static let srgbOfXYZ = Matrix(
    [3.2404542, -1.5371385, -0.4985314], [-0.9692660, 1.8760108, 0.0415560], [0.0556434, -0.2040259, 1.0572252])
  /// How red, green and blue respond under standard light A relative to D65.
  private static let warmth = [1.04, 1.0, 0.93]
  private static let d65 = 21
  private static let standardA = 17
  /// Photosites above which pixels are small and gather a quarter of the light.
  private static let smallPixelCount = 24_500_000

  /// The response of one colour to linear red, green and blue.
  static func response(_ colour: CFAColour) -> [Double] {
    row(colour, of: Matrix(diagonal: gains) * cross)
  }

  static func calibration(_ cfa: CFAPattern) -> ColourCalibration {
    let distinct = cfa.distinctColours
    let colours = Set(distinct).isSubset(of: [.red, .green, .blue]) ? [.red, .green, .blue] : distinct
    let daylight = Matrix(diagonal: gains) * cross * srgbOfXYZ
    let warm = Matrix(diagonal: warmth) * daylight
    func profile(_ matrix: Matrix, _ light: Int) -> ColourCalibration.Profile {
      ColourCalibration.Profile(
        illuminant: .exif(light),
        colorMatrix: Matrix(rows: colours.count, columns: 3, values: colours.flatMap { row($0, of: matrix) }))
    }
    let isRGB = colours == [.red, .green, .blue]
    return ColourCalibration(
      colours: colours, profiles: [profile(warm, standardA), profile(daylight, d65)],
      asShotWhite: .neutral(isRGB ? gains : colours.map { response($0).reduce(0, +) }))
  }

  /// Variance of a normalised sample: `scale * x + offset`.
  static func noise(iso: Int, size: PixelSize) -> NoiseProfile.Plane {
    let gain = Double(iso) / 100
    let area = size.width * size.height > smallPixelCount ? 4.0 : 1.0
    let read = 2.5e-4 * gain
    return NoiseProfile.Plane(scale: 1.6e-4 * gain * area, offset: 1.5e-4 * 1.5e-4 + read * read)
  }

  static func name(_ cfa: CFAPattern) -> String {
    if cfa.isBayer { return "DuoSynth Bayer" }
    return cfa == CFAPattern(named: "quad-rggb") ? "DuoSynth Quad48" : "DuoSynth \(cfa)"
  }

  private static func row(_ colour: CFAColour, of matrix: Matrix) -> [Double] {
    let parts: [Int] =
      switch colour {
      case .red: [0]
      case .green: [1]
      case .blue: [2]
      case .cyan: [1, 2]
      case .magenta: [0, 2]
      case .yellow: [0, 1]
      case .white: [0, 1, 2]
      }
    return (0..<3).map { column in
      parts.reduce(0.0) { $0 + matrix[$1, column] } / Double(parts.count)
    }
  }
}
