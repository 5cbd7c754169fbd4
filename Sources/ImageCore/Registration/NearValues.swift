/// Up to nine values of a tile and its neighbours, kept in order.
struct NearValues {
  private var values = InlineArray<9, Float>(repeating: 0)
  private(set) var count = 0

  mutating func add(_ value: Float) {
    var place = count
    while place > 0, values[place - 1] > value {
      values[place] = values[place - 1]
      place -= 1
    }
    values[place] = value
    count += 1
  }

  /// The upper one of two in the middle; 0 of none.
  var median: Float { values[count / 2] }
}
