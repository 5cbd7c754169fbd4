import CVector
import ImageCore

/// Makes samples of a Bayer frame at places between its photosites.
///
/// Sites of one colour lie two pixels apart, too far to interpolate fine structure. Green is found at every site first
/// (along the direction in which colours change less, corrected by the own colour's curvature), and red and blue are
/// carried as their difference from green, which varies slowly.
///
/// - Source: Hamilton & Adams 1997, "Adaptive color plan interpolation in single sensor color electronic camera"
///   (US 5,629,734, expired), with the two directions blended instead of chosen.
struct BayerInterpolation {
  let patch: WarpPatch
  /// Whether the cell's first site is green; else the second is.
  private let greenFirst: Bool
  /// White balance of the cell's four sites, so that grey has equal values, and its inverse.
  private let gains: SIMD4<Float>
  private let inverse: [Float]

  init(patch: WarpPatch, cell: SampleCell, balance: [Float]) {
    self.patch = patch
    greenFirst = cell.colours[0] == .green
    let factors = cell.colours.map { balance[Int($0.rawValue)] }
    gains = SIMD4(factors[0], factors[1], factors[2], factors[3])
    inverse = factors.map { 1 / $0 }
  }

  /// Fills the patch's planes of green and of differences, apart from a border of two samples.
  func prepare() {
    let size = patch.size
    for y in 0..<size.height {
      let row = patch.light.row(y)
      let (even, odd) = y & 1 == 0 ? (gains.x, gains.y) : (gains.z, gains.w)
      for x in 0..<size.width / 2 {
        row[2 &* x] *= even
        row[2 &* x &+ 1] *= odd
      }
    }
    for y in 0..<size.height { patch.green.row(y).update(from: patch.light.row(y), count: size.width) }
    for y in 2..<size.height - 2 { fillGreen(y, width: size.width) }
    for y in 0..<size.height {
      let (light, green, out) = (patch.light.row(y), patch.green.row(y), patch.difference.row(y))
      for x in 0..<size.width { out[x] = light[x] - green[x] }
    }
  }

  private func fillGreen(_ y: Int, width: Int) {
    let start = (y & 1 == 0) == greenFirst ? 3 : 2
    let here = patch.light.row(y)
    let (up, down) = (patch.light.row(y - 1), patch.light.row(y + 1))
    let (up2, down2) = (patch.light.row(y - 2), patch.light.row(y + 2))
    let out = patch.green.row(y)
    let floor: Float = 1e-9
    for step in 0..<max(0, (width - 2 - start + 1) / 2) {
      let x = start &+ 2 &* step
      let twice = 2 * here[x]
      let curveX = twice - here[x &- 2] - here[x &+ 2]
      let curveY = twice - up2[x] - down2[x]
      let slopeX = abs(here[x &- 1] - here[x &+ 1]) + abs(curveX)
      let slopeY = abs(up[x] - down[x]) + abs(curveY)
      let across = (here[x &- 1] + here[x &+ 1]) * 0.5 + curveX * 0.25
      let along = (up[x] + down[x]) * 0.5 + curveY * 0.25
      let (weightX, weightY) = (slopeY * slopeY + floor, slopeX * slopeX + floor)
      out[x] = (weightX * across + weightY * along) / (weightX + weightY)
    }
  }

  /// Samples of eight cells side by side.
  ///
  /// - Parameters:
  ///   - x: place of the first cell's first site in the patch, displacement left out; sites of the next lie two on.
  ///   - places: displacements of the eight cells.
  ///   - column: of the first cell's first sample in `out`.
  @inline(__always)
  func sample(
    _ x: Float, _ y: Float, places: (x: UnsafePointer<Float>, y: UnsafePointer<Float>), into out: Plane, column: Int,
    row: Int
  ) {
    cv_warp_bayer(
      patch.green.base, patch.difference.base, patch.green.stride, x, y, places.x, places.y, greenFirst ? 1 : 0,
      inverse, out.row(row) + column, out.row(row + 1) + column)
  }
}

/// Weights of four neighbours for a place between the middle two: Catmull & Rom 1974.
struct Cubic {
  private let a: Float
  private let b: Float
  private let c: Float
  private let d: Float

  @inline(__always)
  init(_ t: Float) {
    let t2 = t * t
    let t3 = t2 * t
    a = 0.5 * (2 * t2 - t - t3)
    b = 0.5 * (2 - 5 * t2 + 3 * t3)
    c = 0.5 * (t + 4 * t2 - 3 * t3)
    d = 0.5 * (t3 - t2)
  }

  /// Of the samples around `p`, the second of the four.
  @inline(__always)
  func sum(_ p: Float, _ q: Float, _ r: Float, _ s: Float) -> Float { (a * p + b * q) + (c * r + d * s) }
}
