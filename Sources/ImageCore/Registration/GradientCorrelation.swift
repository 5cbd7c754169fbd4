import CVector

/// How much of the structure of two pictures agrees: the correlation of their gradients, which does not care for
/// brightness.
struct GradientCorrelation {
  let reference: PixelRows<Float>
  let other: PixelRows<Float>

  /// The share of the picture that must overlap for a shift to be considered.
  private static let leastOverlap = 0.4

  /// For a whole shift, -1...1; `nil` when too little overlaps or there is no structure.
  func value(shiftX: Int, shiftY: Int) -> Double? {
    let left = max(1, 1 - shiftX)
    let right = min(reference.width - 1, other.width - 1 - shiftX)
    let top = max(1, 1 - shiftY)
    let bottom = min(reference.height - 1, other.height - 1 - shiftY)
    guard right > left, bottom > top,
      Double((right - left) * (bottom - top)) >= Self.leastOverlap * Double(reference.width * reference.height)
    else { return nil }
    guard right - left >= NormalSums.lanes else { return nil }
    var sums = Sums()
    for y in top..<bottom {
      let (a, b) = (reference.row(y) + left, other.row(y + shiftY) + left + shiftX)
      sums.add(
        a, reference.row(y - 1) + left, reference.row(y + 1) + left, b, b - other.stride, b + other.stride,
        count: right - left)
    }
    return sums.correlation
  }

  /// For a similarity, with interpolation between pixels.
  func value(_ motion: SimilarityMotion) -> Double? {
    let size = PixelSize(width: reference.width, height: reference.height)
    var sums = Sums()
    let stride = size.width
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * stride) { buffer in
      let lines = buffer.baseAddress!
      func line(_ y: Int) -> UnsafeMutablePointer<Float> { lines + y % 3 * stride }
      func fill(_ y: Int) -> Range<Int> {
        WarpedRow(motion, y: y, in: size).fill(other, columns: 0..<size.width, into: line(y))
      }
      var (above, here) = (fill(0), fill(1))
      for y in 1..<size.height - 1 {
        let below = fill(y + 1)
        // Slopes need the pixel on each side.
        let left = max(here.lowerBound + 1, above.lowerBound, below.lowerBound)
        let right = min(here.upperBound - 1, above.upperBound, below.upperBound)
        if right - left >= NormalSums.lanes {
          let a = reference.row(y) + left
          sums.add(
            a, a - reference.stride, a + reference.stride, line(y) + left, line(y - 1) + left, line(y + 1) + left,
            count: right - left)
        }
        (above, here) = (here, below)
      }
    }
    guard Double(sums.count) >= Self.leastOverlap * Double(size.area) else { return nil }
    return sums.correlation
  }

  /// Products of gradients.
  private struct Sums {
    private var both = 0.0
    private var first = 0.0
    private var second = 0.0
    private(set) var count = 0

    /// Takes in `count` pixels of a row of each picture, with the rows above and below.
    mutating func add(
      _ a: UnsafePointer<Float>, _ aUp: UnsafePointer<Float>, _ aDown: UnsafePointer<Float>,
      _ b: UnsafePointer<Float>, _ bUp: UnsafePointer<Float>, _ bDown: UnsafePointer<Float>, count: Int
    ) {
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * NormalSums.lanes) { buffer in
        let lanes = buffer.baseAddress!
        lanes.initialize(repeating: 0, count: 3 * NormalSums.lanes)
        cv_add_gradient_products(a, aUp, aDown, b, bUp, bDown, count, lanes)
        both += Self.sum(lanes)
        first += Self.sum(lanes + NormalSums.lanes)
        second += Self.sum(lanes + 2 * NormalSums.lanes)
      }
      self.count += count
    }

    private static func sum(_ lanes: UnsafePointer<Float>) -> Double { cv_fold_f32(cv_load_f32x8(lanes)) }

    /// `nil` without structure.
    var correlation: Double? {
      let energy = (first * second).squareRoot()
      return energy > 0 ? both / energy : nil
    }
  }
}
