/// The colour of one photosite's filter. Raw values are those of the TIFF/EP and DNG tag CFAPlaneColor.
public enum CFAColour: UInt8, CaseIterable, Sendable, Hashable, Codable {
  case red = 0, green = 1, blue = 2, cyan = 3, magenta = 4, yellow = 5, white = 6

  /// The letter used in pattern names.
  public var letter: Character {
    switch self {
    case .red: "R"
    case .green: "G"
    case .blue: "B"
    case .cyan: "C"
    case .magenta: "M"
    case .yellow: "Y"
    case .white: "W"
    }
  }

  /// The colour of a letter, in either case; `nil` for any other character.
  public init?(letter: Character) {
    guard let match = Self.allCases.first(where: { $0.letter == Character(letter.uppercased()) }) else { return nil }
    self = match
  }
}

/// The colour filter array of a sensor, as data: any period up to 8x8, any colours.
///
/// The pattern's first colour belongs to the photosite `(0, 0)` of the mosaic that carries it; whatever crops,
/// mirrors or rotates a mosaic re-phases its pattern.
public struct CFAPattern: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The largest period in either direction that real sensors use (hexadeca: 4x4 photosites of one colour).
  public static let maxPeriod = 8

  /// Columns after which the pattern repeats, 1...8.
  public let width: Int
  /// Rows after which the pattern repeats, 1...8.
  public let height: Int
  /// Row-major, `width * height` entries.
  public let colours: [CFAColour]

  /// `nil` when a side is not in 1...8 or the number of colours does not fit.
  public init?(width: Int, height: Int, colours: [CFAColour]) {
    guard (1...Self.maxPeriod).contains(width), (1...Self.maxPeriod).contains(height),
      colours.count == width * height
    else { return nil }
    self.width = width
    self.height = height
    self.colours = colours
  }

  /// The pattern of a name: four letters for 2x2 (`rggb`, `gmcy`), with `quad-`, `nona-` or `hexadeca-` in front for
  /// clusters of 2x2, 3x3, 4x4 photosites of one colour, or `xtrans` for the 6x6 pattern. Case does not matter.
  public init?(named name: String) {
    let lower = name.lowercased()
    if lower == "xtrans" {
      self = .xTrans
      return
    }
    let clusters: [(prefix: String, side: Int)] = [("quad-", 2), ("nona-", 3), ("hexadeca-", 4), ("", 1)]
    guard let match = clusters.first(where: { lower.hasPrefix($0.prefix) }) else { return nil }
    let letters = lower.dropFirst(match.prefix.count)
    let cell = letters.compactMap(CFAColour.init(letter:))
    guard letters.count == 4, cell.count == 4 else { return nil }
    let side = 2 * match.side
    var colours: [CFAColour] = []
    for y in 0..<side {
      for x in 0..<side { colours.append(cell[(y / match.side) * 2 + x / match.side]) }
    }
    self.init(width: side, height: side, colours: colours)
  }

  /// The Bayer pattern that begins with red: `RG` over `GB`.
  public static let rggb = CFAPattern(width: 2, height: 2, colours: [.red, .green, .green, .blue])!

  /// Fujifilm's 6x6 pattern in the phase in which it is usually printed.
  public static let xTrans = CFAPattern(
    width: 6, height: 6, colours: "GGRGGBGGBGGRBRGRBGGGBGGRGGRGGBRBGBRG".map { CFAColour(letter: $0)! })!

  /// The colour at a photosite; coordinates may be negative.
  public subscript(x: Int, y: Int) -> CFAColour {
    colours[Self.wrap(y, height) * width + Self.wrap(x, width)]
  }

  /// The colours that occur, in the order of their raw values.
  public var distinctColours: [CFAColour] {
    Set(colours).sorted { $0.rawValue < $1.rawValue }
  }

  /// Red, green and blue in a 2x2 cell with the two greens on one diagonal.
  public var isBayer: Bool {
    width == 2 && height == 2 && Set(colours) == [.red, .green, .blue]
      && ((colours[0] == .green && colours[3] == .green) || (colours[1] == .green && colours[2] == .green))
  }

  /// The pattern seen from a crop whose origin moved by `dx` columns and `dy` rows.
  public func shifted(dx: Int, dy: Int) -> CFAPattern {
    remade(width: width, height: height) { x, y in self[x + dx, y + dy] }
  }

  /// The pattern of a mosaic of size `stored` after it was laid by `orientation`.
  public func oriented(_ orientation: Orientation, of stored: PixelSize) -> CFAPattern {
    let period = orientation.applied(to: PixelSize(width: width, height: height))
    return remade(width: period.width, height: period.height) { x, y in
      let source = orientation.source(x: x, y: y, in: stored)
      return self[source.x, source.y]
    }
  }

  /// `RGGB`, `quad-RGGB` …; the plain colours row by row, rows parted by `/`, when there is no such name.
  public var description: String {
    for (prefix, side) in [("", 1), ("quad-", 2), ("nona-", 3), ("hexadeca-", 4)]
    where width == 2 * side && height == width {
      let cell = String([self[0, 0], self[side, 0], self[0, side], self[side, side]].map(\.letter))
      if CFAPattern(named: prefix + cell) == self { return prefix + cell }
    }
    if self == .xTrans { return "xtrans" }
    return (0..<height).map { y in String((0..<width).map { self[$0, y].letter }) }.joined(separator: "/")
  }

  private func remade(width: Int, height: Int, _ colour: (Int, Int) -> CFAColour) -> CFAPattern {
    var colours: [CFAColour] = []
    for y in 0..<height {
      for x in 0..<width { colours.append(colour(x, y)) }
    }
    return CFAPattern(width: width, height: height, colours: colours)!
  }

  private static func wrap(_ value: Int, _ period: Int) -> Int {
    let remainder = value % period
    return remainder < 0 ? remainder + period : remainder
  }
}
