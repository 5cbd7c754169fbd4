/// A point of the CIE 1931 chromaticity diagram.
public struct Chromaticity: Sendable, Hashable, Codable {
  /// X / (X + Y + Z), 0...1.
  public var x: Double
  /// Y / (X + Y + Z), above 0 and at most 1.
  public var y: Double

  /// A point of the diagram; `y` must not be 0.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// CIE D65 (ISO/CIE 11664-2) as used by sRGB, Display P3 and Rec.2020.
  public static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  /// CIE D50, the white of the ICC profile connection space.
  public static let d50 = Chromaticity(x: 0.3457, y: 0.3585)

  /// XYZ of this chromaticity at Y = 1.
  public var xyz: [Double] { [x / y, 1, (1 - x - y) / y] }
}

/// How linear light becomes stored values in an output space.
public enum TransferFunction: Sendable, Hashable, Codable {
  /// IEC 61966-2-1: linear below 0.0031308, then 1.055 v^(1/2.4) - 0.055.
  case sRGB
  /// ITU-R BT.2020: linear below 0.018053968510807, then 1.09929682680944 v^0.45 - 0.09929682680944.
  case rec2020
  /// ISO 22028-2 (ROMM): 16 v below 1/512, then v^(1/1.8).
  case romm
  /// Stored values are linear in light.
  case linear

  /// The stored value (0...1) of linear light (0...1).
  public func encode(_ light: Double, power: (Double, Double) -> Double) -> Double {
    switch self {
    case .sRGB: light <= 0.0031308 ? 12.92 * light : 1.055 * power(light, 1 / 2.4) - 0.055
    case .rec2020:
      light < 0.018053968510807 ? 4.5 * light : 1.09929682680944 * power(light, 0.45) - 0.09929682680944
    case .romm: light < 1.0 / 512 ? 16 * light : power(light, 1 / 1.8)
    case .linear: light
    }
  }
}

/// The RGB space of a finished picture.
public enum OutputColourSpace: String, Sendable, Hashable, Codable, CaseIterable {
  case sRGB = "srgb"
  case displayP3 = "display-p3"
  case rec2020 = "rec2020"
  case proPhoto = "prophoto"

  /// The chromaticity of R = G = B: D50 for ProPhoto RGB, D65 for the others.
  public var white: Chromaticity { self == .proPhoto ? .d50 : .d65 }

  /// Red, green, blue. IEC 61966-2-1; SMPTE EG 432-1; ITU-R BT.2020; ISO 22028-2.
  public var primaries: [Chromaticity] {
    switch self {
    case .sRGB: [.init(x: 0.64, y: 0.33), .init(x: 0.30, y: 0.60), .init(x: 0.15, y: 0.06)]
    case .displayP3: [.init(x: 0.680, y: 0.320), .init(x: 0.265, y: 0.690), .init(x: 0.150, y: 0.060)]
    case .rec2020: [.init(x: 0.708, y: 0.292), .init(x: 0.170, y: 0.797), .init(x: 0.131, y: 0.046)]
    case .proPhoto:
      [.init(x: 0.734699, y: 0.265301), .init(x: 0.159597, y: 0.840403), .init(x: 0.036598, y: 0.000105)]
    }
  }

  /// How light becomes stored values in this space.
  public var transfer: TransferFunction {
    switch self {
    case .sRGB, .displayP3: .sRGB
    case .rec2020: .rec2020
    case .proPhoto: .romm
    }
  }

  /// Linear RGB of this space → XYZ relative to this space's own white (Y of white = 1).
  public var toXYZ: Matrix {
    let columns = primaries.map(\.xyz)
    let unscaled = Matrix(rows: 3, columns: 3, values: (0..<3).flatMap { row in columns.map { $0[row] } })
    let scale = unscaled.inverse! * white.xyz
    return unscaled * Matrix(diagonal: scale)
  }
}
