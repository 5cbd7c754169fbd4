/// How much care is spent on finding the colours that photosites did not measure.
public enum DemosaicQuality: String, Sendable, Hashable, Codable, CaseIterable {
  /// The least time.
  case fast
  /// ``DirectionalDemosaic`` for Bayer patterns, ``WeightedMeanDemosaic`` for any other.
  case balanced
  /// The closest to the truth.
  case best
}
