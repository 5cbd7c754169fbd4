/// A coarse grid of factors that a part of a picture is multiplied by: lens shading. DNG 1.7, chapter 7, GainMap.
struct GainMap: Sendable, Hashable {
  let area: OpcodeArea
  /// Points of the grid.
  let rows: Int
  let columns: Int
  /// From point to point, and to the first, as parts of the whole picture's sides.
  let rowSpacing: Double
  let columnSpacing: Double
  let rowOrigin: Double
  let columnOrigin: Double
  let mapPlanes: Int
  /// Row by row, column by column, plane by plane.
  let gains: [Float]

  /// Points of a side beyond which a map is damage.
  private static let maxPoints = 1 << 14

  init?(_ bytes: [UInt8]) {
    var reader = OpcodeReader(bytes)
    guard let area = OpcodeArea(&reader), let rows = reader.integer(), let columns = reader.integer(),
      let rowSpacing = reader.double(), let columnSpacing = reader.double(),
      let rowOrigin = reader.double(), let columnOrigin = reader.double(), let mapPlanes = reader.integer()
    else { return nil }
    (self.area, self.rows, self.columns) = (area, rows, columns)
    (self.rowSpacing, self.columnSpacing, self.rowOrigin, self.columnOrigin, self.mapPlanes) =
      (rowSpacing, columnSpacing, rowOrigin, columnOrigin, mapPlanes)
    guard (1...Self.maxPoints).contains(rows), (1...Self.maxPoints).contains(columns),
      (1...Self.maxPoints).contains(mapPlanes), rowOrigin.isFinite, columnOrigin.isFinite, rowSpacing.isFinite,
      columnSpacing.isFinite,
      rows == 1 || rowSpacing > 0, columns == 1 || columnSpacing > 0
    else { return nil }
    guard let stored = reader.bytes(rows * columns * mapPlanes * 4) else { return nil }
    gains = stride(from: 0, to: stored.count, by: 4).map { at in
      Float(bitPattern: stored[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    guard gains.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
  }

  /// Between which points a row or column of the picture lies: the first of them, and the weight of the second.
  static func place(_ index: Int, of length: Int, points: Int, spacing: Double, origin: Double) -> (Int, Float) {
    guard points > 1 else { return (0, 0) }
    let position = ((Double(index) + 0.5) / Double(length) - origin) / spacing
    let inside = max(0, min(position, Double(points - 1)))
    let first = min(Int(inside), points - 2)
    return (first, Float(inside - Double(first)))
  }
}
