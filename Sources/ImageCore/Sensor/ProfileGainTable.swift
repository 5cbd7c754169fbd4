/// Local gains that the maker of a RAW file means its picture to have: for each place of a coarse grid a curve from
/// brightness to gain. DNG 1.6 ProfileGainTableMap, DNG 1.7 ProfileGainTableMap2.
public struct ProfileGainTable: Sendable, Hashable {
  /// Points of the grid, down and across, and values of each point's curve.
  public let rows, columns, values: Int
  /// From point to point and of the first point, as parts of the picture's sides.
  public let rowSpacing, columnSpacing, rowOrigin, columnOrigin: Double
  /// How much red, green, blue, the smallest and the largest of them count in a pixel's brightness.
  public let weights: [Float]
  /// The power that the brightness is taken to before it is looked up.
  public let gamma: Float
  /// Row by row, column by column, value by value.
  public let gains: [Float]

  /// Most points of a table: larger ones are damage.
  public static let maxValues = 1 << 24

  /// `nil` when numbers are missing, not finite, or of no sense.
  public init?(
    rows: Int, columns: Int, values: Int, rowSpacing: Double, columnSpacing: Double, rowOrigin: Double,
    columnOrigin: Double, weights: [Float], gamma: Float = 1, gains: [Float]
  ) {
    let sides = 1...Self.maxValues
    guard sides.contains(rows), sides.contains(columns), sides.contains(values), rows <= Self.maxValues / columns,
      rows * columns <= Self.maxValues / values, gains.count == rows * columns * values, weights.count == 5,
      [rowSpacing, columnSpacing, rowOrigin, columnOrigin].allSatisfy(\.isFinite), rows == 1 || rowSpacing > 0,
      columns == 1 || columnSpacing > 0, weights.allSatisfy(\.isFinite), gamma.isFinite, gamma > 0,
      gains.allSatisfy({ $0.isFinite && $0 >= 0 })
    else { return nil }
    (self.rows, self.columns, self.values) = (rows, columns, values)
    (self.rowSpacing, self.columnSpacing) = (rowSpacing, columnSpacing)
    (self.rowOrigin, self.columnOrigin) = (rowOrigin, columnOrigin)
    (self.weights, self.gamma, self.gains) = (weights, gamma, gains)
  }
}
