/// Colours under one white seen under another.
public enum ChromaticAdaptation {
  /// Lam 1985; as printed in the ICC specification (ICC.1:2022, annex E).
  private static let bradfordCones = Matrix(
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])

  /// XYZ under white `from` → XYZ under white `to`.
  public static func bradford(from: Chromaticity, to: Chromaticity) -> Matrix {
    let before = bradfordCones * from.xyz
    let after = bradfordCones * to.xyz
    let gains = zip(after, before).map { $0 / $1 }
    return bradfordCones.inverse! * Matrix(diagonal: gains) * bradfordCones
  }
}
