import CVector

/// Sums of a least-squares problem in six unknowns: shift x and y, stretch, turn, gain, offset.
struct NormalSums: Sendable {
  static let unknowns = 6

  /// Upper triangle row by row, then the right side.
  private(set) var matrix = [Double](repeating: 0, count: 21)
  private(set) var right = [Double](repeating: 0, count: 6)
  /// Weighted sum of squared residuals.
  private(set) var residual = 0.0
  private(set) var count = 0

  /// Pixels that are summed side by side, and the floats that sums of all of them take.
  static let lanes = 8
  static let laneCount = lanes * Int(CV_SIMILARITY_SUMS)

  init() {}

  /// What ``cv_add_similarity_sums`` made of `count` pixels.
  init(lanes values: UnsafePointer<Float>, count: Int) {
    func sum(_ index: Int) -> Double {
      var total = 0.0
      for lane in 0..<Self.lanes { total += Double(values[index * Self.lanes + lane]) }
      return total
    }
    for index in matrix.indices { matrix[index] = sum(index) }
    for index in right.indices { right[index] = sum(matrix.count + index) }
    residual = sum(matrix.count + right.count)
    self.count = count
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
