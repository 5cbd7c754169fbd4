public import Develop

/// Speed or quality, where both cannot be had. It chooses what no other key chooses.
public enum PhotoQualityPrioritization: String, Sendable, Hashable, Codable, CaseIterable {
  case speed, balanced, quality

  /// The demosaic it asks for.
  public var demosaic: DemosaicQuality {
    switch self {
    case .speed: .fast
    case .balanced: .balanced
    case .quality: .best
    }
  }
}
