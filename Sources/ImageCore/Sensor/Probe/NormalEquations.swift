/// Least squares of three results from the same terms.
struct NormalEquations {
  private let unknowns: Int
  private var matrix: [Double]
  private var right: [SIMD3<Double>]

  /// Added to the diagonal, in parts of its mean, so that rounding makes no pivot negative.
  private static let ridge = 1e-9

  init(unknowns: Int) {
    self.unknowns = unknowns
    matrix = Array(repeating: 0, count: unknowns * unknowns)
    right = Array(repeating: SIMD3(), count: unknowns)
  }

  mutating func add(_ terms: [Double], _ result: SIMD3<Double>) {
    for i in 0..<unknowns {
      let term = terms[i]
      for j in 0...i { matrix[i * unknowns + j] += term * terms[j] }
      right[i] += result * term
    }
  }

  /// Sum of squares that the best prediction explains, and the sum of its squared weights, of all three results; by
  /// Cholesky's factors. `nil` when there is no one best.
  func solved() -> (explained: Double, squaredWeights: Double)? {
    var factor = matrix
    let trace = (0..<unknowns).reduce(0) { $0 + matrix[$1 * unknowns + $1] }
    var x = right
    var explained = 0.0
    for i in 0..<unknowns {
      for j in 0..<i {
        var value = factor[i * unknowns + j]
        for k in 0..<j { value -= factor[i * unknowns + k] * factor[j * unknowns + k] }
        factor[i * unknowns + j] = value / factor[j * unknowns + j]
      }
      var pivot = factor[i * unknowns + i] + Self.ridge * trace / Double(unknowns)
      for k in 0..<i { pivot -= factor[i * unknowns + k] * factor[i * unknowns + k] }
      guard pivot > 0 else { return nil }
      factor[i * unknowns + i] = pivot.squareRoot()
      // Forward substitution: the squares of L⁻¹ b sum to bᵀ A⁻¹ b.
      for k in 0..<i { x[i] -= x[k] * factor[i * unknowns + k] }
      x[i] /= factor[i * unknowns + i]
      explained += (x[i] * x[i]).sum()
    }
    for i in (0..<unknowns).reversed() {
      for k in i + 1..<unknowns { x[i] -= x[k] * factor[k * unknowns + i] }
      x[i] /= factor[i * unknowns + i]
    }
    return (explained, x.reduce(0) { $0 + ($1 * $1).sum() })
  }
}
