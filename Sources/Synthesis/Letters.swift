/// Capital letters of 5x7 dots: enough to see at a glance whether a picture is sideways or mirrored.
enum Letters {
  private static let glyphs: [Character: [UInt8]] = [
    "D": [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
    "O": [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    "P": [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
    "U": [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
  ]

  /// Rows of dots of a word, most significant bit leftmost of `columns`.
  struct Word: Sendable {
    let columns: Int
    private let rows: [UInt64]

    init(_ text: String) {
      columns = text.count * 6 - 1
      rows = (0..<7).map { row in
        text.reduce(UInt64(0)) { $0 << 6 | UInt64(Letters.glyphs[$1]?[row] ?? 0) }
      }
    }

    /// Whether there is ink at a place given in fractions of the word's box.
    func hasInk(_ u: Double, _ v: Double) -> Bool {
      let column = Int(u * Double(columns))
      let row = Int(v * 7)
      guard u >= 0, v >= 0, column < columns, row < 7 else { return false }
      return rows[row] >> UInt64(columns - 1 - column) & 1 == 1
    }
  }
}
