/// Sums of a least-squares problem in six unknowns: shift x and y, stretch, turn, gain, offset.
struct NormalSums: Sendable {
  static let unknowns = 6

  /// Upper triangle row by row, then the right side.
  private(set) var matrix = [Double](repeating: 0, count: 21)
  private(set) var right = [Double](repeating: 0, count: 6)
  /// Weighted sum of squared residuals.
  private(set) var residual = 0.0
  private(set) var count = 0

  /// The same for one row of pixels, in single precision and without arrays.
  struct Row {
    var a = (Float(0), Float(0), Float(0), Float(0), Float(0), Float(0))
    var b = (Float(0), Float(0), Float(0), Float(0), Float(0))
    var c = (Float(0), Float(0), Float(0), Float(0))
    var d = (Float(0), Float(0), Float(0))
    var e = (Float(0), Float(0))
    var f = Float(0)
    var right = (Float(0), Float(0), Float(0), Float(0), Float(0), Float(0))
    var residual = Float(0)
    var count = 0

    /// Jacobian `(j0, j1, j2, j3, -j4, -1)` and residual `r`.
    @inline(__always)
    mutating func add(
      _ j0: Float, _ j1: Float, _ j2: Float, _ j3: Float, _ j4: Float, _ r: Float, _ weight: Float
    ) {
      let (w0, w1, w2, w3, w4) = (j0 * weight, j1 * weight, j2 * weight, j3 * weight, -j4 * weight)
      a.0 += w0 * j0
      a.1 += w0 * j1
      a.2 += w0 * j2
      a.3 += w0 * j3
      a.4 -= w0 * j4
      a.5 -= w0
      b.0 += w1 * j1
      b.1 += w1 * j2
      b.2 += w1 * j3
      b.3 -= w1 * j4
      b.4 -= w1
      c.0 += w2 * j2
      c.1 += w2 * j3
      c.2 -= w2 * j4
      c.3 -= w2
      d.0 += w3 * j3
      d.1 -= w3 * j4
      d.2 -= w3
      e.0 -= w4 * j4
      e.1 -= w4
      f += weight
      right.0 += w0 * r
      right.1 += w1 * r
      right.2 += w2 * r
      right.3 += w3 * r
      right.4 += w4 * r
      right.5 -= weight * r
      residual += weight * r * r
      count += 1
    }
  }

  mutating func add(_ row: Row) {
    let parts: [Float] = [
      row.a.0, row.a.1, row.a.2, row.a.3, row.a.4, row.a.5, row.b.0, row.b.1, row.b.2, row.b.3, row.b.4, row.c.0,
      row.c.1, row.c.2, row.c.3, row.d.0, row.d.1, row.d.2, row.e.0, row.e.1, row.f,
    ]
    for (index, part) in parts.enumerated() { matrix[index] += Double(part) }
    let sides = [row.right.0, row.right.1, row.right.2, row.right.3, row.right.4, row.right.5]
    for (index, side) in sides.enumerated() { right[index] += Double(side) }
    residual += Double(row.residual)
    count += row.count
  }

  mutating func add(_ other: NormalSums) {
    for index in matrix.indices { matrix[index] += other.matrix[index] }
    for index in right.indices { right[index] += other.right[index] }
    residual += other.residual
    count += other.count
  }

  /// The step of the six unknowns that the linearised problem asks for, to be subtracted from the motion and, with
  /// its sign turned, added to the light. `nil` when the picture does not tell.
  func solved(translationOnly: Bool) -> [Double]? {
    let used = translationOnly ? [0, 1, 4, 5] : [0, 1, 2, 3, 4, 5]
    var rows = used.map { i in used.map { j in entry(i, j) } + [right[i]] }
    let count = used.count
    // Gauss elimination with pivots; equations are scaled by their diagonal first.
    for i in 0..<count {
      let unit = rows[i][i]
      guard unit > 0 else { return nil }
      for j in 0...count { rows[i][j] /= unit }
    }
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-12
      else { return nil }
      rows.swapAt(column, pivot)
      for row in column + 1..<max(count, column + 1) {
        let factor = rows[row][column] / rows[column][column]
        for j in column...count { rows[row][j] -= factor * rows[column][j] }
      }
    }
    var solution = [Double](repeating: 0, count: Self.unknowns)
    for row in (0..<count).reversed() {
      var value = rows[row][count]
      for j in row + 1..<max(count, row + 1) { value -= rows[row][j] * solution[used[j]] }
      solution[used[row]] = value / rows[row][row]
    }
    solution[4] = -solution[4]
    solution[5] = -solution[5]
    return solution.allSatisfy(\.isFinite) ? solution : nil
  }

  private func entry(_ i: Int, _ j: Int) -> Double {
    let (row, column) = (min(i, j), max(i, j))
    return matrix[row * Self.unknowns - row * (row - 1) / 2 + column - row]
  }
}
