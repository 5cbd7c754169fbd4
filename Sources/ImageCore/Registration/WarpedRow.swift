import CVector

/// One row of a reference's pixels as a similarity finds it in another picture, between that one's pixels.
struct WarpedRow {
  private let startX: Float
  private let startY: Float
  private let stretch: Float
  private let turn: Float
  private let centreX: Float

  /// Pixels that are made at once where the whole pixel moves with them.
  private static let run = 16

  /// - Parameters:
  ///   - y: row of a reference of size `size`.
  init(_ motion: SimilarityMotion, y: Int, in size: PixelSize) {
    centreX = Float(size.width - 1) / 2
    let dy = Float(y) - Float(size.height - 1) / 2
    (stretch, turn) = (Float(motion.stretch), Float(motion.turn))
    startX = Float(motion.shiftX) - turn * dy
    startY = Float(motion.shiftY) + stretch * dy + Float(y)
  }

  /// Where the pixel of column `x` is found.
  @inline(__always)
  private func place(_ x: Int) -> (x: Float, y: Float) {
    let dx = Float(x) - centreX
    return (startX + stretch * dx + Float(x), startY + turn * dx)
  }

  /// Fills `values` for the columns of `columns` that lie in the other picture, and returns these; others are
  /// unspecified.
  func fill(
    _ other: PixelRows<Float>, columns: Range<Int>, into values: UnsafeMutablePointer<Float>
  ) -> Range<Int> {
    guard other.width > 1, other.height > 1 else { return columns.lowerBound..<columns.lowerBound }
    let (limitX, limitY) = (Float(other.width - 1), Float(other.height - 1))
    func isInside(_ x: Int) -> Bool {
      let q = place(x)
      return q.x >= 0 && q.y >= 0 && q.x < limitX && q.y < limitY
    }
    var (start, end) = (columns.lowerBound, columns.upperBound)
    while start < end, !isInside(start) { start += 1 }
    while end > start, !isInside(end - 1) { end -= 1 }
    var x = start
    while x < end {
      let first = place(x)
      let (left, top) = (Int(first.x), Int(first.y))
      let next = min(end, x + Self.run)
      let last = place(next - 1)
      if next - x == Self.run, Int(last.x) == left + Self.run - 1, Int(last.y) == top {
        cv_mix16_f32(
          other.row(top) + left, other.row(top + 1) + left, first.x - Float(left), stretch, first.y - Float(top),
          turn,
          values + x)
      } else {
        for column in x..<next { values[column] = sample(other, place(column)) }
      }
      x = next
    }
    return start..<end
  }

  @inline(__always)
  private func sample(_ other: PixelRows<Float>, _ place: (x: Float, y: Float)) -> Float {
    // Rounding can put a place between two that are inside a hair outside.
    let left = max(0, min(other.width - 2, Int(place.x)))
    let top = max(0, min(other.height - 2, Int(place.y)))
    let (u, v) = (place.x - Float(left), place.y - Float(top))
    let (p, q) = (other.row(top) + left, other.row(top + 1) + left)
    let upper = p[0] + u * (p[1] - p[0])
    return upper + v * (q[0] + u * (q[1] - q[0]) - upper)
  }
}
