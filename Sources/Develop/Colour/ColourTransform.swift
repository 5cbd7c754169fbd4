import ImageCore

/// Camera colours → linear output RGB: white balance and matrix, resolved from a file's calibration.
///
/// DNG 1.7, chapter 6, "Mapping Camera Color Space to CIE XYZ Space".
struct ColourTransform: Sendable {
  /// The colours of the camera planes, in order.
  let colours: [CFAColour]
  /// Camera values of a neutral, largest 1.
  let neutral: [Double]
  /// Factors for the camera planes, smallest 1.
  let multipliers: [Double]
  let temperature: Double?
  let source: String
  /// White-balanced camera → linear output RGB, 3 x colours. A neutral goes to a neutral.
  let matrix: Matrix

  init(
    _ calibration: ColourCalibration, sensor: [CFAColour], options: DevelopOptions
  ) throws(DevelopError) {
    let known = !calibration.profiles.isEmpty && Set(sensor).isSubset(of: calibration.colours)
    colours = known ? calibration.colours : sensor
    let model = try known ? CameraModel(calibration) : nil
    let white = try Self.white(calibration, colours: colours, model: model, choice: options.whiteBalance)
    let largest = white.max() ?? 1
    guard white.allSatisfy({ $0.isFinite && $0 > 0 }) else { throw .unusableValue("the camera's neutral \(white)") }
    let neutral = white.map { $0 / largest }
    self.neutral = neutral
    multipliers = neutral.map { 1 / $0 }
    let space = options.outputSpace
    guard let fromXYZ = space.toXYZ.inverse else { throw .singularMatrix }
    let balanced: Matrix
    if let model {
      let place = model.chromaticity(ofNeutral: neutral)
      temperature = place.temperature
      (balanced, source) = try model.balancedToD50(neutral: neutral, white: place)
    } else {
      temperature = nil
      source = "none"
      balanced =
        try ChromaticAdaptation.bradford(from: .d65, to: .d50) * OutputColourSpace.sRGB.toXYZ * Self.assumed(colours)
    }
    let raw = fromXYZ * ChromaticAdaptation.bradford(from: .d50, to: space.white) * balanced
    matrix = Self.neutralised(raw)
  }

  /// Scales each row so that equal camera values give equal output values: takes out rounding of printed matrices.
  private static func neutralised(_ matrix: Matrix) -> Matrix {
    var result = matrix
    for row in 0..<matrix.rows {
      let sum = (0..<matrix.columns).reduce(0.0) { $0 + matrix[row, $1] }
      for column in 0..<matrix.columns where sum > 0 { result[row, column] = matrix[row, column] / sum }
    }
    return result
  }

  private static func white(
    _ calibration: ColourCalibration, colours: [CFAColour], model: CameraModel?, choice: DevelopOptions.WhiteBalance
  ) throws(DevelopError) -> [Double] {
    if case .multipliers(let red, let green, let blue) = choice {
      guard [red, green, blue].allSatisfy({ $0.isFinite && $0 > 0 }) else {
        throw .unusableValue("white balance \(red), \(green), \(blue)")
      }
      guard Set(colours).isSubset(of: [.red, .green, .blue]) else { throw .unsupportedColours(colours) }
      return colours.map { 1 / ($0 == .red ? red : $0 == .blue ? blue : green) }
    }
    switch calibration.asShotWhite {
    case .neutral(let values) where values.count == colours.count: return values
    case .chromaticity(let white): if let model { return model.neutral(of: white) }
    default: break
    }
    return model?.neutral(of: .d65) ?? colours.map { _ in 1 }
  }

  /// Camera → linear sRGB when nothing is known: RGB as they are, complementary filters as sums of two primaries.
  private static func assumed(_ colours: [CFAColour]) throws(DevelopError) -> Matrix {
    var rows: [Double] = []
    for colour in colours {
      switch colour {
      case .red: rows += [1, 0, 0]
      case .green: rows += [0, 1, 0]
      case .blue: rows += [0, 0, 1]
      case .cyan: rows += [0, 0.5, 0.5]
      case .magenta: rows += [0.5, 0, 0.5]
      case .yellow: rows += [0.5, 0.5, 0]
      case .white: throw .unsupportedColours(colours)
      }
    }
    let model = Matrix(rows: colours.count, columns: 3, values: rows)
    guard colours.count >= 3, let inverse = model.pseudoInverse else { throw .unsupportedColours(colours) }
    return inverse
  }
}
