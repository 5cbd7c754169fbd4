/// The domain that pictures are merged in: for each colour, the square root of white-balanced light plus an offset, so
/// that photon and read noise are alike at every brightness and both sources are bent alike.
///
/// Light below minus the offset has a negative root. Codes are roots times ``codes``, as 16-bit integers.
/// - Source: Anscombe 1948, "The transformation of Poisson, binomial and negative-binomial data".
struct FusionDomain: Sendable, Hashable {
  /// Added to white-balanced light.
  let offset: Float
  /// White-balanced light = camera light × these.
  let balance: SIMD4<Float>
  let inverseBalance: SIMD4<Float>
  /// Codes of a root of 1.
  let codes: Float

  /// Codes that stay free for light beyond white.
  private static let largestCode: Float = 32_000
  /// Light beyond white that keeps its code, relative to white: overshoot of resampling.
  private static let headroom: Float = 1.25

  /// - Parameters:
  ///   - neutral: camera values of grey.
  ///   - offset: read noise over photon noise, in units of white-balanced composite light.
  init(neutral: RGBTriple, offset: Double) {
    let gains = [1 / neutral.red, 1 / neutral.green, 1 / neutral.blue].map { Float($0) }
    let least = gains.min()!
    balance = SIMD4(gains[0] / least, gains[1] / least, gains[2] / least, 0)
    inverseBalance = SIMD4(1 / balance.x, 1 / balance.y, 1 / balance.z, 0)
    self.offset = Float(offset)
    codes = Self.largestCode / (balance.max() * Self.headroom + self.offset).squareRoot()
  }

  /// The root of white-balanced light.
  @inline(__always)
  func root(_ light: Float) -> Float {
    let v = light + offset
    let r = abs(v).squareRoot()
    return v < 0 ? -r : r
  }

  /// Part of the composite's white from which a sample counts as saturated. White-balanced light is 1 where the
  /// least amplified colour saturates: what is above it in other colours is no colour.
  static let saturated: Float = 0.99

  /// White-balanced light of a root.
  @inline(__always)
  func light(_ root: Float) -> Float { root * abs(root) - offset }

  /// The nearest code.
  @inline(__always)
  func code(_ root: Float) -> Int16 {
    let scaled = min(max(root * codes, -32_767), 32_767)
    return Int16(truncatingIfNeeded: WholeNumber.nearest(scaled))
  }
}

/// Rounding that compilers turn into lanes (conversions of the standard library check their range).
enum WholeNumber {
  /// 1.5 × 2²³: its last bit is 1, so that a sum with it has the nearest whole number in its lower bits.
  private static let shift: Float = 12_582_912

  /// The nearest whole number of a value within ±2²², ties to even.
  @inline(__always)
  static func nearest(_ value: Float) -> Int32 {
    Int32(truncatingIfNeeded: (value + shift).bitPattern) &- Int32(truncatingIfNeeded: shift.bitPattern)
  }
}
