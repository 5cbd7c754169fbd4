/// One of the eight ways to lay a rectangle of pixels: the group of the square.
///
/// An orientation says what must be done to stored pixels to make them upright. The raw value is the EXIF/TIFF
/// Orientation tag (274). Pixel `(x, y)` of the result is the stored pixel `source(x, y)`: coordinates are first
/// exchanged (``transposes``), then mirrored in the stored grid (``mirrorsColumns``, ``mirrorsRows``).
public enum Orientation: UInt8, CaseIterable, Sendable, Hashable, Codable {
  /// Nothing to do.
  case up = 1
  /// Mirror left to right.
  case upMirrored = 2
  /// Rotate by 180°.
  case down = 3
  /// Mirror top to bottom.
  case downMirrored = 4
  /// Exchange rows and columns (mirror about the main diagonal).
  case leftMirrored = 5
  /// Rotate by 90° clockwise.
  case right = 6
  /// Mirror about the other diagonal.
  case rightMirrored = 7
  /// Rotate by 270° clockwise.
  case left = 8

  /// Rows become columns: width and height are exchanged.
  public var transposes: Bool { rawValue >= 5 }
  /// Stored columns are read from right to left.
  public var mirrorsColumns: Bool { [.upMirrored, .down, .rightMirrored, .left].contains(self) }
  /// Stored rows are read from bottom to top.
  public var mirrorsRows: Bool { [.down, .downMirrored, .right, .rightMirrored].contains(self) }

  /// The element with these three properties.
  public init(transposes: Bool, mirrorsColumns: Bool, mirrorsRows: Bool) {
    self =
      switch (transposes, mirrorsColumns, mirrorsRows) {
      case (false, false, false): .up
      case (false, true, false): .upMirrored
      case (false, true, true): .down
      case (false, false, true): .downMirrored
      case (true, false, false): .leftMirrored
      case (true, false, true): .right
      case (true, true, true): .rightMirrored
      case (true, true, false): .left
      }
  }

  /// The orientation of an EXIF tag; `nil` when the number is none of 1...8.
  public init?(exif: Int) {
    guard let raw = UInt8(exactly: exif) else { return nil }
    self.init(rawValue: raw)
  }

  /// The orientation of LibRaw's `sizes.flip`: bit 0 mirrors columns, bit 1 mirrors rows, bit 2 transposes.
  public init(libRawFlip flip: Int) {
    self.init(transposes: flip & 4 != 0, mirrorsColumns: flip & 1 != 0, mirrorsRows: flip & 2 != 0)
  }

  /// LibRaw's `sizes.flip` of this orientation.
  public var libRawFlip: Int {
    (transposes ? 4 : 0) | (mirrorsRows ? 2 : 0) | (mirrorsColumns ? 1 : 0)
  }

  /// A clockwise rotation by quarter turns; any integer, taken modulo 4.
  public init(clockwiseQuarterTurns turns: Int) {
    self = [Orientation.up, .right, .down, .left][((turns % 4) + 4) % 4]
  }

  /// This orientation, and then another one on its result.
  public func then(_ next: Orientation) -> Orientation {
    let nextColumns = transposes ? next.mirrorsRows : next.mirrorsColumns
    let nextRows = transposes ? next.mirrorsColumns : next.mirrorsRows
    return Orientation(
      transposes: transposes != next.transposes,
      mirrorsColumns: mirrorsColumns != nextColumns,
      mirrorsRows: mirrorsRows != nextRows)
  }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self  // the other six are their own inverses
    }
  }

  /// The size of the result for stored pixels of size `stored`.
  public func applied(to stored: PixelSize) -> PixelSize { transposes ? stored.transposed : stored }

  /// Where the result's pixel `(x, y)` lies in stored pixels of size `stored`.
  public func source(x: Int, y: Int, in stored: PixelSize) -> (x: Int, y: Int) {
    let column = transposes ? y : x
    let row = transposes ? x : y
    return (
      mirrorsColumns ? stored.width - 1 - column : column,
      mirrorsRows ? stored.height - 1 - row : row
    )
  }

  /// Where a rectangle of the result lies in stored pixels of size `stored`.
  public func source(of rect: PixelRect, in stored: PixelSize) -> PixelRect {
    let first = source(x: rect.x, y: rect.y, in: stored)
    let last = source(x: rect.x + rect.width - 1, y: rect.y + rect.height - 1, in: stored)
    return PixelRect(
      x: min(first.x, last.x), y: min(first.y, last.y),
      width: abs(last.x - first.x) + 1, height: abs(last.y - first.y) + 1)
  }
}
