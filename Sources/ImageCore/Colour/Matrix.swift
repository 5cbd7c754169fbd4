/// A small dense matrix of Doubles (at most 4x4 here): colour transforms, written once, applied by kernels in Float.
public struct Matrix: Sendable, Hashable, Codable {
  /// Number of rows, at least 1.
  public let rows: Int
  /// Number of columns, at least 1.
  public let columns: Int
  /// Row-major.
  public var values: [Double]

  /// A matrix of `rows * columns` values, row by row.
  public init(rows: Int, columns: Int, values: [Double]) {
    precondition(rows > 0 && columns > 0 && values.count == rows * columns, "matrix is not full")
    self.rows = rows
    self.columns = columns
    self.values = values
  }

  /// A 3x3 matrix from its rows.
  public init(_ a: [Double], _ b: [Double], _ c: [Double]) {
    self.init(rows: 3, columns: 3, values: a + b + c)
  }

  /// A square matrix with these values on its diagonal and zeros elsewhere.
  public init(diagonal: [Double]) {
    self.init(
      rows: diagonal.count, columns: diagonal.count,
      values: Array(repeating: 0, count: diagonal.count * diagonal.count))
    for (index, value) in diagonal.enumerated() { self[index, index] = value }
  }

  /// The `size` x `size` matrix that changes nothing.
  public static func identity(_ size: Int) -> Matrix { Matrix(diagonal: Array(repeating: 1, count: size)) }

  /// One element; row and column count from 0.
  public subscript(row: Int, column: Int) -> Double {
    get { values[row * columns + column] }
    set { values[row * columns + column] = newValue }
  }

  /// Rows and columns exchanged.
  public var transposed: Matrix {
    var result = Matrix(rows: columns, columns: rows, values: values)
    for row in 0..<rows {
      for column in 0..<columns { result[column, row] = self[row, column] }
    }
    return result
  }

  /// The matrix product: `left.rows` x `right.columns`; `left.columns` must be `right.rows`.
  public static func * (left: Matrix, right: Matrix) -> Matrix {
    precondition(left.columns == right.rows, "matrix sizes do not fit")
    var result = Matrix(
      rows: left.rows, columns: right.columns, values: Array(repeating: 0, count: left.rows * right.columns))
    for row in 0..<left.rows {
      for column in 0..<right.columns {
        var sum = 0.0
        for inner in 0..<left.columns { sum += left[row, inner] * right[inner, column] }
        result[row, column] = sum
      }
    }
    return result
  }

  /// The product with a column: one value a row; the column must have `left.columns` values.
  public static func * (left: Matrix, right: [Double]) -> [Double] {
    (left * Matrix(rows: right.count, columns: 1, values: right)).values
  }

  /// Every element times a number.
  public static func * (left: Double, right: Matrix) -> Matrix {
    Matrix(rows: right.rows, columns: right.columns, values: right.values.map { left * $0 })
  }

  /// The sum, element by element, of two matrices of one size.
  public static func + (left: Matrix, right: Matrix) -> Matrix {
    precondition(left.rows == right.rows && left.columns == right.columns, "matrix sizes do not fit")
    return Matrix(rows: left.rows, columns: left.columns, values: zip(left.values, right.values).map(+))
  }

  /// The inverse of a square matrix (Gauss–Jordan with pivoting); `nil` when it is singular.
  public var inverse: Matrix? {
    precondition(rows == columns, "only a square matrix has an inverse")
    var work = self
    var result = Matrix.identity(rows)
    for column in 0..<rows {
      var pivot = column
      for row in column..<rows where abs(work[row, column]) > abs(work[pivot, column]) { pivot = row }
      guard abs(work[pivot, column]) > 1e-12 else { return nil }
      for k in 0..<columns {
        (work[column, k], work[pivot, k]) = (work[pivot, k], work[column, k])
        (result[column, k], result[pivot, k]) = (result[pivot, k], result[column, k])
      }
      let scale = 1 / work[column, column]
      for k in 0..<columns {
        work[column, k] *= scale
        result[column, k] *= scale
      }
      for row in 0..<rows where row != column {
        let factor = work[row, column]
        if factor == 0 { continue }
        for k in 0..<columns {
          work[row, k] -= factor * work[column, k]
          result[row, k] -= factor * result[column, k]
        }
      }
    }
    return result
  }

  /// The left inverse `(AᵀA)⁻¹Aᵀ` of a tall matrix: least squares for cameras of four colours.
  public var pseudoInverse: Matrix? {
    if rows == columns { return inverse }
    let transpose = transposed
    guard let normal = (transpose * self).inverse else { return nil }
    return normal * transpose
  }
}
