/// Where the lines of a picture go whose every n-th line is stored together: the fields of DNG 1.7's
/// RowInterleaveFactor and ColumnInterleaveFactor.
struct FieldMap: Sendable {
  /// The place in the picture of each stored line.
  let places: [Int]
  /// Whether lines are stored where they belong.
  let isIdentity: Bool

  /// - Parameter factor: the number of fields, at least 1.
  init(_ count: Int, factor: Int) {
    isIdentity = factor <= 1
    places = (0..<max(1, factor)).flatMap { field in stride(from: field, to: count, by: max(1, factor)) }
  }
}
