public import CaptureModel
public import Develop

/// Speed or quality: the capture model's word, which chooses here what no other key chooses.
public typealias PhotoQualityPrioritization = CaptureModel.PhotoQualityPrioritization

extension PhotoQualityPrioritization {
  /// The demosaic it asks for.
  public var demosaic: DemosaicQuality {
    switch self {
    case .speed: .fast
    case .balanced: .balanced
    case .quality: .best
    }
  }
}
