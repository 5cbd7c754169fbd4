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
public struct CFAPattern: Sendable, Hashable, Codable {
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

  /// The same pattern with the smallest period; a file may repeat the 2x2 cell of a Bayer sensor in a 4x4 tag.
  public var reduced: CFAPattern {
    func divisors(_ period: Int) -> [Int] { (1...period).filter { period % $0 == 0 } }
    let columns = divisors(width).first { shifted(dx: $0, dy: 0) == self } ?? width
    let rows = divisors(height).first { shifted(dx: 0, dy: $0) == self } ?? height
    return remade(width: columns, height: rows) { x, y in self[x, y] }
  }

  func remade(width: Int, height: Int, _ colour: (Int, Int) -> CFAColour) -> CFAPattern {
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
