/// What keeps a session responsive.
public struct SessionOptions: OptionSet, Sendable, Hashable {
  /// One bit an option.
  public let rawValue: UInt8
  /// Options of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The next capture stage may overlap the previous processing stage.
  public static let responsiveCapture = SessionOptions(rawValue: 1 << 0)
  /// In a rapid series, quality becomes balanced so that the rate holds.
  public static let fastCapturePrioritization = SessionOptions(rawValue: 1 << 1)
  /// A lightly processed proxy at once, the final later.
  public static let deferredProcessing = SessionOptions(rawValue: 1 << 2)

  /// - Throws: fast-capture prioritization without responsive capture.
  public func check() throws(CaptureError) {
    if contains(.fastCapturePrioritization) && !contains(.responsiveCapture) {
      throw .fastCaptureNeedsResponsiveCapture
    }
  }

  /// Whether a shot is delivered as a proxy first: photos of several frames, and what a rapid series made balanced.
  public func defers(_ shot: ResolvedPhotoSettings) -> Bool {
    contains(.deferredProcessing)
      && (shot.frames.binned >= AvailableFrames.multiFrame || shot.reasons.contains(.fastCapture))
  }
}

/// Whether a shutter press will be heard.
public enum CaptureReadiness: String, Sendable, Hashable, Codable, CaseIterable {
  case ready
  /// For so short a time that the button need not change.
  case notReadyMomentarily = "not-ready-momentarily"
  /// Frames are being exposed and read out.
  case notReadyWaitingForCapture = "waiting-for-capture"
  /// Earlier photos are being processed.
  case notReadyWaitingForProcessing = "waiting-for-processing"
  case sessionNotRunning = "session-not-running"
}

/// What a shot reports, in this order; a shot has one of the two `did finish` of processing.
public enum ShotCallback: String, Sendable, Hashable, Codable, CaseIterable {
  case willBeginCapture = "will-begin-capture"
  case willCapture = "will-capture"
  case didCapture = "did-capture"
  case didFinishDeferredProxy = "did-finish-deferred-proxy"
  case didFinishProcessing = "did-finish-processing"
  case didFinishCapture = "did-finish-capture"
}

/// What the stages of one photo take.
public struct StageCost: Sendable, Hashable {
  /// Exposing and reading out all frames.
  public let capture: Duration
  /// From frames to the finished photo.
  public let processing: Duration
  /// From frames to the light proxy.
  public let proxy: Duration
  /// Fusing binned frames with one at full resolution, where a photo is made of both; it comes on top of processing.
  public let fusion: Duration

  /// Costs of these times.
  public init(capture: Duration, processing: Duration, proxy: Duration, fusion: Duration = .zero) {
    self.capture = capture
    self.processing = processing
    self.proxy = proxy
    self.fusion = fusion
  }

  /// From frames to the finished photo, with fusion where the shot is fused.
  public func finishing(_ shot: ResolvedPhotoSettings) -> Duration {
    shot.isFused ? processing + fusion : processing
  }
}
