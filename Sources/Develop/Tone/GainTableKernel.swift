import ImageCore

/// Multiplies scene light by a file's table of local gains. DNG 1.7, ProfileGainTableMap2: the brightness of linear
/// light in ROMM primaries, brought up by the exposure that the file asks for, is looked up between the four
/// neighbouring curves.
struct GainTableKernel: Sendable {
  private let table: ProfileGainTable
  private let size: PixelSize
  /// Scene light → linear ROMM RGB, 3 x 3.
  private let toROMM: [Float]
  private let weights: [Float]

  /// - Parameters:
  ///   - size: of the whole picture that the grid is laid over.
  ///   - exposure: stops that the file asks for.
  init(_ table: ProfileGainTable, size: PixelSize, space: OutputColourSpace, exposure: Double) {
    self.table = table
    self.size = size
    let romm = OutputColourSpace.proPhoto.toXYZ.inverse ?? .identity(3)
    let adapted = ChromaticAdaptation.bradford(from: space.white, to: .d50)
    toROMM = (romm * adapted * space.toXYZ).values.map { Float($0) }
    let gain = Float(Elementary.exp2(exposure))
    weights = table.weights.map { $0 * gain }
  }

  /// - Parameters:
  ///   - x: column of the row's first pixel.
  ///   - y: its row.
  func apply(_ scene: SceneRow, x: Int, y: Int) {
    let (r, g, b) = (scene.plane(0), scene.plane(1), scene.plane(2))
    let down = Self.place(y, size.height, table.rowOrigin, table.rowSpacing, table.rows)
    let (m, w, count) = (toROMM, weights, table.values)
    table.gains.withUnsafeBufferPointer { gains in
      let upper = gains.baseAddress! + down.index * table.columns * count
      let lower = down.index + 1 < table.rows ? upper + table.columns * count : upper
      for i in 0..<scene.count {
        let red = m[0] * r[i] + m[1] * g[i] + m[2] * b[i]
        let green = m[3] * r[i] + m[4] * g[i] + m[5] * b[i]
        let blue = m[6] * r[i] + m[7] * g[i] + m[8] * b[i]
        let (low, high) = (min(red, min(green, blue)), max(red, max(green, blue)))
        var value = w[0] * red + w[1] * green + w[2] * blue + w[3] * low + w[4] * high
        value = value > 0 ? (value < 1 ? value : 1) : 0  // not a number becomes 0
        if table.gamma != 1 { value = Float(Elementary.power(Double(value), Double(table.gamma))) }
        let position = value * Float(count)
        let index = min(Int(position), count - 1)
        let next = min(index + 1, count - 1)
        let part = min(1, position - Float(index))
        let across = Self.place(x + i, size.width, table.columnOrigin, table.columnSpacing, table.columns)
        let left = across.index * count
        let right = across.index + 1 < table.columns ? left + count : left
        func curve(_ row: UnsafePointer<Float>, _ at: Int) -> Float {
          row[at + index] + (row[at + next] - row[at + index]) * part
        }
        let top = curve(upper, left) + (curve(upper, right) - curve(upper, left)) * across.part
        let bottom = curve(lower, left) + (curve(lower, right) - curve(lower, left)) * across.part
        let gain = top + (bottom - top) * down.part
        (r[i], g[i], b[i]) = (r[i] * gain, g[i] * gain, b[i] * gain)
      }
    }
  }

  /// The point of the grid at or before a pixel's centre, and how far it is to the next; the border's values go on.
  private static func place(
    _ pixel: Int, _ side: Int, _ origin: Double, _ spacing: Double, _ points: Int
  ) -> (index: Int, part: Float) {
    guard points > 1 else { return (0, 0) }
    let position = ((Double(pixel) + 0.5) / Double(side) - origin) / spacing
    let inside = min(Double(points - 1), max(0, position))
    let index = min(Int(inside), points - 1)
    return (index, Float(inside - Double(index)))
  }
}
