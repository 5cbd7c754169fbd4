/// How noise looks in the two pictures: even surfaces as the two chains render them.
///
/// The merge is calibrated by what comes out of the chains that made the pictures (sensor noise, demosaicing, averaging
/// of frames), not by a model of them.
public struct FusionNoiseSource: Sendable {
  /// A picture of the given size of an even surface of the given camera light, with noise.
  public typealias EvenSurface = @Sendable (_ light: RGBTriple, _ size: PixelSize) -> Image<RGB<Float>>

  /// Noise of the detail frame's photosites, in its own units: how far light is from its square root being as noisy
  /// everywhere.
  public var profile: NoiseProfile
  /// Light and picture in the detail frame's units; sizes are multiples of 4, about 480 x 480.
  public var detail: EvenSurface
  /// The same for the composite, in its units, about 240 x 240.
  public var composite: EvenSurface

  /// - Parameters: see the properties.
  public init(profile: NoiseProfile, detail: @escaping EvenSurface, composite: @escaping EvenSurface) {
    (self.profile, self.detail, self.composite) = (profile, detail, composite)
  }

  /// For pictures whose chains are not at hand: independent noise at every pixel and colour, by profiles of the
  /// pictures themselves (after demosaicing).
  public static func independent(detail: NoiseProfile, composite: NoiseProfile) -> FusionNoiseSource {
    FusionNoiseSource(
      profile: detail, detail: { Self.noisy($0, $1, detail, seed: 1) },
      composite: { Self.noisy($0, $1, composite, seed: 2) })
  }

  private static func noisy(
    _ light: RGBTriple, _ size: PixelSize, _ profile: NoiseProfile, seed: UInt64
  ) -> Image<RGB<Float>> {
    var deviates = EvenNoise(seed: seed)
    let sigmas = (0..<3).map { c in
      Float(max(0, profile.plane(c).scale * light[c] + profile.plane(c).offset).squareRoot())
    }
    let means = (0..<3).map { Float(light[$0]) }
    return Image(size) { _, _ in
      RGB(
        means[0] + sigmas[0] * deviates.next(), means[1] + sigmas[1] * deviates.next(),
        means[2] + sigmas[2] * deviates.next())
    }
  }
}

/// Deviates of mean 0 and variance 1, nearly normal, for calibration: the sum of twelve even ones.
///
/// - Source: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators" (SplitMix).
public struct EvenNoise: Sendable {
  private var state: UInt64
  private static let parts = 12
  private static let unit: Float = 1 / 65536

  /// One sequence for each seed.
  public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  /// The next deviate, within ±6.
  public mutating func next() -> Float {
    var sum: Float = 0
    for _ in 0..<Self.parts / 4 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
      for part in 0..<4 { sum += Float(UInt16(truncatingIfNeeded: mixed >> UInt64(16 * part))) + 0.5 }
    }
    return sum * Self.unit - Float(Self.parts) / 2
  }
}
