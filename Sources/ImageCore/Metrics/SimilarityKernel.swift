internal import CVector

/// SSIM of one tile.
enum SimilarityKernel {
  typealias Floats = UnsafeMutablePointer<Float>

  /// Wang et al. 2004: an 11 x 11 Gaussian of 1.5 pixels.
  static let radius = 5
  static let deviation = 1.5
  /// (K1 L)² and (K2 L)² for L = 1.
  static let c1: Float = 0.01 * 0.01
  static let c2: Float = 0.03 * 0.03
  /// The window's half, from its centre outwards; all of it sums to 1.
  static let taps: [Float] = {
    let raw = (0...radius).map { Elementary.exp2(-Double($0 * $0) / (2 * deviation * deviation) / Elementary.ln2) }
    let total = raw[0] + 2 * raw.dropFirst().reduce(0, +)
    return raw.map { Float($0 / total) }
  }()

  /// Sums over the windows centred in `tile` that lie whole inside the picture.
  ///
  /// - Parameter scratch: luma less a half is in its planes, whose first sample is `halo` left of and above the tile;
  ///   luma beyond the picture is not looked at.
  static func tally(_ tile: ComparisonTile, of size: PixelSize, _ scratch: ComparisonScratch) -> SimilarityTally {
    var tally = SimilarityTally()
    let (left, right) = (max(tile.x.lowerBound, radius), min(tile.x.upperBound, size.width - radius))
    let (top, bottom) = (max(tile.y.lowerBound, radius), min(tile.y.upperBound, size.height - radius))
    guard left < right, top < bottom else { return tally }
    let (columns, rows) = (left..<right, top..<bottom)
    let stride = ComparisonGrid.stride
    let first = left - tile.x.lowerBound + ComparisonGrid.halo - radius
    let wide = columns.count + 2 * radius
    func place(_ y: Int) -> Int { (y - tile.y.lowerBound + ComparisonGrid.halo) * stride + first }
    let planes = scratch.luma + scratch.products
    for y in top - radius..<bottom + radius {
      multiply(planes.map { $0 + place(y) }, wide)
    }
    let (vertical, blurred) = (Array(scratch.lines[0..<4]), Array(scratch.lines[4..<8]))
    let (whole, structure) = (scratch.lines[8], scratch.lines[9])
    for y in rows {
      for k in 0..<4 {
        cv_filter_even(vertical[k], planes[k] + place(y), wide, stride, taps, Int32(radius))
        cv_filter_even(blurred[k], vertical[k] + radius, columns.count, 1, taps, Int32(radius))
      }
      score(blurred, columns.count, whole, structure)
      tally.whole += cv_sum_f32(whole, columns.count)
      tally.structure += cv_sum_f32(structure, columns.count)
    }
    tally.windows = columns.count * rows.count
    return tally
  }

  /// a, b → a² + b², a b.
  private static func multiply(_ planes: [Floats], _ count: Int) {
    let (a, b, squares, product) = (planes[0], planes[1], planes[2], planes[3])
    for x in 0..<count {
      squares[x] = a[x] * a[x] + b[x] * b[x]
      product[x] = a[x] * b[x]
    }
  }

  /// Equation 13 of the paper, and its part without the means.
  private static func score(_ means: [Floats], _ count: Int, _ whole: Floats, _ structure: Floats) {
    let (a, b, squares, product) = (means[0], means[1], means[2], means[3])
    for x in 0..<count {
      let both = a[x] * b[x]
      let own = a[x] * a[x] + b[x] * b[x]
      let alike = (2 * (product[x] - both) + c2) / ((squares[x] - own) + c2)
      // Second moments do not mind the half that was taken off; the means do.
      let (p, q) = (a[x] + 0.5, b[x] + 0.5)
      structure[x] = alike
      whole[x] = alike * ((2 * (p * q) + c1) / ((p * p + q * q) + c1))
    }
  }
}
