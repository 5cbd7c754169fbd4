/// The size of a pixel grid. Width is columns, height is rows.
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Number of pixels. The caller has checked that the product fits.
  public var area: Int { width * height }

  /// The same size with width and height exchanged.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  public var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels: columns `x ..< x + width`, rows `y ..< y + height`.
public struct PixelRect: Sendable, Hashable, Codable, CustomStringConvertible {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

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

  public var size: PixelSize { PixelSize(width: width, height: height) }
  public var columns: Range<Int> { x..<(x + width) }
  public var rows: Range<Int> { y..<(y + height) }
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

  public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}
