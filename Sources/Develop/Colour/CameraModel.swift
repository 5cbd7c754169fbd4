import ImageCore

/// A calibrated camera: one or two profiles, blended by the light's temperature. DNG 1.7, chapter 6.
struct CameraModel: Sendable {
  struct White: Sendable {
    var chromaticity: Chromaticity
    var temperature: Double
  }

  private let calibration: ColourCalibration
  private let balance: Matrix
  /// Steps of the search for the white point; the DNG specification asks to repeat until it settles.
  private static let iterations = 30

  init(_ calibration: ColourCalibration) throws(DevelopError) {
    self.calibration = calibration
    let count = calibration.colours.count
    for profile in calibration.profiles where profile.colorMatrix.rows != count || profile.colorMatrix.columns != 3 {
      throw .singularMatrix
    }
    balance =
      calibration.analogBalance.count == count
      ? Matrix(diagonal: calibration.analogBalance) : .identity(count)
  }

  /// The share of the first profile: linear in 1/T between the two, held outside.
  private func firstShare(_ temperature: Double) -> Double {
    guard calibration.profiles.count > 1, let t1 = kelvin(0), let t2 = kelvin(1), t1 != t2 else { return 1 }
    return min(1, max(0, (1 / temperature - 1 / t2) / (1 / t1 - 1 / t2)))
  }

  private func kelvin(_ index: Int) -> Double? {
    let illuminant = calibration.profiles[index].illuminant
    if case .chromaticity(let white) = illuminant { return Adaptation.temperature(of: white) }
    return illuminant.temperature
  }

  private func blend(_ temperature: Double, _ part: (ColourCalibration.Profile) -> Matrix?) -> Matrix? {
    let first = part(calibration.profiles[0])
    let share = firstShare(temperature)
    guard calibration.profiles.count > 1, let second = part(calibration.profiles[1]), share < 1 else { return first }
    guard let first, share > 0 else { return second }
    return share * first + (1 - share) * second
  }

  /// AnalogBalance x CameraCalibration.
  private func individual(_ temperature: Double) -> Matrix {
    guard let own = blend(temperature, \.cameraCalibration) else { return balance }
    return balance * own
  }

  /// XYZ → camera under light of a temperature.
  private func fromXYZ(_ temperature: Double) -> Matrix {
    individual(temperature) * blend(temperature, \.colorMatrix)!
  }

  /// Camera values of a white.
  func neutral(of white: Chromaticity) -> [Double] {
    fromXYZ(Adaptation.temperature(of: white)) * white.xyz
  }

  /// The white whose camera values are `neutral`: fixed point of neutral → XYZ → temperature → matrices.
  func chromaticity(ofNeutral neutral: [Double]) -> White {
    var white = Chromaticity.d50
    for _ in 0..<Self.iterations {
      guard let inverse = fromXYZ(Adaptation.temperature(of: white)).pseudoInverse else { break }
      let xyz = inverse * neutral
      let sum = xyz.reduce(0, +)
      guard sum > 0, xyz.allSatisfy(\.isFinite) else { break }
      white = Chromaticity(x: xyz[0] / sum, y: xyz[1] / sum)
    }
    return White(chromaticity: white, temperature: Adaptation.temperature(of: white))
  }

  /// White-balanced camera → XYZ D50, and which of the file's matrices it comes from.
  func balancedToD50(neutral: [Double], white: White) throws(DevelopError) -> (Matrix, String) {
    let own = individual(white.temperature)
    guard let ownInverse = own.inverse else { throw .singularMatrix }
    let unbalance = Matrix(diagonal: neutral)
    if let forward = blend(white.temperature, \.forwardMatrix),
      calibration.profiles.allSatisfy({ $0.forwardMatrix != nil }), forward.columns == neutral.count
    {
      // ForwardMatrix x D x (AB x CC)⁻¹ with D = inverse of the diagonal of the reference neutral.
      let reference = ownInverse * neutral
      return (forward * Matrix(diagonal: reference.map { 1 / $0 }) * ownInverse * unbalance, "forward matrix")
    }
    guard let inverse = fromXYZ(white.temperature).pseudoInverse else { throw .singularMatrix }
    let adapt = ChromaticAdaptation.bradford(from: white.chromaticity, to: .d50)
    return (adapt * inverse * unbalance, "colour matrix")
  }
}
