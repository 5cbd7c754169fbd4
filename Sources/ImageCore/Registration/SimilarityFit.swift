import CVector

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
    workers.forEach(
      tiles: bands, scratch: { [Float](repeating: 0, count: size.width + NormalSums.laneCount) }
    ) { band, scratch in
      scratch.withUnsafeMutableBufferPointer { buffer in
        let lanes = buffer.baseAddress!
        for index in 0..<NormalSums.laneCount { lanes[index] = 0 }
        var count = 0
        for row in band * Self.rowsPerBand..<min(rows, (band + 1) * Self.rowsPerBand) {
          count += addRow(
            1 + row * rowStep, motion, light, scale, values: lanes + NormalSums.laneCount, lanes: lanes)
        }
        slots[band] = NormalSums(lanes: lanes, count: count)
      }
    }
    return slots.values.reduce(into: NormalSums()) { $0.add($1) }
  }

  /// Adds a row to the lanes of sums; returns how many pixels it has in common.
  private func addRow(
    _ y: Int, _ motion: SimilarityMotion, _ light: (gain: Double, offset: Double), _ scale: Double,
    values: UnsafeMutablePointer<Float>, lanes: UnsafeMutablePointer<Float>
  ) -> Int {
    let columns = WarpedRow(motion, y: y, in: size).fill(other, columns: 1..<size.width - 1, into: values)
    guard columns.count >= NormalSums.lanes else { return 0 }
    let first = columns.lowerBound
    cv_add_similarity_sums(
      reference.row(y) + first, reference.row(y - 1) + first, reference.row(y + 1) + first, values + first,
      Float(first) - Float(size.width - 1) / 2, Float(y) - Float(size.height - 1) / 2, Float(light.gain),
      Float(light.offset), scale.isFinite ? Float(1 / (scale * scale)) : 0, columns.count, lanes)
    return columns.count
  }
}
