/// Replays a script: a capture unit, a processing unit and, when idle, a unit for deferred finals, in simulated time.
///
/// A press is heard when the session is ready. Without responsive capture that is when the photo before is finished;
/// with it, when the capture unit is free and at most one photo is unfinished. A series is rapid when presses follow each
/// other faster than a stage at the asked-for quality takes: the rate could not hold.
public struct SessionReplay {
  private let script: SessionScript
  private var timeline = SessionTimeline()
  private var now = Duration.zero
  private var context: SessionContext
  private var isRunning = true
  private var light: SceneLight
  private var capturing: Stage?
  private var processing: Stage?
  private var waiting: [Int] = []
  private var finals: [Int] = []
  private var finishing: Stage?
  private var finalsAreWanted = false
  private var lastBusy = Duration.zero
  private var series = RapidSeries()
  private var lastReadiness: CaptureReadiness?

  /// What a unit works on, and until when.
  private struct Stage {
    let shot: Int
    let end: Duration
  }

  /// Waits shorter than this are felt as none (Miller 1968, "Response time in man-computer conversational
  /// transactions", topic 1).
  private static let momentary = Duration.milliseconds(100)
  /// Photos that may be unfinished when a press is heard: the one whose processing is overlapped.
  private static let overlap = 1

  private init(_ script: SessionScript) throws(CaptureError) {
    self.script = script
    light = script.light
    context = try SessionContext(script)
  }

  /// - Throws: when the script breaks a rule: a request that is refused, a view that is covered, time running back.
  /// - Complexity: O(events + shots).
  public static func timeline(of script: SessionScript) throws(CaptureError) -> SessionTimeline {
    try script.check()
    var replay = try SessionReplay(script)
    replay.note(.state(try replay.context.state()))
    replay.noteReadiness()
    for (index, event) in script.events.enumerated() {
      try replay.advance(to: event.time)
      replay.now = event.time
      try replay.apply(event.action, index: index)
      replay.noteReadiness()
    }
    try replay.advance(to: nil)
    return replay.timeline
  }

  // MARK: what happens from outside

  private mutating func apply(_ action: SessionEvent.Action, index: Int) throws(CaptureError) {
    switch action {
    case .shutter(let size, let prioritization): try press(size, prioritization)
    case .light(let light): self.light = light
    case .stop: isRunning = false
    case .start: isRunning = true
    case .finish: finalsAreWanted = true
    default:
      let before = try context.state()
      try context.apply(action, index: index)
      let after = try context.state()
      if after != before { note(.state(after)) }
    }
  }

  private mutating func press(
    _ size: PhotoSize, _ prioritization: PhotoQualityPrioritization
  ) throws(CaptureError) {
    let state = try context.state()
    let number = timeline.shots.count + 1
    let settings = PhotoSettings(
      identifier: number, maxPhotoDimensions: size, photoQualityPrioritization: prioritization)
    let capability = PhotoCapability(
      camera: state.camera, preset: script.preset, maxPrioritization: script.maxPrioritization)
    try capability.check(settings)
    let gap = series.press(at: now)
    let readiness = readiness
    guard readiness == .ready else {
      timeline.ignoredPresses += 1
      note(.pressIgnored(readiness))
      return
    }
    var resolved = try ResolvedPhotoSettings(settings, capability: capability, light: light)
    var cost = try cost(of: resolved)
    let stage = max(cost.capture, script.options.defers(resolved) ? cost.proxy : cost.finishing(resolved))
    if script.options.contains(.fastCapturePrioritization), RapidSeries.isRapid(gap: gap, stage: stage) {
      resolved = try ResolvedPhotoSettings(settings, capability: capability, light: light, isRapid: true)
      cost = try self.cost(of: resolved)
    }
    timeline.shots.append(
      ShotRecord(
        number: number, pressed: now, resolved: resolved, state: state,
        isDeferred: script.options.defers(resolved)))
    note(.callback(.willBeginCapture, shot: number))
    note(.callback(.willCapture, shot: number))
    capturing = Stage(shot: number - 1, end: now + cost.capture)
    finalsAreWanted = false
  }

