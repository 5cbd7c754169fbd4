import Glibc

/// A colour of CIE 1976 L*a*b*.
public struct LabColour: Sendable, Hashable {
  /// Lightness, 0...100.
  public var lightness: Double
  /// Green to red.
  public var a: Double
  /// Blue to yellow.
  public var b: Double

  /// A colour by its coordinates.
  public init(_ lightness: Double, _ a: Double, _ b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// The colour of linear sRGB (IEC 61966-2-1 primaries), white at 1, relative to sRGB's own white D65.
  ///
  /// Source: CIE 15:2004, section 8.2.1.
  public init(linearSRGB pixel: RGB<Double>) {
    let xyz = Self.sRGBToXYZ * [pixel.red, pixel.green, pixel.blue]
    let f = zip(xyz, Self.white).map { value, white in Self.lightnessCurve(value / white) }
    self.init(116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]))
  }

  private static let sRGBToXYZ = OutputColourSpace.sRGB.toXYZ
  private static let white = Chromaticity.d65.xyz

  /// Cube root, made linear near black: CIE 15:2004, equations 8.6 to 8.11.
  private static func lightnessCurve(_ t: Double) -> Double {
    t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
  }

  /// The CIEDE2000 difference with all weights 1.
  ///
  /// Source: Sharma, Wu, Dalal 2005, "The CIEDE2000 color-difference formula", equations 2 to 22. The numbers below
  /// are the formula's.
  public func ciede2000(to other: LabColour) -> Double {
    let meanChroma = (hypot(a, b) + hypot(other.a, other.b)) / 2
    let stretch = 1 + 0.5 * (1 - Self.chromaWeight(meanChroma))
    let c1 = hypot(stretch * a, b)
    let c2 = hypot(stretch * other.a, other.b)
    let h1 = Self.hue(stretch * a, b)
    let h2 = Self.hue(stretch * other.a, other.b)
    let isGrey = c1 * c2 == 0
    var turn = isGrey ? 0 : h2 - h1
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let deltaL = other.lightness - lightness
    let deltaC = c2 - c1
    let deltaH = 2 * (c1 * c2).squareRoot() * sin(Self.radians(turn / 2))
    let l = (lightness + other.lightness) / 2
    let c = (c1 + c2) / 2
    var h = h1 + h2
    if !isGrey {
      if abs(h1 - h2) > 180 { h += h < 360 ? 360 : -360 }
      h /= 2
    }
    let t =
      1 - 0.17 * cos(Self.radians(h - 30)) + 0.24 * cos(Self.radians(2 * h))
      + 0.32 * cos(Self.radians(3 * h + 6)) - 0.20 * cos(Self.radians(4 * h - 63))
    let turnAngle = 30 * exp(-((h - 275) / 25) * ((h - 275) / 25))
    let off = (l - 50) * (l - 50)
    let termL = deltaL / (1 + 0.015 * off / (20 + off).squareRoot())
    let termC = deltaC / (1 + 0.045 * c)
    let termH = deltaH / (1 + 0.015 * c * t)
    let rotation = -sin(Self.radians(2 * turnAngle)) * 2 * Self.chromaWeight(c)
    return (termL * termL + termC * termC + termH * termH + rotation * termC * termH).squareRoot()
  }

  private static func chromaWeight(_ c: Double) -> Double {
    let seventh = pow(c, 7)
    return (seventh / (seventh + pow(25, 7))).squareRoot()
  }

  /// Degrees in 0..<360; 0 for grey.
  private static func hue(_ a: Double, _ b: Double) -> Double {
    if a == 0 && b == 0 { return 0 }
    let angle = atan2(b, a) * 180 / Double.pi
    return angle < 0 ? angle + 360 : angle
  }

  private static func radians(_ degrees: Double) -> Double { degrees * Double.pi / 180 }
}
