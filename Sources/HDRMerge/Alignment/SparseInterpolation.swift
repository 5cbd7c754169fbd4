import ImageCore

/// Makes samples of any mosaic at places between its photosites: the mean of the own colour's nearest sites, weighted
/// by the inverse fourth power of the distance, which is exact where a site is hit.
///
/// - Source: Shepard 1968, "A two-dimensional interpolation function for irregularly-spaced data".
struct SparseInterpolation {
  let patch: WarpPatch
  let cell: SampleCell

  /// Sites looked at on each side of the place: reaches a site of every colour in patterns up to 4x4.
  private static let reach = 3
  /// Added to squared distances, pixels²: a site that is hit counts alone, but finitely.
  private static let softening: Float = 0.02

  func sample(_ x: Float, _ y: Float, into out: Plane, column: Int, row: Int) {
    for phaseY in 0..<cell.height {
      for phaseX in 0..<cell.width {
        let colour = cell.colours[phaseY * cell.width + phaseX]
        out.row(row + phaseY)[column + phaseX] = value(x + Float(phaseX), y + Float(phaseY), colour)
      }
    }
  }

  private func value(_ x: Float, _ y: Float, _ colour: CFAColour) -> Float {
    let (centreX, centreY) = (Int(x.rounded()), Int(y.rounded()))
    let size = patch.size
    var (sum, weights) = (Float(0), Float(0))
    for v in max(0, centreY - Self.reach)...min(size.height - 1, centreY + Self.reach) {
      let source = patch.light.row(v)
      let colours = (v % cell.height) * cell.width
      for u in max(0, centreX - Self.reach)...min(size.width - 1, centreX + Self.reach)
      where cell.colours[colours + u % cell.width] == colour {
        let (dx, dy) = (Float(u) - x, Float(v) - y)
        let squared = dx * dx + dy * dy + Self.softening
        let weight = 1 / (squared * squared)
        sum += weight * source[u]
        weights += weight
      }
    }
    return weights > 0 ? sum / weights : 0
  }
}
