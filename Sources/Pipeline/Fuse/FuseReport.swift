public import ImageCore

/// What fusing a shot settled on and found.
public struct FuseReport: Sendable, Hashable, Encodable {
  /// The full-resolution frame.
  public var detail: String
  /// The frames whose light was merged.
  public var base: [String]
  /// The frame whose moment the merged light shows.
  public var reference: String
  /// `fused`, or why the result is the merged light alone.
  public var decision: FusionReport.Decision
  /// ``decision`` in words, with the figures it rests on.
  public var reason: String
  /// Pixels of the result to photosites of the full-resolution frame, along a side: `17/24`.
  public var ratio: String
  /// Light at the full-resolution frame's white level, in units of the merged light's white level.
  public var lightAtWhite: Double
  /// The same by the files' exposure facts; `nil` when they are incomplete.
  public var recordedLightAtWhite: Double?
  /// Whether the full-resolution frame shows more than its clusters' means; `nil` when it is no quad mosaic.
  public var resolution: ResolutionProbe?
  /// Files that record no noise; theirs was estimated from the pixels.
  public var noiseEstimated: [String]
  /// Noise of the result: variance of red, green and blue light relative to full scale, on even surfaces.
  public var noise: NoiseProfile?
  /// Noise of the merged light as found in its pixels; `nil` when there is nothing quiet to find it in.
  public var baseNoise: NoiseProfile?
  /// Registration, gains, and shares of detail, clipping and motion.
  public var fusion: FusionReport
}

extension FusionReport {
  /// The decision in words.
  var reason: String {
    func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
    let noise = "noise of the detail frame at 24MP \(rounded(detailNoise)) codes of 255"
    return switch decision {
    case .fused: "\(noise), up to \(rounded(noiseLimit)) fuses"
    case .tooDark: "too little light for detail: \(noise), more than \(rounded(noiseLimit)); the result has 12MP"
    case .noDetail:
      "the detail frame shows no more than the base frames: it has \(Int(((sharpness ?? 0) * 100).rounded())) % of their contrast at middle frequencies (blurred, or enlarged from fewer pixels); the result has 12MP"
    case .differentScenes: "the frames show different scenes (similarity \(rounded(registration.similarity)))"
    case .asked: "the gate is closed, as asked; the result has 12MP"
    }
  }
}
