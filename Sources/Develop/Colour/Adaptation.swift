import ImageCore

/// Correlated colour temperature.
enum Adaptation {
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
