extension TransferFunction {
  /// The linear light (0...1) of a stored value (0...1): undoes ``encode(_:power:)``.
  public func decode(_ stored: Double, power: (Double, Double) -> Double) -> Double {
    switch self {
    case .sRGB: stored <= 0.04045 ? stored / 12.92 : power((stored + 0.055) / 1.055, 2.4)
    case .rec2020:
      stored < 4.5 * 0.018053968510807
        ? stored / 4.5 : power((stored + 0.09929682680944) / 1.09929682680944, 1 / 0.45)
    case .romm: stored < 16.0 / 512 ? stored / 16 : power(stored, 1.8)
    case .linear: stored
    }
  }
}

/// What a picture's stored values mean: which light, and which colour. What an ICC profile of the matrix kind says.
public struct ColourEncoding: Sendable, Hashable {
  /// Stored value (0...1) → linear light.
  public enum Curve: Sendable, Hashable {
    /// The same.
    case linear
    /// Light at equal steps of stored values from 0 to 1, at least two.
    case table([Float])

    /// A table of a transfer function: 65536 values, exact for 8- and 16-bit samples.
    public init(_ transfer: TransferFunction) {
      guard transfer != .linear else {
        self = .linear
        return
      }
      let top = Int(UInt16.max)
      self = .table((0...top).map { Float(transfer.decode(Double($0) / Double(top), power: Elementary.power)) })
    }
  }

  /// Curves of red, green and blue; grey pictures use the first.
  public var curves: [Curve]
  /// Linear RGB → CIE XYZ relative to D65, Y of white = 1.
  public var toXYZ: Matrix
  /// For messages: `sRGB`.
  public var name: String

  /// From its parts.
  public init(curves: [Curve], toXYZ: Matrix, name: String) {
    precondition(curves.count == 3 && toXYZ.rows == 3 && toXYZ.columns == 3, "three channels")
    (self.curves, self.toXYZ, self.name) = (curves, toXYZ, name)
  }

  /// IEC 61966-2-1.
  public static let sRGB = ColourEncoding(
    curves: Array(repeating: Curve(.sRGB), count: 3), toXYZ: OutputColourSpace.sRGB.toXYZ, name: "sRGB")

  /// sRGB's primaries, linear in light.
  public static let linearSRGB = ColourEncoding(
    curves: Array(repeating: .linear, count: 3), toXYZ: OutputColourSpace.sRGB.toXYZ, name: "linear sRGB")
}
