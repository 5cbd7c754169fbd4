/// CIEDE2000 of rows of pixels.
///
/// The formula of ``LabColour/ciede2000(to:)`` without angles: the mean hue is the direction of the sum of two unit
/// vectors, cosines of its multiples follow from its own, and only the turn of blue (equation 16) needs an arc. Agrees
/// with the exact formula within 1e-4 for colours of L 0...100 and chroma up to 200.
enum ColourKernel {
  typealias Floats = UnsafeMutablePointer<Float>

  /// CIE 15:2004, equations 8.6 to 8.11: the cube root's straight part ends here.
  static let linearEnd: Float = 216.0 / 24389

  /// Y, X − Y, Y − Z relative to white → L*, a*, b*.
  static func lab(_ y: Floats, _ xy: Floats, _ yz: Floats, count: Int, _ l: Floats, _ a: Floats, _ b: Floats) {
    for i in 0..<count {
      let fy = curve(y[i])
      let fx = curve(y[i] + xy[i])
      let fz = curve(y[i] - yz[i])
      l[i] = 116 * fy - 16
      a[i] = 500 * (fx - fy)
      b[i] = 200 * (fy - fz)
    }
  }

  @inline(__always)
  static func curve(_ t: Float) -> Float {
    let root = LaneMath.cubeRoot(t > linearEnd ? t : 1)
    let line = (24389.0 / 27 * t + 16) * (1.0 / 116)
    return t > linearEnd ? root : line
  }

  /// Replaces `out` by the differences of two rows of L*, a*, b*.
  static func difference(_ left: [Floats], _ right: [Floats], count: Int, into out: Floats) {
    let (l1, a1, b1) = (left[0], left[1], left[2])
    let (l2, a2, b2) = (right[0], right[1], right[2])
    for i in 0..<count { out[i] = difference(l1[i], a1[i], b1[i], l2[i], a2[i], b2[i]) }
  }

  /// One pair. Equations are numbered as by Sharma, Wu, Dalal 2005; the numbers are the formula's.
  @inline(__always)
  static func difference(_ l1: Float, _ a1: Float, _ b1: Float, _ l2: Float, _ a2: Float, _ b2: Float) -> Float {
    let meanChroma = 0.5 * (LaneMath.squareRoot(a1 * a1 + b1 * b1) + LaneMath.squareRoot(a2 * a2 + b2 * b2))
    let stretch = 1.5 - 0.5 * chromaWeight(meanChroma)  // 4
    let (p, q) = (stretch * a1, stretch * a2)
    let (c1, c2) = (LaneMath.squareRoot(p * p + b1 * b1), LaneMath.squareRoot(q * q + b2 * b2))
    // 8 to 11: 2 √(C₁C₂) sin(Δh/2) from the products of the two vectors, by whichever form loses no digits.
    let (dot, cross, product) = (p * q + b1 * b2, p * b2 - q * b1, c1 * c2)
    let obtuse = LaneMath.squareRoot(2 * (product + abs(dot)))
    let sharp = cross / (tiny + 0.5 * obtuse)
    // Exactly opposite hues: the larger angle counts as the end.
    let first = b1 == 0 ? p : b1
    let turn = cross == 0 ? first : cross
    let side: Float = turn < 0 ? -1 : 1
    let deltaH = dot >= 0 ? sharp : side * obtuse
    let (deltaL, deltaC) = (l2 - l1, c2 - c1)
    // 14: the mean hue as a unit vector, from both hues made equally long; grey leaves the other's. Of two nearly
    // opposite hues it stands upright on their difference.
    let (i1, i2) = (c2 + tiny, c1 + tiny)
    let (u1, v1, u2, v2) = (p * i1, b1 * i1, q * i2, b2 * i2)
    let x = dot >= 0 ? u1 + u2 : side * (v2 - v1)
    let y = dot >= 0 ? v1 + v2 : side * (u1 - u2)
    let length = 1 / (tiniest + LaneMath.squareRoot(x * x + y * y))
    let (c, s) = (x * length, y * length)
    let (cos2, sin2) = (c * c - s * s, 2 * c * s)
    let (cos3, sin3) = (cos2 * c - sin2 * s, sin2 * c + cos2 * s)
    let (cos4, sin4) = (cos2 * cos2 - sin2 * sin2, 2 * cos2 * sin2)
    // 15, with the cosines of 30, 6 and 63 degrees.
    let t0 = 1 - 0.17 * (0.8660254 * c + 0.5 * s) + 0.24 * cos2
    let t = t0 + 0.32 * (0.9945219 * cos3 - 0.1045285 * sin3) - 0.20 * (0.4539905 * cos4 + 0.8910065 * sin4)
    let (meanL, chroma) = (0.5 * (l1 + l2) - 50, 0.5 * (c1 + c2))
    let off = meanL * meanL
    // 18 to 20: the three terms' divisors, the first times a root, and one division for all of them.
    let root = LaneMath.squareRoot(20 + off)
    let (partL, partC, partH) = (root + 0.015 * off, 1 + 0.045 * chroma, 1 + 0.015 * chroma * t)
    let inverse = 1 / (partL * (partC * partH))
    let termL = deltaL * root * (partC * partH) * inverse
    let termC = deltaC * (partL * partH) * inverse
    let termH = deltaH * (partL * partC) * inverse
    let rotation = blueTurn(c, s) * 2 * chromaWeight(chroma)  // 17, 21
    let sum = (termL * termL + termC * termC) + (termH * termH - rotation * termC * termH)
    return LaneMath.squareRoot(sum > 0 ? sum : 0)
  }

  /// Keeps divisions by a chroma of 0 harmless; smaller than the square of any difference that is seen.
  private static let tiny: Float = 1e-12
  /// The same for products with ``tiny``.
  private static let tiniest: Float = 1e-24

  /// √(C⁷ / (C⁷ + 25⁷)).
  @inline(__always)
  private static func chromaWeight(_ chroma: Float) -> Float {
    let part = chroma * (1.0 / 25)
    let cube = part * part * part
    let seventh = cube * cube * part
    return LaneMath.squareRoot(seventh / (seventh + 1))
  }

  /// sin 2Δθ, Δθ = 30° exp(−((h − 275°) / 25°)²), for a hue as a unit vector; 0 for the half circle around yellow, where
  /// Δθ is below 0.00002°.
  @inline(__always)
  private static func blueTurn(_ c: Float, _ s: Float) -> Float {
    // cos 275° and sin 275°.
    let (cos275, sin275): (Float, Float) = (0.08715574, -0.9961947)
    let along = c * cos275 + s * sin275
    let across = s * cos275 - c * sin275
    // Half the angle to 275° is at most 48° where s is below 0.
    let half = LaneMath.arcTangent(s < 0 ? across / (1 + along) : 0)
    // 2 half / 25° squared; log₂ e.
    let scale = Float(2 * 180 / 3.14159265358979 / 25)
    let bell = LaneMath.exp2(-(half * scale) * (half * scale) * 1.44269504)
    let turn = LaneMath.sine(Float(60 * 3.14159265358979 / 180) * bell)
    return s < 0 ? turn : 0
  }
}
