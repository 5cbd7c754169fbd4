/// A coarse grid of factors that a part of a picture is multiplied by: lens shading. DNG 1.7, chapter 7, GainMap.
struct GainMap: Sendable, Hashable {
  let top: Int
  let left: Int
  let bottom: Int
  let right: Int
  /// The first plane concerned, and how many.
  let plane: Int
  let planes: Int
  /// Every how many rows and columns.
  let rowPitch: Int
  let columnPitch: Int
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
    var integers: [Int] = []
    let leadingIntegers = 10
    for _ in 0..<leadingIntegers {
      guard let value = reader.integer() else { return nil }
      integers.append(value)
    }
    (top, left, bottom, right) = (integers[0], integers[1], integers[2], integers[3])
    (plane, planes, rowPitch, columnPitch) = (integers[4], integers[5], integers[6], integers[7])
    (rows, columns) = (integers[8], integers[9])
    guard let rowSpacing = reader.double(), let columnSpacing = reader.double(), let rowOrigin = reader.double(),
      let columnOrigin = reader.double(), let mapPlanes = reader.integer()
    else { return nil }
    (self.rowSpacing, self.columnSpacing, self.rowOrigin, self.columnOrigin, self.mapPlanes) =
      (rowSpacing, columnSpacing, rowOrigin, columnOrigin, mapPlanes)
    guard (1...Self.maxPoints).contains(rows), (1...Self.maxPoints).contains(columns),
      (1...Self.maxPoints).contains(mapPlanes), rowPitch > 0, columnPitch > 0, planes > 0, bottom >= top,
      right >= left, rowOrigin.isFinite, columnOrigin.isFinite, rowSpacing.isFinite, columnSpacing.isFinite,
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
