/// Elementary functions from sums and products alone, so that synthetic pixels have the same bits on every machine.
///
/// The C library's versions differ between systems in the last bit. Errors here stay below about 1e-13, relative
/// for the exponential, absolute for the others.
enum ExactMath {
  static let ln2 = 0.693147180559945309417

  /// The sine of an angle in turns: `sin(2πt)`.
  static func sine(turns t: Double) -> Double {
    var r = t - t.rounded(.toNearestOrEven)
    if r > 0.25 { r = 0.5 - r } else if r < -0.25 { r = -0.5 - r }
    let a = r * 6.28318530717958647693
    let q = a * a
    // Taylor: -a³/3! + a⁵/5! …, innermost term 1/17!.
    var s = 1.0 / 355_687_428_096_000
    s = s * q - 1.0 / 1_307_674_368_000
    s = s * q + 1.0 / 6_227_020_800
    s = s * q - 1.0 / 39_916_800
    s = s * q + 1.0 / 362_880
    s = s * q - 1.0 / 5040
    s = s * q + 1.0 / 120
    s = s * q - 1.0 / 6
    return a + a * q * s
  }

  /// The cosine of an angle in turns: `cos(2πt)`.
  static func cosine(turns t: Double) -> Double { sine(turns: t + 0.25) }

  /// Two to the power `x`; exact for whole `x`.
  static func exp2(_ x: Double) -> Double {
    if x < -1000 { return 0 }
    let whole = min(x, 1000).rounded(.toNearestOrEven)
    let a = (min(x, 1000) - whole) * ln2
    var s = 1.0 / 6_227_020_800
    s = s * a + 1.0 / 479_001_600
    s = s * a + 1.0 / 39_916_800
    s = s * a + 1.0 / 3_628_800
    s = s * a + 1.0 / 362_880
    s = s * a + 1.0 / 40320
    s = s * a + 1.0 / 5040
    s = s * a + 1.0 / 720
    s = s * a + 1.0 / 120
    s = s * a + 1.0 / 24
    s = s * a + 1.0 / 6
    s = s * a + 0.5
    s = s * a + 1
    s = s * a + 1
    return s * Double(bitPattern: UInt64(Int(whole) + 1023) << 52)
  }

  static func exp(_ x: Double) -> Double { exp2(x * (1 / ln2)) }

  /// The natural logarithm of a positive normal number.
  static func log(_ x: Double) -> Double {
    let bits = x.bitPattern
    var exponent = Int(bits >> 52) - 1023
    var m = Double(bitPattern: (bits & 0xF_FFFF_FFFF_FFFF) | (1023 << 52))
    if m > 1.41421356237309504880 {
      m *= 0.5
      exponent += 1
    }
    let t = (m - 1) / (m + 1)
    let q = t * t
    var s = 1.0 / 19
    s = s * q + 1.0 / 17
    s = s * q + 1.0 / 15
    s = s * q + 1.0 / 13
    s = s * q + 1.0 / 11
    s = s * q + 1.0 / 9
    s = s * q + 1.0 / 7
    s = s * q + 1.0 / 5
    s = s * q + 1.0 / 3
    return 2 * (t + t * q * s) + Double(exponent) * ln2
  }

  /// `x` to the power `y`, for `x` above 0.
  static func pow(_ x: Double, _ y: Double) -> Double { exp(log(x) * y) }
}
