import ImageCore

/// Stored counts of a picture with all colours → ``CameraRow``: black level, saturation and white balance.
struct LinearDecoder: Sendable {
  let picture: LinearPicture
  private let multipliers: [Float]

  init(_ picture: LinearPicture, multipliers: [Double]) {
    self.picture = picture
    self.multipliers = multipliers.map { Float($0) }
  }

  /// The row `y` from column `x` on, both in photo coordinates.
  func row(x: Int, y: Int, into out: CameraRow) {
    let black = picture.levels.black
    picture.samples.withRows { rows in
      let counts = rows.row(y) + x
      for plane in 0..<3 {
        let target = out.plane(plane)
        let period = black.width
        for column in 0..<min(period, out.count) {
          // Deltas are added below, the cell's level is the same for all columns of one phase.
          let level = black.values[((y % black.height) * period + (x + column) % period) * 3 + plane]
          let rowLevel = level + (black.rowDeltas.isEmpty ? 0 : black.rowDeltas[y])
          let gain = multipliers[plane] / max(1, picture.levels.white[plane] - level)
          for position in stride(from: column, to: out.count, by: period) {
            let pixel = counts[position]
            let count = plane == 0 ? pixel.red : plane == 1 ? pixel.green : pixel.blue
            let delta = black.columnDeltas.isEmpty ? 0 : black.columnDeltas[x + position]
            target[position] = (Float(count) - (rowLevel + delta)) * gain
          }
        }
      }
    }
  }
}
