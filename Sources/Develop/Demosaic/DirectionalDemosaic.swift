import ImageCore

/// Bayer interpolation by directional linear minimum mean square-error estimation of colour differences.
///
/// Zhang & Wu 2005, "Color demosaicking via directional linear minimum mean square-error estimation", IEEE Trans. Image
/// Processing 14(12), sections II–IV: differences green − colour are estimated along rows and along columns, cleaned
/// by a linear estimator from local statistics, and fused by their error variances; red and blue follow from the
/// differences of their neighbours (section V). Works on square-root data here. Reads 12 photosites around a pixel.
struct DirectionalDemosaic: Sendable {
  /// Added to all variances: below the variance of rounding to 8 bit.
  static let floor: Float = 1e-6
  /// Half the length of the low-pass filter and of the statistics window (paper, section III: 9 samples).
  static let reach = 4
  /// Rows and columns beyond a tile at which differences are needed to find red and blue.
  static let margin = 2

  /// Column parity of green in row 0, and row parity of red, both in photo coordinates.
  private let greenParity: Int
  private let redRow: Int

  init(_ cfa: CFAPattern) {
    greenParity = cfa[0, 0] == .green ? 0 : 1
    redRow = cfa[0, 0] == .red || cfa[1, 0] == .red ? 0 : 1
  }

  /// Finds all differences of a tile; afterwards ``row(_:of:scratch:into:)`` may be called.
  func prepare(_ tile: EncodedMosaicTile, scratch: TileScratch) {
    let width = tile.core.width + 2 * TileGrid.halo
    let height = tile.core.height + 2 * TileGrid.halo
    let stride = TileGrid.stride
    let difference = scratch.plane(1)
    let smooth = scratch.plane(2)
    for y in 2..<height - 2 {
      Self.differences(
        tile.row(y), step: stride, sign: sign(x: 0, y: y, of: tile), from: 0, to: width, difference + y * stride)
    }
    for y in 6..<height - 6 {
      Self.lowPass(difference + y * stride, step: stride, from: 0, to: width, smooth + y * stride)
    }
    let first = TileGrid.halo - Self.margin
    for y in first..<height - first {
      let rowDifference = scratch.row(0)
      let rowSmooth = scratch.row(1)
      Self.differences(
        tile.row(y), step: 1, sign: sign(x: 0, y: y, of: tile), from: 2, to: width - 2, rowDifference)
      Self.lowPass(rowDifference, step: 1, from: 6, to: width - 6, rowSmooth)
      Self.fuse(
        rowDifference, rowSmooth, difference + y * stride, smooth + y * stride, from: first, to: width - first,
        scratch.plane(3) + y * stride)
    }
    for y in first + 1..<height - first - 1 {
      Self.diagonal(
        scratch.plane(3) + y * stride, from: first + 1, to: width - first - 1, scratch.plane(4) + y * stride)
    }
  }

  /// +1 at green, −1 elsewhere, for the tile's padded coordinates.
  private func sign(x: Int, y: Int, of tile: EncodedMosaicTile) -> Float {
    isGreen(x + tile.core.x - TileGrid.halo, y + tile.core.y - TileGrid.halo) ? 1 : -1
  }

  private func isGreen(_ x: Int, _ y: Int) -> Bool { (x + y) & 1 == greenParity }

  /// Green − colour along one direction, by second-order Laplacian interpolation (paper, equation 3): `sign` is that
  /// of column 0 and alternates.
  @inline(__always)
  private static func differences(
    _ u: UnsafePointer<Float>, step: Int, sign: Float, from: Int, to: Int, _ out: UnsafeMutablePointer<Float>
  ) {
    let half = (sign * 0.5, -sign * 0.5)
    for x in from..<to {
      let p = u + x
      let mean = p[-step] + p[step] - 0.5 * (p[-2 &* step] + p[2 &* step])
      out[x] = (x & 1 == 0 ? half.0 : half.1) * (p[0] - mean)
    }
  }

