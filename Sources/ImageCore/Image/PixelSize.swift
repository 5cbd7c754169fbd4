/// The size of a pixel grid. Width is columns, height is rows.
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A grid of `width` columns and `height` rows; nothing is checked.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Number of pixels. The caller has checked that the product fits.
  public var area: Int { width * height }

  /// The same size with width and height exchanged.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// For messages, as `4032x3024`.
  public var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels: columns `x ..< x + width`, rows `y ..< y + height`.
public struct PixelRect: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// Number of columns; 0 or less means empty.
  public var width: Int
  /// Number of rows; 0 or less means empty.
  public var height: Int

  /// A rectangle of `width` columns from `x` on and `height` rows from `y` on; nothing is checked.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The rectangle that covers a whole grid.
  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// Width and height without the place.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// The columns covered; the width must not be negative.
  public var columns: Range<Int> { x..<(x + width) }
  /// The rows covered; the height must not be negative.
  public var rows: Range<Int> { y..<(y + height) }
  /// Whether no pixel is covered.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Whether every pixel of `other` is one of this rectangle.
  public func contains(_ other: PixelRect) -> Bool {
    other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height
  }

  /// The part that both share; empty (width or height 0) when they do not touch.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    return PixelRect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// The same rectangle seen from another origin.
  public func offset(dx: Int, dy: Int) -> PixelRect {
    PixelRect(x: x + dx, y: y + dy, width: width, height: height)
  }

  /// For messages, as X11 writes geometries: `WIDTHxHEIGHT+X+Y`.
  public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}
