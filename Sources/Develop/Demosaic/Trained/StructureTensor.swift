/// What surrounds each pixel of one row: slopes of luma and of chroma, in codes of 255 squared, blurred.
struct TensorRow {
  /// Mean squared slope along x, mean product of both slopes, mean squared slope along y.
  let xx: UnsafeMutablePointer<Float>
  let xy: UnsafeMutablePointer<Float>
  let yy: UnsafeMutablePointer<Float>
  /// Mean squared slopes of red − green and blue − green.
  let chroma: UnsafeMutablePointer<Float>
}

/// Structure tensor of the luma `(R + 2G + B) / 4` and the chroma's gradient energy, row by row.
///
/// Central differences, products blurred by a 7x7 Gaussian of sigma 1.6 (Bigün & Granlund 1987, "Optimal orientation
/// detection of linear symmetry"). Sums are made in a fixed order, so bits are the same everywhere.
final class StructureTensor {
  /// Pixels around a pixel that its tensor depends on: half the blur and one for the slope.
  static let reach = 4
  /// Half the blur's length.
  private static let blurReach = 3
  /// The blur's taps: centre, then outwards.
  private static let taps: (Float, Float, Float, Float) = (0.25604, 0.21061, 0.11722, 0.04415)
  /// Codes of 255 in one code of ``CodeScale``.
  private static let scale = 255 / CodeScale.unit
  private static let fields = 4
  private static let keptRows = 8

  private let stride: Int
  private let kept: UnsafeMutablePointer<Float>
  private let line: UnsafeMutablePointer<Float>
  private var done = 0
  let row: TensorRow

  /// - Parameter width: the widest tile.
  init(width: Int) {
    stride = width
    kept = .allocate(capacity: Self.fields * Self.keptRows * width)
    kept.initialize(repeating: 0, count: Self.fields * Self.keptRows * width)
    line = .allocate(capacity: 2 * Self.fields * width)
    line.initialize(repeating: 0, count: 2 * Self.fields * width)
    row = TensorRow(xx: line, xy: line + width, yy: line + 2 * width, chroma: line + 3 * width)
  }

  deinit {
    kept.deallocate()
    line.deallocate()
  }

  /// Forgets the rows of the last tile.
  func start() { done = 1 }

  /// Finds ``row`` for columns `reach ..< width - reach` of row `y`; rows must be asked for in order.
  func find(_ y: Int, of picture: ColourTile, width: Int) {
    let last = y + Self.blurReach
    if done < y - Self.blurReach { done = y - Self.blurReach }
    while done <= last {
      addRow(done, of: picture, width: width)
      done += 1
    }
    for (field, out) in [row.xx, row.xy, row.yy, row.chroma].enumerated() {
      Self.blurDown((-Self.blurReach...Self.blurReach).map { keptRow(y + $0, field) }, width, out)
    }
  }

  private func keptRow(_ y: Int, _ field: Int) -> UnsafeMutablePointer<Float> {
    kept + (y % Self.keptRows * Self.fields + field) * stride
  }

  private func addRow(_ y: Int, of picture: ColourTile, width: Int) {
    let products = (0..<Self.fields).map { line + (Self.fields + $0) * stride }
    Self.products(
      (0..<3).map { picture.row($0, y) }, picture.stride, width,
      TensorRow(xx: products[0], xy: products[1], yy: products[2], chroma: products[3]))
    for field in 0..<Self.fields { Self.blurAlong(products[field], width, keptRow(y, field)) }
  }

  @inline(__always)
  private static func products(
    _ rows: [UnsafeMutablePointer<Int16>], _ stride: Int, _ width: Int, _ out: TensorRow
  ) {
    let (red, green, blue) = (rows[0], rows[1], rows[2])
    for x in 1..<width - 1 {
      let rx = Int32(red[x &+ 1]) &- Int32(red[x &- 1])
      let gx = Int32(green[x &+ 1]) &- Int32(green[x &- 1])
      let bx = Int32(blue[x &+ 1]) &- Int32(blue[x &- 1])
      let ry = Int32(red[x &+ stride]) &- Int32(red[x &- stride])
      let gy = Int32(green[x &+ stride]) &- Int32(green[x &- stride])
      let by = Int32(blue[x &+ stride]) &- Int32(blue[x &- stride])
      let slopeX = Float(rx &+ 2 &* gx &+ bx) * (scale / 8)
      let slopeY = Float(ry &+ 2 &* gy &+ by) * (scale / 8)
      out.xx[x] = slopeX * slopeX
      out.xy[x] = slopeX * slopeY
      out.yy[x] = slopeY * slopeY
      let redX = Float(rx &- gx) * (scale / 2)
      let redY = Float(ry &- gy) * (scale / 2)
      let blueX = Float(bx &- gx) * (scale / 2)
      let blueY = Float(by &- gy) * (scale / 2)
      out.chroma[x] = (redX * redX + redY * redY) + (blueX * blueX + blueY * blueY)
    }
  }

  @inline(__always)
  private static func blurAlong(_ v: UnsafePointer<Float>, _ width: Int, _ out: UnsafeMutablePointer<Float>) {
    for x in reach..<width - reach {
      let one = taps.1 * (v[x &- 1] + v[x &+ 1])
      let two = taps.2 * (v[x &- 2] + v[x &+ 2])
      let three = taps.3 * (v[x &- 3] + v[x &+ 3])
      out[x] = (taps.0 * v[x] + one) + (two + three)
    }
  }

  @inline(__always)
  private static func blurDown(
    _ v: [UnsafeMutablePointer<Float>], _ width: Int, _ out: UnsafeMutablePointer<Float>
  ) {
    let (a, b, c, d, e, f, g) = (v[0], v[1], v[2], v[3], v[4], v[5], v[6])
    for x in reach..<width - reach {
      let one = taps.1 * (c[x] + e[x])
      let two = taps.2 * (b[x] + f[x])
      let three = taps.3 * (a[x] + g[x])
      out[x] = (taps.0 * d[x] + one) + (two + three)
    }
  }
}
