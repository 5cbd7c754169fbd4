/// Shift, turn and scale of a whole picture: where a point of the reference is found in the other picture.
public struct SimilarityMotion: Sendable, Hashable, Codable {
  /// Shift of the centre to the right, pixels.
  public var shiftX: Double
  /// Shift of the centre down, pixels.
  public var shiftY: Double
  /// `s cos α - 1` for a scale `s` and a clockwise turn `α`.
  public var stretch: Double
  /// `s sin α`.
  public var turn: Double

  /// - Parameters: see the properties; all 0 is no motion.
  public init(shiftX: Double = 0, shiftY: Double = 0, stretch: Double = 0, turn: Double = 0) {
    (self.shiftX, self.shiftY, self.stretch, self.turn) = (shiftX, shiftY, stretch, turn)
  }

  /// Nothing moves.
  public static let identity = SimilarityMotion()

  /// How far the point `(x, y)` of a picture of size `size` is displaced.
  public func displacement(x: Double, y: Double, in size: PixelSize) -> (x: Double, y: Double) {
    let dx = x - Double(size.width - 1) / 2
    let dy = y - Double(size.height - 1) / 2
    return (shiftX + stretch * dx - turn * dy, shiftY + turn * dx + stretch * dy)
  }

  /// The largest displacement beside the shift of the centre: of the corners.
  public func largestDeviation(in size: PixelSize) -> Double {
    let half = (Double(size.width * size.width + size.height * size.height)).squareRoot() / 2
    return (stretch * stretch + turn * turn).squareRoot() * half
  }

  /// The largest displacement of any corner.
  public func largestDisplacement(in size: PixelSize) -> Double {
    let (right, bottom) = (Double(size.width - 1), Double(size.height - 1))
    return [(0, 0), (right, 0), (0, bottom), (right, bottom)].map { corner in
      let d = displacement(x: corner.0, y: corner.1, in: size)
      return (d.x * d.x + d.y * d.y).squareRoot()
    }.max()!
  }

  /// The same motion of a picture whose pixels are `factor` times as large.
  public func scaled(by factor: Double) -> SimilarityMotion {
    SimilarityMotion(shiftX: shiftX * factor, shiftY: shiftY * factor, stretch: stretch, turn: turn)
  }
}
