/// What a fusion makes.
public struct FusionResult: Sendable {
  /// Linear camera RGB on the detail frame's grid, in the composite's units: `levels` say which count is 0 and 1.
  public let pixels: Image<RGB<UInt16>>
  /// Black and white of ``pixels``, one a plane.
  public let levels: SensorLevels
  /// Noise of the result on even surfaces: variance of red, green and blue light, which is correlated between neighbours.
  public let noise: NoiseProfile
  /// How much of the detail frame is in each part, one pixel every 8 of the result: 0 the composite alone, 255 all.
  public let sourceMap: Image<UInt8>
  /// Where one source alone was used because things moved, one pixel every 8 of the detail frame: 0 no, 255 fully.
  public let ghostMap: Image<UInt8>
  /// What was settled and found.
  public let report: FusionReport
}

/// What a fusion settled on and found.
public struct FusionReport: Sendable, Hashable, Codable {
  /// Where the result's pixels come from.
  public enum Decision: String, Sendable, Hashable, Codable {
    /// Both pictures were merged.
    case fused
    /// The composite was enlarged: the detail frame has too little light (its noise exceeds ``noiseLimit``).
    case tooDark
    /// The composite was enlarged: the detail frame is less sharp than the composite (see ``sharpness``), by blur or
    /// because it was enlarged itself.
    case noDetail
    /// The composite was enlarged: the two pictures do not show one scene.
    case differentScenes
    /// The composite was enlarged as the options asked.
    case asked
  }

  /// How the composite lies on the detail frame.
  public struct Registration: Sendable, Hashable, Codable {
    /// Where the composite is found, in its pixels.
    public var motion = SimilarityMotion.identity
    /// Correlation of gradients with the motion undone, -1...1.
    public var similarity = 1.0
    /// Mean and largest step that tiles make beyond the motion of the whole, pixels of the composite.
    public var meanDeviation = 0.0
    /// The largest.
    public var largestDeviation = 0.0
    /// Expected error of a tile's place from noise and structure, root mean square, pixels of the composite.
    public var error = 0.0

    /// In register.
    public init() {}
  }

  /// Columns and rows of the detail frame, the composite and the result.
  public var detailSize: PixelSize
  /// Of the composite.
  public var compositeSize: PixelSize
  /// Of the result.
  public var size: PixelSize
  /// Result pixels for each `ratioDenominator` pixels of the detail frame.
  public var ratioNumerator: Int
  /// See ``ratioNumerator``.
  public var ratioDenominator: Int
  /// Where the pixels come from.
  public var decision: Decision
  /// Noise of the detail frame at the result's size, brightness of mid-grey, in codes of 255 of the square root of
  /// light whose white is the detail frame's.
  public var detailNoise: Double
  /// The same for the enlarged composite.
  public var compositeNoise: Double
  /// The most of ``detailNoise`` that fuses.
  public var noiseLimit: Double
  /// How the pictures lie on each other.
  public var registration: Registration
  /// Contrast of the detail frame over the composite's at a sixth of a cycle a composite pixel, 1 when the frame has all
  /// that the composite has; `nil` when too little of the scene has structure.
  public var sharpness: Double?
  /// Light of the detail frame over the composite's, beyond what exposures say: the whole picture's.
  public var gains: RGBTriple
  /// Smallest and largest gain of any zone and colour.
  public var smallestGain: Double
  /// The largest.
  public var largestGain: Double
  /// Share of the result that the detail frame could not serve because it was saturated, 0...1.
  public var clippedShare: Double
  /// Share that moved, 0...1.
  public var ghostShare: Double
  /// Mean of the source map, 0...1.
  public var detailShare: Double
}