  private func cost(of resolved: ResolvedPhotoSettings) throws(CaptureError) -> StageCost {
    let key = ProcessingTimes.Key(size: resolved.size, prioritization: resolved.prioritization)
    guard let cost = script.costs[key] else {
      throw .missingCost(size: key.size, prioritization: key.prioritization)
    }
    return cost
  }

  // MARK: what happens by itself

  /// Lets stages end up to and including `time`; `nil` until nothing is left to do.
  private mutating func advance(to time: Duration?) throws(CaptureError) {
    while let next = nextMoment, time.map({ next <= $0 }) ?? true {
      now = next
      try step()
      noteReadiness()
    }
  }

  private var nextMoment: Duration? {
    [capturing?.end, processing?.end, finishing?.end, nextFinal].compactMap { $0 }.min()
  }

  /// When the next final is begun: at once when they are wanted, else when the device has been idle.
  private var nextFinal: Duration? {
    guard !finals.isEmpty, finishing == nil, capturing == nil, unfinished == 0 else { return nil }
    return finalsAreWanted ? now : max(now, lastBusy + script.idleAfter)
  }

  private mutating func step() throws(CaptureError) {
    if let stage = finishing, stage.end <= now {
      finishing = nil
      timeline.shots[stage.shot].finalDelivered = now
      note(.final(shot: stage.shot + 1))
    } else if let stage = processing, stage.end <= now {
      processing = nil
      deliver(stage.shot)
      try startProcessing()
    } else if let stage = capturing, stage.end <= now {
      capturing = nil
      note(.callback(.didCapture, shot: stage.shot + 1))
      waiting.append(stage.shot)
      try startProcessing()
    } else if nextFinal == now {
      let shot = finals.removeFirst()
      let resolved = timeline.shots[shot].resolved
      finishing = Stage(shot: shot, end: now + (try cost(of: resolved)).finishing(resolved))
    }
  }

  private mutating func startProcessing() throws(CaptureError) {
    guard processing == nil, let shot = waiting.first else { return }
    waiting.removeFirst()
    let record = timeline.shots[shot]
    let cost = try cost(of: record.resolved)
    processing = Stage(shot: shot, end: now + (record.isDeferred ? cost.proxy : cost.finishing(record.resolved)))
  }

  private mutating func deliver(_ shot: Int) {
    let isDeferred = timeline.shots[shot].isDeferred
    timeline.shots[shot].delivered = now
    note(.callback(isDeferred ? .didFinishDeferredProxy : .didFinishProcessing, shot: shot + 1))
    note(.callback(.didFinishCapture, shot: shot + 1))
    if isDeferred { finals.append(shot) }
    lastBusy = now
  }

  // MARK: readiness

  private var unfinished: Int { waiting.count + (processing == nil ? 0 : 1) }

  private var readiness: CaptureReadiness {
    guard isRunning else { return .sessionNotRunning }
    if let capturing {
      return capturing.end - now <= Self.momentary ? .notReadyMomentarily : .notReadyWaitingForCapture
    }
    let allowed = script.options.contains(.responsiveCapture) ? Self.overlap : 0
    return unfinished > allowed ? .notReadyWaitingForProcessing : .ready
  }

  private mutating func noteReadiness() {
    let readiness = readiness
    guard readiness != lastReadiness else { return }
    lastReadiness = readiness
    note(.readiness(readiness))
    if readiness == .ready, let last = timeline.shots.indices.last, timeline.shots[last].readyAgain == nil {
      timeline.shots[last].readyAgain = now
    }
  }

  private mutating func note(_ event: TimelineEntry.Event) {
    timeline.entries.append(TimelineEntry(time: now, event: event))
  }
}
