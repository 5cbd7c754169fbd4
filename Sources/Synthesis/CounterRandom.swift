/// Random numbers that depend on a seed and a place, not on what was drawn elsewhere: threads cannot change them.
///
/// Philox4x32-10: ten rounds of multiplication and exclusive-or on a counter of 128 bits.
/// - Source: Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
public struct CounterRandom: Sendable {
  private let key: SIMD2<UInt32>
  private var counter: SIMD4<UInt32>
  private var block = SIMD4<UInt32>()
  private var used = 4

  /// The sequence of one place.
  ///
  /// - Parameters:
  ///   - seed: what makes one picture differ from another.
  ///   - stream: parts uses that share seed and place.
  public init(seed: UInt64, x: Int = 0, y: Int = 0, stream: UInt32 = 0) {
    key = SIMD2(UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
    counter = SIMD4(0, UInt32(truncatingIfNeeded: x), UInt32(truncatingIfNeeded: y), stream)
  }

  /// Four random words for a counter and a key.
  public static func philox(counter: SIMD4<UInt32>, key: SIMD2<UInt32>) -> SIMD4<UInt32> {
    var (c0, c1, c2, c3) = (counter.x, counter.y, counter.z, counter.w)
    var (k0, k1) = (key.x, key.y)
    for _ in 0..<10 {
      let a = UInt64(c0) &* 0xD251_1F53
      let b = UInt64(c2) &* 0xCD9E_8D57
      c0 = UInt32(truncatingIfNeeded: b >> 32) ^ c1 ^ k0
      c2 = UInt32(truncatingIfNeeded: a >> 32) ^ c3 ^ k1
      c1 = UInt32(truncatingIfNeeded: b)
      c3 = UInt32(truncatingIfNeeded: a)
      k0 = k0 &+ 0x9E37_79B9
      k1 = k1 &+ 0xBB67_AE85
    }
    return SIMD4(c0, c1, c2, c3)
  }

  /// The next 32 random bits.
  public mutating func next() -> UInt32 {
    if used == 4 {
      block = Self.philox(counter: counter, key: key)
      counter.x = counter.x &+ 1
      used = 0
    }
    defer { used += 1 }
    return block[used]
  }

  /// Evenly spread over the open interval from 0 to 1.
  public mutating func uniform() -> Double { (Double(next()) + 0.5) * (1 / 4_294_967_296) }

  /// Two independent numbers of mean 0 and variance 1 (Box–Muller).
  public mutating func normalPair() -> (Double, Double) {
    let radius = (-2 * ExactMath.log(uniform())).squareRoot()
    let turns = uniform()
    return (radius * ExactMath.cosine(turns: turns), radius * ExactMath.sine(turns: turns))
  }

  /// A number of mean 0 and variance 1.
  public mutating func normal() -> Double { normalPair().0 }

  /// A count of mean `mean`.
  ///
  /// Inversion for small means; from 30 on the Cornish–Fisher expansion, whose mean is exact and whose variance is
  /// off by less than 0.3 %.
  public mutating func poisson(_ mean: Double) -> Double {
    mean < Self.smallMean ? smallPoisson(mean) : Self.largePoisson(mean, normal: normal())
  }

  /// A count of mean `mean` plus an independent normal number, for one round of Philox where possible.
  mutating func poissonAndNormal(_ mean: Double) -> (count: Double, normal: Double) {
    let (first, second) = normalPair()
    return (mean < Self.smallMean ? smallPoisson(mean) : Self.largePoisson(mean, normal: first), second)
  }

  private static let smallMean = 30.0

  private mutating func smallPoisson(_ mean: Double) -> Double {
    if mean <= 0 { return 0 }
    let u = uniform()
    var term = ExactMath.exp(-mean)
    var sum = term
    var count = 0.0
    while u > sum && count < 200 {
      count += 1
      term *= mean / count
      sum += term
    }
    return count
  }

  private static func largePoisson(_ mean: Double, normal z: Double) -> Double {
    let root = mean.squareRoot()
    let value = mean + root * z + (z * z - 1) * (1 / 6.0) + (z - z * z * z) / (72 * root)
    return max(0, value.rounded(.toNearestOrEven))
  }
}
