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
  let cfa: SampleCell
  /// White balance of red, green and blue, so that grey has equal values.
  let balance: [Float]

  private func gain(_ x: Int, _ y: Int) -> Float { balance[Int(cfa.colours[(y & 1) * 2 + (x & 1)].rawValue)] }
  private func isGreen(_ x: Int, _ y: Int) -> Bool { cfa.colours[(y & 1) * 2 + (x & 1)] == .green }

  /// Fills the patch's planes of green and of differences, apart from a border of two samples.
  func prepare() {
    let size = patch.size
    for y in 0..<size.height {
      let row = patch.light.row(y)
      let (even, odd) = (gain(0, y), gain(1, y))
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
    let start = isGreen(0, y) ? 3 : 2
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

  /// The four samples of a cell whose first site lies at `(x, y)` of the patch, in samples and parts of one.
  @inline(__always)
  func sample(_ x: Float, _ y: Float, into out: Plane, column: Int, row: Int) {
    let (wholeX, wholeY) = (x.rounded(.down), y.rounded(.down))
    let (left, top) = (Int(wholeX), Int(wholeY))
    let across = Cubic(x - wholeX)
    let down = Cubic(y - wholeY)
    for phaseY in 0..<2 {
      for phaseX in 0..<2 {
        var value = green(left + phaseX, top + phaseY, across, down)
        if !isGreen(phaseX, phaseY) {
          value += colour(x + Float(phaseX), y + Float(phaseY), phaseX, phaseY)
        }
        out.row(row + phaseY)[column + phaseX] = value / gain(phaseX, phaseY)
      }
    }
  }

  @inline(__always)
  private func green(_ left: Int, _ top: Int, _ across: Cubic, _ down: Cubic) -> Float {
    let g = patch.green
    return down.sum(
      across.sum(g.row(top - 1) + left), across.sum(g.row(top) + left), across.sum(g.row(top + 1) + left),
      across.sum(g.row(top + 2) + left))
  }

  /// Red or blue less green, between the four nearest sites of the colour.
  @inline(__always)
  private func colour(_ x: Float, _ y: Float, _ phaseX: Int, _ phaseY: Int) -> Float {
    let u = (x - Float(phaseX)) * 0.5
    let v = (y - Float(phaseY)) * 0.5
    let (wholeX, wholeY) = (u.rounded(.down), v.rounded(.down))
    let (left, top) = (2 * Int(wholeX) + phaseX, 2 * Int(wholeY) + phaseY)
    let (partX, partY) = (u - wholeX, v - wholeY)
    let (p, q) = (patch.difference.row(top) + left, patch.difference.row(top + 2) + left)
    let upper = p[0] + partX * (p[2] - p[0])
    let lower = q[0] + partX * (q[2] - q[0])
    return upper + partY * (lower - upper)
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
  func sum(_ p: UnsafePointer<Float>) -> Float { sum(p[-1], p[0], p[1], p[2]) }
  @inline(__always)
  func sum(_ p: UnsafeMutablePointer<Float>) -> Float { sum(p[-1], p[0], p[1], p[2]) }
  @inline(__always)
  func sum(_ p: Float, _ q: Float, _ r: Float, _ s: Float) -> Float { (a * p + b * q) + (c * r + d * s) }
}
