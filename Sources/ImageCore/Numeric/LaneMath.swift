internal import CVector

/// Elementary functions of Floats without branches, from + − × ÷ and bit patterns: loops over them become vector code,
/// and their bits are the same on every CPU. Exact versions of Doubles are in ``Elementary``.
enum LaneMath {
  /// 1.5 · 2²³: a Float added to it is rounded to a whole number, which is then the low bits of the sum.
  private static let roundingOffset: Float = 12_582_912
  private static let exponentBias: UInt32 = 127
  private static let ln2 = Float(0.693147180559945309417232)

  /// The base-2 logarithm of a normal number above 0; error below 2e-7 or half a unit of the exponent's last place.
  @inline(__always)
  static func log2(_ value: Float) -> Float {
    // The exponent is taken so that the significand lies in 1/√2 ..< √2.
    let rootHalf: UInt32 = 0x3F35_04F3
    let bits = value.bitPattern &- rootHalf
    let exponent = Float(Int32(truncatingIfNeeded: bits) >> 23)
    let significand = Float(bitPattern: (bits & 0x007F_FFFF) &+ rootHalf)
    let z = (significand - 1) / (significand + 1)
    let q = z * z
    // atanh: |z| < 0.172, the next term is below 4e-10. Coefficients are 2 / ((2k + 1) ln 2).
    var s: Float = 0.32059889
    s = s * q + 0.41219858
    s = s * q + 0.57707802
    s = s * q + 0.96179669
    return exponent + z * (s * q + 2.88539008)
  }

  /// 2 to the power of a number, -126...126 (beyond: as at the ends); relative error below 2e-7.
  @inline(__always)
  static func exp2(_ value: Float) -> Float {
    let low: Float = value < -126 ? -126 : value
    let x: Float = low > 126 ? 126 : low
    let shifted = x + roundingOffset
    let a = (x - (shifted - roundingOffset)) * ln2
    // Taylor: |a| < 0.347, the next term is below 6e-9.
    var s: Float = 1.0 / 5040
    s = s * a + 1.0 / 720
    s = s * a + 1.0 / 120
    s = s * a + 1.0 / 24
    s = s * a + 1.0 / 6
    s = s * a + 0.5
    s = s * a + 1
    s = s * a + 1
    return s * Float(bitPattern: (shifted.bitPattern &+ exponentBias) &<< 23)
  }

  /// A power of a base of 0 and above; bases below 1e-30 count as 1e-30.
  @inline(__always)
  static func power(_ base: Float, _ exponent: Float) -> Float {
    let smallest: Float = 1e-30
    return exp2(exponent * log2(base > smallest ? base : smallest))
  }

  /// The cube root of a normal number above 0; relative error below 2e-7. Without divisions, which take the longest.
  @inline(__always)
  static func cubeRoot(_ value: Float) -> Float {
    // A third of the bit pattern, taken off a constant, is one by the root within 3.5 percent (as Warren's "Hacker's
    // Delight", section 11.4, has it of the root itself; the constant is where the error is least)…
    var third = (value.bitPattern &>> 2) &+ (value.bitPattern &>> 4)
    third = third &+ (third &>> 4)
    third = third &+ (third &>> 8)
    let guess = Float(bitPattern: 0x54A2_0000 &- third)
    // …the series of (1 - miss)^(-1/3) brings it to 2e-5…
    let miss = 1 - value * (guess * guess * guess)
    let inverse = guess + guess * miss * (1.0 / 3 + miss * (2.0 / 9 + miss * (14.0 / 81)))
    // …and one of Newton's steps squares that.
    let square = inverse * inverse
    let root = value * square
    return root - (root * root * root - value) * square * (1.0 / 3)
  }

  /// The square root of a number of 0 and above, as IEEE 754 rounds it.
  @inline(__always)
  static func squareRoot(_ value: Float) -> Float { cv_root_f32(value) }

  /// The arc tangent of a number between -1.2 and 1.2 radians' tangents; error below 1e-5, near 0 far less.
  @inline(__always)
  static func arcTangent(_ value: Float) -> Float {
    // Half the angle first, so that the series converges.
    let t = value / (1 + squareRoot(1 + value * value))
    let q = t * t
    var s: Float = -1.0 / 11
    s = s * q + 1.0 / 9
    s = s * q - 1.0 / 7
    s = s * q + 1.0 / 5
    s = s * q - 1.0 / 3
    return 2 * (t + t * q * s)
  }

  /// The sine of an angle between -1.1 and 1.1 radians; error below 1e-7.
  @inline(__always)
  static func sine(_ angle: Float) -> Float {
    let q = angle * angle
    var s: Float = 1.0 / 362_880
    s = s * q - 1.0 / 5040
    s = s * q + 1.0 / 120
    s = s * q - 1.0 / 6
    return angle + angle * q * s
  }
}
