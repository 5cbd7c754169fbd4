/// How much light there is, as far as it decides a size.
public struct SceneLight: Sendable, Hashable, Codable {
  /// Noise of linear samples `x` (black 0, saturation 1): variance `slope · x + offset`, as a DNG's NoiseProfile.
  public struct Noise: Sendable, Hashable, Codable {
    /// Shot noise.
    public let slope: Double
    /// Read noise.
    public let offset: Double
    /// Noise of these two parts.
    public init(slope: Double, offset: Double) { (self.slope, self.offset) = (slope, offset) }
  }

  /// ISO speed.
  public var iso: Double
  /// Seconds; `nil` when unknown.
  public var exposureTime: Double?
  /// Measured at full resolution; `nil` to derive it from the ISO speed.
  public var noise: Noise?

  /// Light of these measures.
  public init(iso: Double, exposureTime: Double? = nil, noise: Noise? = nil) {
    self.iso = iso
    self.exposureTime = exposureTime
    self.noise = noise
  }

  /// Daylight.
  public static let bright = SceneLight(iso: 100)

  /// The grey that exposure is metered for, as a share of saturation (ISO 2720).
  private static let middleGrey = 0.18
  /// Electrons at saturation of one photosite of a quad sensor (about 1.2 µm) at ISO 100: typical of such sensors.
  private static let fullWell = 6000.0
  /// Signal to noise of an acceptable picture (ISO 12232, noise-based speed).
  private static let acceptableSNR = 10.0
  /// The longest time a hand holds a 24 mm equivalent still enough for single photosites: 1/24 s by the reciprocal
  /// rule, and three stops of stabilisation, seconds.
  private static let longestHandHeld = 8.0 / 24.0

  /// Signal to noise of one photosite in middle grey.
  public var fullResolutionSNR: Double {
    if let noise {
      let variance = noise.slope * Self.middleGrey + noise.offset
      return variance > 0 ? Self.middleGrey / variance.squareRoot() : .infinity
    }
    return (Self.middleGrey * Self.fullWell * 100 / max(1, iso)).squareRoot()
  }

  /// Why a full-resolution frame would show no more than a binned one; `nil` when it would.
  public var lowLight: LowLight? {
    if fullResolutionSNR < Self.acceptableSNR { return .noise }
    if let exposureTime, exposureTime > Self.longestHandHeld { return .motion }
    return nil
  }

  /// What is wrong with the light.
  public enum LowLight: String, Sendable, Hashable, Codable {
    /// Single photosites are too noisy.
    case noise
    /// The exposure is too long for single photosites to be sharp.
    case motion
  }
}