  /// The paper's low-pass filter [4 9 15 23 26 23 15 9 4] / 128 (section III).
  @inline(__always)
  private static func lowPass(
    _ d: UnsafePointer<Float>, step: Int, from: Int, to: Int, _ out: UnsafeMutablePointer<Float>
  ) {
    for x in from..<to {
      let p = d + x
      let near = (23.0 / 128) * (p[-step] + p[step]) + (15.0 / 128) * (p[-2 &* step] + p[2 &* step])
      let far = (9.0 / 128) * (p[-3 &* step] + p[3 &* step]) + (4.0 / 128) * (p[-4 &* step] + p[4 &* step])
      out[x] = (26.0 / 128) * p[0] + (near + far)
    }
  }

  /// The estimate along one direction and its error variance (paper, equations 13–18).
  @inline(__always)
  private static func estimate(
    _ d: UnsafePointer<Float>, _ smooth: UnsafePointer<Float>, step: Int
  ) -> (value: Float, variance: Float) {
    var sum: Float = 0
    var squares: Float = 0
    var noise: Float = 0
    for tap in -reach...reach {
      let s = smooth[tap &* step]
      let e = d[tap &* step] - s
      sum += s
      squares += s * s
      noise += e * e
    }
    let ninth: Float = 1.0 / 9
    let mean = sum * ninth
    let spread = squares * ninth - mean * mean
    let signal = (spread > 0 ? spread : 0) + floor
    let error = noise * ninth + floor
    let gain = signal / (signal + error)
    return (mean + gain * (d[0] - mean), gain * error)
  }

  /// Both directions, weighted by the inverse of their error variances (paper, equation 21).
  @inline(__always)
  private static func fuse(
    _ dh: UnsafePointer<Float>, _ sh: UnsafePointer<Float>, _ dv: UnsafePointer<Float>, _ sv: UnsafePointer<Float>,
    from: Int, to: Int, _ out: UnsafeMutablePointer<Float>
  ) {
    for x in from..<to {
      let h = estimate(dh + x, sh + x, step: 1)
      let v = estimate(dv + x, sv + x, step: TileGrid.stride)
      out[x] = (h.value * v.variance + v.value * h.variance) / (h.variance + v.variance)
    }
  }

  /// The difference to the colour that lies diagonally: mean of four.
  @inline(__always)
  private static func diagonal(
    _ d: UnsafePointer<Float>, from: Int, to: Int, _ out: UnsafeMutablePointer<Float>
  ) {
    let above = d - TileGrid.stride
    let below = d + TileGrid.stride
    for x in from..<to { out[x] = 0.25 * ((above[x - 1] + above[x + 1]) + (below[x - 1] + below[x + 1])) }
  }

  /// One finished row, `y` counted from the tile's core.
  func row(_ y: Int, of tile: EncodedMosaicTile, scratch: TileScratch, into out: CameraRow) {
    let stride = TileGrid.stride
    let start = (y + TileGrid.halo) * stride + TileGrid.halo
    let isRedRow = (tile.core.y + y) & 1 == redRow
    Self.combine(
      tile.base + start, scratch.plane(3) + start, scratch.plane(4) + start,
      greenFirst: isGreen(tile.core.x, tile.core.y + y), count: out.count,
      near: out.plane(isRedRow ? 0 : 2), green: out.plane(1), far: out.plane(isRedRow ? 2 : 0))
  }

  /// `near` is the colour that shares the row, `far` the one in the rows beside it.
  private static func combine(
    _ u: UnsafePointer<Float>, _ own: UnsafePointer<Float>, _ other: UnsafePointer<Float>, greenFirst: Bool,
    count: Int, near: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    far: UnsafeMutablePointer<Float>
  ) {
    let stride = TileGrid.stride
    let parity = greenFirst ? 0 : 1
    let offset = MosaicEncoder.offset
    for x in 0..<count {
      let isGreen = x & 1 == parity
      let crossNear = 0.25 * ((own[x - 1] + own[x + 1]) + (other[x - stride] + other[x + stride]))
      let crossFar = 0.25 * ((other[x - 1] + other[x + 1]) + (own[x - stride] + own[x + stride]))
      let g = isGreen ? u[x] : u[x] + own[x]
      let n = isGreen ? u[x] - crossNear : u[x]
      let f = g - (isGreen ? crossFar : other[x])
      green[x] = (g > 0 ? g * g : 0) - offset
      near[x] = (n > 0 ? n * n : 0) - offset
      far[x] = (f > 0 ? f * f : 0) - offset
    }
  }
}
