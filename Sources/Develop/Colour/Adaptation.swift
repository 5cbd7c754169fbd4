import ImageCore

/// Chromatic adaptation and correlated colour temperature.
enum Adaptation {
  /// Lam 1985; as printed in the ICC specification (ICC.1:2022, annex E).
  static let bradfordCones = Matrix(
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])

  /// XYZ under white `from` → XYZ under white `to`.
  static func bradford(from: Chromaticity, to: Chromaticity) -> Matrix {
    let before = bradfordCones * from.xyz
    let after = bradfordCones * to.xyz
    let gains = zip(after, before).map { $0 / $1 }
    return bradfordCones.inverse! * Matrix(diagonal: gains) * bradfordCones
  }

  /// Correlated colour temperature in kelvin.
  ///
  /// McCamy 1992, "Correlated color temperature as an explicit equation of chromaticity coordinates"; held to the
  /// 1500...15000 K in which the formula is meaningful.
  static func temperature(of white: Chromaticity) -> Double {
    let n = (white.x - 0.3320) / (0.1858 - white.y)
    let kelvin = ((449 * n + 3525) * n + 6823.3) * n + 5520.33
    return min(15000, max(1500, kelvin))
  }
}
