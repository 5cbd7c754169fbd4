/// A ratio of width to height in whole numbers, kept in lowest terms.
public struct AspectRatio: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Parts of width; has no common divisor with ``height``.
  public let width: Int
  /// Parts of height.
  public let height: Int

  /// `nil` unless both are in 1...65535, the largest picture side that is asked for.
  public init?(width: Int, height: Int) {
    let sides = 1...Int(UInt16.max)
    guard sides.contains(width), sides.contains(height) else { return nil }
    let divisor = greatestCommonDivisor(width, height)
    self.width = width / divisor
    self.height = height / divisor
  }

  /// The ratio of a text such as `16:9`, `1:1` or `3x2`.
  public init?(_ text: String) {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "x" || $0 == "/" }
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
    self.init(width: width, height: height)
  }

  /// The ratio after a quarter turn.
  public var transposed: AspectRatio { AspectRatio(width: height, height: width)! }

  /// `W:H` in lowest terms.
  public var description: String { "\(width):\(height)" }
}

/// Where in a picture a smaller rectangle is placed. Names are those of ImageMagick's `-gravity`.
public enum Gravity: String, Sendable, Hashable, Codable, CaseIterable {
  case northWest = "northwest"
  case north
  case northEast = "northeast"
  case west
  case center
  case east
  case southWest = "southwest"
  case south
  case southEast = "southeast"

  /// The gravity of a name; case does not matter and `centre` is accepted.
  public init?(named name: String) {
    let lower = name.lowercased()
    self.init(rawValue: lower == "centre" ? "center" : lower)
  }

  /// The offset in halves of the free columns: 0 left, 1 middle, 2 right.
  var columnHalves: Int {
    switch self {
    case .northWest, .west, .southWest: 0
    case .north, .center, .south: 1
    case .northEast, .east, .southEast: 2
    }
  }

  /// The offset in halves of the free rows: 0 top, 1 middle, 2 bottom.
  var rowHalves: Int {
    switch self {
    case .northWest, .north, .northEast: 0
    case .west, .center, .east: 1
    case .southWest, .south, .southEast: 2
    }
  }
}

/// Cuts pictures to an exact aspect ratio.
public enum AspectCrop {
  /// The largest rectangle whose sides have exactly the given ratio.
  ///
  /// Both sides are the ratio's parts times one whole number, so that width × ratio.height = height × ratio.width
  /// holds without rounding. When the free space is odd, a centred rectangle lies half a pixel to the left or top.
  ///
  /// - Parameters:
  ///   - size: of the picture as it is shown.
  ///   - ratio: width to height as shown.
  /// - Returns: `nil` when the picture is smaller than the ratio's lowest terms.
  public static func rect(in size: PixelSize, ratio: AspectRatio, gravity: Gravity = .center) -> PixelRect? {
    place(multiple: largestMultiple(in: size, ratio), in: size, ratio, gravity)
  }

  /// The same for a mosaic: a rectangle of stored photosites that does not tear the pattern.
  ///
  /// The origin is the multiple of the pattern's period nearest to the placed rectangle that keeps it inside. The size
  /// is the largest one of the exact ratio whose sides are also multiples of the period; in a picture too small for
  /// one, only the origin is aligned.
  ///
  /// - Parameters:
  ///   - stored: size of the stored mosaic.
  ///   - orientation: what makes the stored mosaic upright; ratio and gravity are meant as shown.
  ///   - period: width and height of the pattern in stored photosites, both at least 1.
  /// - Returns: a rectangle in stored coordinates; `nil` when the mosaic is smaller than the ratio's lowest terms.
  public static func storedRect(
    in stored: PixelSize, orientation: Orientation, ratio: AspectRatio, gravity: Gravity = .center, period: PixelSize
  ) -> PixelRect? {
    let shown = orientation.applied(to: stored)
    let shownPeriod = orientation.applied(to: period)
    let columnUnit = shownPeriod.width / greatestCommonDivisor(shownPeriod.width, ratio.width)
    let rowUnit = shownPeriod.height / greatestCommonDivisor(shownPeriod.height, ratio.height)
    let unit = columnUnit / greatestCommonDivisor(columnUnit, rowUnit) * rowUnit
    let largest = largestMultiple(in: shown, ratio)
    let multiple = largest >= unit ? largest - largest % unit : largest
    guard let placed = place(multiple: multiple, in: shown, ratio, gravity) else { return nil }
    var rect = orientation.source(of: placed, in: stored)
    rect.x = aligned(rect.x, to: period.width, last: stored.width - rect.width)
    rect.y = aligned(rect.y, to: period.height, last: stored.height - rect.height)
    return rect
  }

  private static func largestMultiple(in size: PixelSize, _ ratio: AspectRatio) -> Int {
    min(size.width / ratio.width, size.height / ratio.height)
  }

  private static func place(
    multiple: Int, in size: PixelSize, _ ratio: AspectRatio, _ gravity: Gravity
  ) -> PixelRect? {
    guard multiple > 0 else { return nil }
    let width = multiple * ratio.width
    let height = multiple * ratio.height
    return PixelRect(
      x: (size.width - width) * gravity.columnHalves / 2, y: (size.height - height) * gravity.rowHalves / 2,
      width: width, height: height)
  }

  private static func aligned(_ origin: Int, to period: Int, last: Int) -> Int {
    let nearest = (origin + period / 2) / period * period
    return nearest <= last ? nearest : last / period * period
  }
}

/// Euclid's algorithm, for positive numbers.
func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }
