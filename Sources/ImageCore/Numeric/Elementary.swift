/// Logarithm, exponential and power of Doubles from + − × ÷ alone, so that tables have the same bits on every CPU.
///
/// The C library's versions differ in the last bit between CPUs with and without fused multiply-add.
public enum Elementary {
  /// Natural logarithm of 2.
  static let ln2 = 0.693147180559945309417232

  /// The base-2 logarithm of a normal number above 0: exponent plus the atanh series of the significand.
  public static func log2(_ value: Double) -> Double {
    var exponent = Double(value.exponent)
    var significand = value.significand
    if significand > 1.4142135623730951 {
      significand /= 2
      exponent += 1
    }
    let z = (significand - 1) / (significand + 1)
    let square = z * z
    // |z| < 0.172: the term of z^25 is below 2^-64.
    var sum = 0.0
    for degree in stride(from: 25, through: 1, by: -2) { sum = sum * square + 1 / Double(degree) }
    return exponent + 2 * z * sum / ln2
  }

  /// 2 to the power of a number between -1000 and 1000: Taylor series about the nearest integer.
  public static func exp2(_ value: Double) -> Double {
    let whole = value.rounded()
    let x = (value - whole) * ln2
    // |x| < 0.35: the term of x^15 is below 2^-60.
    var sum = 1.0
    for degree in stride(from: 15, through: 1, by: -1) { sum = 1 + x * sum / Double(degree) }
    return Double(sign: .plus, exponent: Int(whole), significand: 1) * sum
  }

  /// `base` to the power of `exponent` for bases of 0 and above.
  public static func power(_ base: Double, _ exponent: Double) -> Double {
    base <= 0 ? 0 : exp2(exponent * log2(base))
  }
}
