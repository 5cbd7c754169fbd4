/// What a view and its camera are set to at a moment.
public struct SessionState: Sendable, Hashable {
  /// How the device is held.
  public let posture: Posture
  /// The display of the photographer's view.
  public let view: Display
  /// What the coordinator of each visible display reports.
  public let directions: [Display: DirectionMap]
  /// The camera that streams: physical.
  public let camera: CameraDescriptor
  /// Where it points, relative to the view.
  public let direction: Direction
  /// Whether its preview is mirrored.
  public let isMirrored: Bool
  /// Keeps the preview level, clockwise.
  public let previewAngle: QuarterTurn
  /// Keeps the capture level, clockwise.
  public let captureAngle: QuarterTurn
}

/// One line of a replay.
public struct TimelineEntry: Sendable, Hashable {
  /// Since the session's start.
  public let time: Duration
  /// What happened.
  public let event: Event

  /// The kinds of line.
  public enum Event: Sendable, Hashable {
    /// Directions, camera, mirroring or angles are now these.
    case state(SessionState)
    case readiness(CaptureReadiness)
    /// A shutter press that was not heard.
    case pressIgnored(CaptureReadiness)
    case callback(ShotCallback, shot: Int)
    /// The final of a shot that was delivered as a proxy.
    case final(shot: Int)
  }
}

/// One photo of a replay.
public struct ShotRecord: Sendable, Hashable {
  /// Counts from 1.
  public let number: Int
  /// When the shutter was pressed.
  public let pressed: Duration
  /// What it became.
  public let resolved: ResolvedPhotoSettings
  /// What view and camera were set to.
  public let state: SessionState
  /// Whether a proxy was delivered first.
  public let isDeferred: Bool
  /// When the photo or its proxy was delivered.
  public internal(set) var delivered: Duration?
  /// When the final of a proxy was delivered.
  public internal(set) var finalDelivered: Duration?
  /// When the next press would have been heard.
  public internal(set) var readyAgain: Duration?
}

/// What became of a script.
public struct SessionTimeline: Sendable, Hashable {
  /// In order of time.
  public internal(set) var entries: [TimelineEntry] = []
  /// In order of presses.
  public internal(set) var shots: [ShotRecord] = []
  /// Presses that were not heard.
  public internal(set) var ignoredPresses = 0

  /// From each press to the moment when the next would have been heard.
  public var shotToShotTimes: [Duration] { shots.compactMap { shot in shot.readyAgain.map { $0 - shot.pressed } } }
}
