internal import CVector

/// Differences of samples, one row of a tile at a time.
enum SampleKernel {
  typealias Floats = UnsafeMutablePointer<Float>

  /// μ of the μ-law by which PSNR-μ compresses light.
  static let mu: Float = 5000

  /// Adds a row to a tally.
  ///
  /// - Parameter worst: becomes the largest difference of the channels at each pixel.
  static func add(
    _ left: [Floats], _ right: [Floats], channels: Int, from start: Int, count: Int, x: Int, y: Int, worst: Floats,
    to tally: inout TileTally
  ) {
    worst.update(repeating: 0, count: count)
    for k in 0..<channels {
      cv_difference_f32(left[k] + start, right[k] + start, worst, count, &tally.sums[k], &tally.squares[k])
    }
    let most = cv_largest_f32(worst, count, 0)
    guard most > 0 else { return }
    var differing: Int32 = 0
    for i in 0..<count { differing &+= worst[i] > 0 ? 1 : 0 }
    tally.differing += Int(differing)
    guard most > tally.largest else { return }
    tally.largest = most
    let column = (0..<count).first { worst[$0] == most } ?? 0
    let channel = (0..<channels).first { abs(right[$0][start + column] - left[$0][start + column]) == most } ?? 0
    tally.place = (x + column, y, channel)
  }

  /// Adds squared differences of light under the μ-law.
  static func addMu(
    _ left: [Floats], _ right: [Floats], colours: Int, from start: Int, count: Int, _ a: Floats, _ b: Floats,
    to tally: inout TileTally
  ) {
    for k in 0..<colours {
      compress(left[k] + start, count, into: a)
      compress(right[k] + start, count, into: b)
      tally.muSquares[k] += sumOfSquares(a, b, count)
    }
  }

  private static func sumOfSquares(_ a: Floats, _ b: Floats, _ count: Int) -> Double {
    for x in 0..<count { b[x] = (b[x] - a[x]) * (b[x] - a[x]) }
    return cv_sum_f32(b, count)
  }

  /// `ln(1 + μ v) / ln(1 + μ)`.
  static func compress(_ light: Floats, _ count: Int, into out: Floats) {
    let scale = 1 / LaneMath.log2(1 + mu)
    for x in 0..<count {
      let low: Float = light[x] > 0 ? light[x] : 0
      let v: Float = low < 1 ? low : 1
      out[x] = LaneMath.log2(1 + mu * v) * scale
    }
  }

  /// Replaces what is no number in either row by 0 in both.
  ///
  /// - Parameter counted: the columns that belong to the tile itself; `nil` for a row of its halo.
  static func scrub(
    _ left: Floats, _ right: Floats, count: Int, counted: Range<Int>?, _ found: inout Comparison.NonFinite
  ) {
    guard hasNonFinite(left, count) || hasNonFinite(right, count) else { return }
    for x in 0..<count {
      let (a, b) = (left[x], right[x])
      if counted?.contains(x) == true {
        found.left += a.isFinite ? 0 : 1
        found.right += b.isFinite ? 0 : 1
        // Any two NaNs are alike; infinities only with their sign.
        let alike = (a.isFinite && b.isFinite) || (a.isNaN && b.isNaN) || a == b
        found.mismatched += alike ? 0 : 1
      }
      if !a.isFinite || !b.isFinite { (left[x], right[x]) = (0, 0) }
    }
  }

  private static func hasNonFinite(_ values: Floats, _ count: Int) -> Bool {
    let exponent: UInt32 = 0x7F80_0000
    var found: UInt32 = 0
    for x in 0..<count { found |= values[x].bitPattern & exponent == exponent ? 1 : 0 }
    return found != 0
  }

  /// Luma of stored values less a half, of 1 or 3 channels.
  ///
  /// The weights are ITU-R BT.709's rounded as scikit-image's `rgb2gray` has them.
  static func luma(_ codes: [Floats], channels: Int, unit: Float, count: Int, into out: Floats) {
    let scale = 1 / unit
    if channels < 3 {
      let grey = codes[0]
      for x in 0..<count { out[x] = grey[x] * scale - 0.5 }
      return
    }
    let (r, g, b) = (codes[0], codes[1], codes[2])
    let (wr, wg, wb) = (0.2125 * scale, 0.7154 * scale, 0.0721 * scale)
    for x in 0..<count { out[x] = ((wr * r[x] + wg * g[x]) + wb * b[x]) - 0.5 }
  }
}
