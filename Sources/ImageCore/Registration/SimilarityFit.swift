/// Finds the similarity between two pictures by Gauss–Newton steps on brightness differences.
///
/// Gain and offset of brightness are solved along, so that a wrong exposure ratio does not pull. Differences that
/// stand out (moving things) count little.
///
/// - Source: Lucas & Kanade 1981, "An iterative image registration technique"; robust weights as in Black & Anandan
///   1996, "The robust estimation of multiple motions".
struct SimilarityFit {
  private static let unknowns = 6
  private static let rowsPerBand = 16
  private static let maxSteps = 12
  /// Steps end when no corner moves by more than this many pixels: at the finest level, and at one that the next refines.
  private static let settled = (finest: 0.004, coarse: 0.03)

  let reference: PixelRows<Float>
  let other: PixelRows<Float>
  let workers: Workers
  /// Every `rowStep`-th row is looked at.
  let rowStep: Int
  /// Whether a finer level follows.
  let isRefined: Bool

  private var size: PixelSize { PixelSize(width: reference.width, height: reference.height) }

  /// Refines `motion`, in pixels of this level. `nil` when the steps lead away.
  func refined(_ start: SimilarityMotion, translationOnly: Bool) -> SimilarityMotion? {
    var motion = start
    var light = (gain: 1.0, offset: 0.0)
    var scale = Double.infinity
    let settled = isRefined ? Self.settled.coarse : Self.settled.finest
    for _ in 0..<Self.maxSteps {
      let sums = normalEquations(motion, light, scale)
      guard sums.count > 64 else { return nil }
      scale = 1.5 * (sums.residual / Double(sums.count)).squareRoot() + 1e-6
      guard let step = sums.solved(translationOnly: translationOnly) else { return nil }
      motion.shiftX -= step[0]
      motion.shiftY -= step[1]
      motion.stretch -= step[2]
      motion.turn -= step[3]
      light.gain += step[4]
      light.offset += step[5]
      let change = SimilarityMotion(shiftX: step[0], shiftY: step[1], stretch: step[2], turn: step[3])
      guard change.largestDisplacement(in: size).isFinite else { return nil }
      if change.largestDisplacement(in: size) < settled { break }
    }
    return motion
  }

  private func normalEquations(
    _ motion: SimilarityMotion, _ light: (gain: Double, offset: Double), _ scale: Double
  ) -> NormalSums {
    let rows = (size.height - 2) / rowStep
    let bands = (max(0, rows) + Self.rowsPerBand - 1) / Self.rowsPerBand
    let slots = TileSlots(repeating: NormalSums(), count: bands)
    workers.forEach(tiles: bands) { band in
      var sums = NormalSums()
      for row in band * Self.rowsPerBand..<min(rows, (band + 1) * Self.rowsPerBand) {
        addRow(1 + row * rowStep, motion, light, scale, to: &sums)
      }
      slots[band] = sums
    }
    return slots.values.reduce(into: NormalSums()) { $0.add($1) }
  }

  private func addRow(
    _ y: Int, _ motion: SimilarityMotion, _ light: (gain: Double, offset: Double), _ scale: Double,
    to sums: inout NormalSums
  ) {
    let (row, up, down) = (reference.row(y), reference.row(y - 1), reference.row(y + 1))
    let centreX = Float(size.width - 1) / 2
    let dy = Float(y) - Float(size.height - 1) / 2
    let (gain, offset) = (Float(light.gain), Float(light.offset))
    let inverse = scale.isFinite ? Float(1 / (scale * scale)) : 0
    let (stretch, turn) = (Float(motion.stretch), Float(motion.turn))
    let startX = Float(motion.shiftX) - turn * dy
    let startY = Float(motion.shiftY) + stretch * dy + Float(y)
    let (limitX, limitY) = (Float(other.width - 1), Float(other.height - 1))
    var part = NormalSums.Row()
    for x in 1..<size.width - 1 {
      let dx = Float(x) - centreX
      let qx = startX + stretch * dx + Float(x)
      let qy = startY + turn * dx
      guard qx >= 0, qy >= 0, qx < limitX, qy < limitY else { continue }
      let (left, top) = (Int(qx), Int(qy))
      let (u, v) = (qx - Float(left), qy - Float(top))
      let (p, q) = (other.row(top) + left, other.row(top + 1) + left)
      let upper = p[0] + u * (p[1] - p[0])
      let value = upper + v * (q[0] + u * (q[1] - q[0]) - upper)
      let gx = (row[x + 1] - row[x - 1]) * 0.5
      let gy = (down[x] - up[x]) * 0.5
      let residual = value - (gain * row[x] + offset)
      let weight = 1 / (1 + residual * residual * inverse)
      part.add(gx, gy, gx * dx + gy * dy, gy * dx - gx * dy, row[x], residual, weight)
    }
    sums.add(part)
  }
}
