/// How much care is spent on finding the colours that photosites did not measure.
///
/// A filter array for which a quality has no method of its own gets the next lower one; ``DevelopReport`` tells which.
public enum DemosaicQuality: String, Sendable, Hashable, Codable, CaseIterable {
  /// The least time: least-squares filters for Bayer and quad arrays.
  case fast
  /// ``DirectionalDemosaic`` for Bayer arrays, a trained network for quad arrays, ``WeightedMeanDemosaic`` for any
  /// other.
  case balanced
  /// The closest to the truth: a trained network for Bayer and quad arrays, then filters chosen by local structure.
  case best
}
