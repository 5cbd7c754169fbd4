public import ImageCore

/// A sensor, its exposure, and what stands between it and the scene.
public struct SensorRecipe: Sendable, Codable, Hashable {
  /// The filters the light passes, phased to the first stored photosite.
  public var cfa: CFAPattern = .rggb
  /// The pattern the photo claims to have; `nil` for the true one. For tests of files that lie.
  public var declaredCFA: CFAPattern? = nil
  /// Counts in darkness.
  public var black = 528
  /// Counts at saturation.
  public var white = 4095
  /// Sets the noise.
  public var iso = 100
  /// Stops relative to the scene's own brightness.
  public var exposureEV = 0.0
  /// Blur of the lens, standard deviation in pixels.
  public var blurSigma = 0.5
  /// Photon and read noise.
  public var hasNoise = true
  /// What makes the stored pixels upright.
  public var orientation = Orientation.up
  /// How far the picture moved to the right, in upright pixels.
  public var motionX = 0.0
  /// How far the picture moved down, in upright pixels.
  public var motionY = 0.0
  /// Noise of normalised samples; `nil` for that of ``iso``.
  public var noise: NoiseProfile.Plane? = nil
  /// The camera's name; `nil` for that of the filter array.
  public var model: String? = nil
  /// Makes the noise of one capture differ from another's.
  public var seed: UInt64 = 1

  /// A Bayer sensor of 12 bits at its base sensitivity.
  public init() {}
}

/// A photo and what a perfect camera would have seen.
public struct SyntheticCapture: Sendable {
  /// As if decoded from a file.
  public let photo: RawPhoto
  /// Upright, free of noise, linear sRGB after optics, motion and exposure; not clipped.
  public let truth: Image<RGB<Float>>
}
