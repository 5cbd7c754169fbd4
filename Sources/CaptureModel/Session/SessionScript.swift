/// Which camera is to stream.
public enum CameraChoice: Sendable, Hashable {
  /// The first camera that faces this way, whatever happens to the device.
  case facing(Direction)
  /// One camera; while it is covered, the first forward-facing one.
  case named(CameraDescriptor)
}

/// Something that happens to a session.
public struct SessionEvent: Sendable, Hashable {
  /// Since the session's start.
  public let time: Duration
  /// What happens.
  public let action: Action

  /// Something at a time.
  public init(_ time: Duration, _ action: Action) {
    self.time = time
    self.action = action
  }

  /// The kinds of event.
  public enum Action: Sendable, Hashable {
    case fold
    case unfold
    /// An open device is turned round; the view moves to the display that is now looked at.
    case flip
    /// The device is turned, as the person at the view sees it.
    case rotate(DeviceOrientation)
    /// The view moves to another display.
    case moveView(Display)
    case choose(CameraChoice)
    case light(SceneLight)
    case shutter(PhotoSize, PhotoQualityPrioritization)
    case stop
    case start
    /// Finals are wanted now, not only when the device is idle.
    case finish
  }
}

/// A session to replay: how it starts, what its stages take, what happens.
public struct SessionScript: Sendable, Hashable {
  /// How the device is held at first.
  public var posture = Posture.closed
  /// Where the view is at first; `nil` for the display that is looked at.
  public var view: Display?
  /// How the device is turned at first.
  public var orientation = DeviceOrientation.portrait
  /// Whether the interface stays as in portrait, or turns with the device.
  public var isInterfaceLocked = false
  /// Which camera streams.
  public var camera = CameraChoice.facing(.forward)
  /// What the session is set up for.
  public var preset = SessionPreset.photo
  /// The cap of every shot's prioritization.
  public var maxPrioritization = PhotoQualityPrioritization.quality
  /// What keeps it responsive.
  public var options: SessionOptions = []
  /// The light at first.
  public var light = SceneLight.bright
  /// Finals are made after nothing has happened for so long.
  public var idleAfter = Duration.seconds(1)
  /// What stages take.
  public var costs: [ProcessingTimes.Key: StageCost] = [:]
  /// In order of time.
  public var events: [SessionEvent] = []

  /// A closed device in portrait, nothing happens.
  public init() {}

  /// More events than this are taken for a mistake: an hour of ten a second.
  public static let mostEvents = 36_000

  func check() throws(CaptureError) {
    try options.check()
    guard events.count <= Self.mostEvents else {
      throw .tooManyEvents(found: events.count, limit: Self.mostEvents)
    }
    for index in events.indices.dropFirst() where events[index].time < events[index - 1].time {
      throw .eventOutOfOrder(index: index)
    }
  }
}
