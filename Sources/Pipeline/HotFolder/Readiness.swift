public import CaptureModel

extension CaptureReadiness {
  /// The name that AVFoundation gives it.
  public var caseName: String {
    switch self {
    case .ready: "ready"
    case .notReadyMomentarily: "notReadyMomentarily"
    case .notReadyWaitingForCapture: "notReadyWaitingForCapture"
    case .notReadyWaitingForProcessing: "notReadyWaitingForProcessing"
    case .sessionNotRunning: "sessionNotRunning"
    }
  }
}

/// Whether the next file would be taken at once: one line each time it changes.
public struct ReadinessReport: Sendable, Hashable, Encodable {
  /// The name that AVFoundation gives the state.
  public var readiness: String
  /// Shots that nobody has begun.
  public var waiting = 0
  /// Shots under way.
  public var processing = 0
  /// Shots that were delivered as proxies and wait for their finals.
  public var deferred = 0
  /// How long a shot takes to be made, learnt from past ones; `nil` when there were none.
  public var processingTime: TimeRange?
  /// Bytes that are set aside for coming shots.
  public var preparedBytes = 0

  /// From the shortest to the longest of the last runs, seconds.
  public struct TimeRange: Sendable, Hashable, Encodable {
    /// The size made.
    public let size: PhotoSize
    /// The prioritization used.
    public let prioritization: PhotoQualityPrioritization
    /// The shortest.
    public let shortest: Double
    /// The longest.
    public let longest: Double

    /// `nil` when nothing was learnt of the kind.
    public init?(_ times: ProcessingTimes, _ key: ProcessingTimes.Key) {
      guard let range = times.photoProcessingTimeRange(for: key) else { return nil }
      (size, prioritization) = (key.size, key.prioritization)
      (shortest, longest) = (range.lowerBound, range.upperBound)
    }
  }
}
