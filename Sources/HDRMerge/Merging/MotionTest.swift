import ImageCore

/// How far each frame disagrees with the target beyond what noise explains, cell by cell.
///
/// Two estimates of the squared difference over a neighbourhood, less the part that noise has in each: the mean square
/// (sees texture and edges that moved) and the square of the mean (sees the faintest change of a smooth area). The
/// larger is the squared error that the frame would bring in, and counts as variance, which makes weights that are
/// best in the mean square; beyond 3 to 5 standard deviations a frame is left out altogether.
///
/// - Source: the χ² test on box-filtered differences is that of Granados et al. 2013, "Automatic noise modeling for
///   ghost-free HDR reconstruction"; variance plus squared difference as a weight is the Wiener form of Hasinoff et
///   al. 2016, "Burst photography for high dynamic range and low-light imaging on mobile cameras", section 5.
struct MotionTest {
  /// Cells on each side of the one that is judged.
  static let radius = 2
  /// Chance differences below this many standard deviations of their estimate count as none.
  static let quiet: Float = 2
  /// Mean square over noise variance at which a frame begins to be left out, and is left out.
  static let low: Float = 9
  static let high: Float = 25
  /// Relative error of exposure, shading, colour and linearity that is no motion. Unlike noise it does not average out.
  static let tolerance: Float = 0.01
  /// The same for finished pictures, whose response curve is only roughly known.
  static let renderedTolerance: Float = 0.08

  let buffers: TileBuffers
  let tolerance: Float
  let width: Int
  let height: Int

  /// Judges frame `index`.
  ///
  /// - Parameters:
  ///   - variances: noise of the difference of one sample, a cell; `brightness`: the target's light, a cell.
  ///   - limit: light at which the frame is saturated; such samples are not compared.
  func judge(_ index: Int, variances: Plane, brightness: Plane, limit: Float) {
    let cell = buffers.layout.cell
    let (sums, squares, noise, count) = (buffers.cells(0), buffers.cells(1), buffers.cells(2), buffers.cells(3))
    let scratch = buffers.cells(4)
    for y in 0..<height {
      let (n, c, v) = (noise.row(y), count.row(y), variances.row(y))
      CellKernels.differences(
        buffers.light(index), buffers.target, limit: limit, cell, row: y, count: width, sums: sums.row(y),
        squares: squares.row(y), counts: c)
      for x in 0..<width { n[x] = v[x] * c[x] }
    }
    for plane in [sums, squares, noise, count] {
      CellKernels.box(plane, width: width, height: height, radius: Self.radius, scratch: scratch)
    }
    let out = buffers.bias(index)
    for y in 0..<height {
      let row = out.row(y)
      for x in 0..<width { row[x] = 0 }
    }
    for y in Self.radius..<height - Self.radius {
      excess(sums.row(y), squares.row(y), noise.row(y), count.row(y), brightness.row(y), into: out.row(y))
    }
    CellKernels.extremum(out, width: width, height: height, largest: true, scratch: scratch)
  }

  private func excess(
    _ sums: UnsafePointer<Float>, _ squares: UnsafePointer<Float>, _ noise: UnsafePointer<Float>,
    _ count: UnsafePointer<Float>, _ brightness: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>
  ) {
    let slope = 1 / (Self.high - Self.low)
    for x in Self.radius..<width - Self.radius {
      let inverse = 1 / (count[x] > 0.5 ? count[x] : 1)
      let meanSquare = squares[x] * inverse
      let mean = sums[x] * inverse
      let variance = noise[x] * inverse + .leastNormalMagnitude
      // The mean of n squares of normal numbers varies by sqrt(2 / n).
      let spread = 1 + Self.quiet * (2 * inverse).squareRoot()
      let error = tolerance * brightness[x]
      let slack = error * error
      let texture = CellKernels.larger(meanSquare - spread * variance - slack, 0)
      let level = CellKernels.larger(mean * mean - Self.quiet * Self.quiet * variance * inverse - slack, 0)
      let ratio = meanSquare / (variance + slack)
      let gate = CellKernels.smaller(CellKernels.larger((Self.high - ratio) * slope, 1e-6), 1)
      // A gate of g multiplies the weight 1 / (v + bias) by about g: the same as a larger bias.
      let bias = CellKernels.larger(texture, level) + (1 / gate - 1) * variance
      out[x] = count[x] > 0.5 ? bias : 0
    }
  }
}
