extension CFAPattern: CustomStringConvertible {
  /// The pattern of a name; case does not matter.
  ///
  /// Four letters name a 2x2 cell row by row (`rggb`, `gmcy`). `quad-`, `nona-` or `hexadeca-` in front make each of
  /// them a cluster of 2x2, 3x3 or 4x4 photosites. `xtrans` is the 6x6 pattern. An ending `+X,Y` moves the origin: the
  /// first photosite of `quad-rggb+2,3` is the one in column 2 and row 3 of the named cell. So all 16 origins of the
  /// quad cell, 36 of the nona cell and 64 of the hexadeca cell have names.
  public init?(named name: String) {
    let parts = name.lowercased().split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count <= 2, let cell = Self(cellNamed: String(parts[0])) else { return nil }
    guard parts.count == 2 else {
      self = cell
      return
    }
    let offsets = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    guard offsets.count == 2, let dx = Int(offsets[0]), let dy = Int(offsets[1]),
      (0..<cell.width).contains(dx), (0..<cell.height).contains(dy)
    else { return nil }
    self = cell.shifted(dx: dx, dy: dy)
  }

  /// The name of the pattern, which ``init(named:)`` reads back; without a name, the plain colours row by row, rows
  /// parted by `/`.
  ///
  /// Letters name the clusters from the one that holds the first photosite; `+X,Y` tells how many of that cluster's
  /// columns and rows lie before it: `quad-RGGB+2,3` is printed as `quad-BGGR+0,1`.
  public var description: String {
    if let clusters {
      let offset = PixelSize(
        width: (clusters.side - clusters.originX) % clusters.side,
        height: (clusters.side - clusters.originY) % clusters.side)
      let first = clusters.cell.shifted(dx: offset.width > 0 ? 1 : 0, dy: offset.height > 0 ? 1 : 0)
      return Self.prefix(ofSide: clusters.side) + String(first.colours.map(\.letter)) + Self.ending(offset)
    }
    for dy in 0..<height {
      for dx in 0..<width where Self.xTrans.shifted(dx: dx, dy: dy) == self {
        return "xtrans" + Self.ending(PixelSize(width: dx, height: dy))
      }
    }
    return (0..<height).map { y in String((0..<width).map { self[$0, y].letter }) }.joined(separator: "/")
  }

  private static let prefixes = [(name: "quad-", side: 2), (name: "nona-", side: 3), (name: "hexadeca-", side: 4)]

  private static func prefix(ofSide side: Int) -> String { prefixes.first { $0.side == side }?.name ?? "" }

  private static func ending(_ offset: PixelSize) -> String {
    offset.width == 0 && offset.height == 0 ? "" : "+\(offset.width),\(offset.height)"
  }

  private init?(cellNamed name: String) {
    if name == "xtrans" {
      self = .xTrans
      return
    }
    let match = Self.prefixes.first { name.hasPrefix($0.name) }
    let letters = name.dropFirst(match?.name.count ?? 0)
    let cell = letters.compactMap(CFAColour.init(letter:))
    guard letters.count == 4, cell.count == 4 else { return nil }
    self.init(cell: CFAPattern(width: 2, height: 2, colours: cell)!, clusterSide: match?.side ?? 1)
  }
}
