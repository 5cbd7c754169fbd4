public import ImageCore

/// What merging settled on and found, for the log and the report. Frames are counted from 0 in the order given.
public struct MergeReport: Sendable, Hashable, Codable {
  /// One frame of the bracket.
  public struct Frame: Sendable, Hashable, Codable {
    /// Its place in the order given.
    public var index: Int
    /// Light gathered relative to the reference, from the pixels where that was possible.
    public var exposure: Double
    /// The same from the exposure facts of the files; `nil` when they are incomplete.
    public var recordedExposure: Double?
    /// Share of samples that are saturated.
    public var clippedShare: Double
    /// The level at which samples saturate, in parts of the white level that the file states.
    public var saturation: Double
    /// Noise of its samples: as recorded, else as found in the pixels.
    public var noise: NoiseProfile.Plane
    /// Motion of the picture's centre to the right relative to the reference, pixels.
    public var shiftX = 0.0
    /// The same downwards.
    public var shiftY = 0.0
    /// Clockwise turn relative to the reference, degrees.
    public var rotation = 0.0
    /// Similarity of structure to the reference, 0...1; `nil` when it was not looked at.
    public var similarity: Double?
    /// Share of the picture where this frame was left out because it disagrees with the reference.
    public var ghostShare = 0.0
  }

  /// From the shortest exposure to the longest.
  public var frames: [Frame]
  /// The frame that the result shows, counted from 0 in the order given.
  public var reference: Int
  /// Stops between the brightest light that the result can hold and the reference's saturation.
  public var headroom: Double
  /// Share of the picture where every frame is saturated.
  public var clippedShare: Double
  /// Share of the picture where some frame was left out because it disagrees with the reference.
  public var ghostShare: Double
  /// What the user ought to know.
  public var warnings: [String]
}
