import CaptureModel

/// What the lanes of a hot folder hand to each other. The journal has all of it too; this is only the order.
final class ShotQueue: @unchecked Sendable {
  /// A group and how often it was tried.
  struct Job: Sendable {
    var group: ShotGroup
    var attempt = 1
  }

  /// A group that is read.
  struct Captured: Sendable {
    var job: Job
    var stage: ProcessingStage
    /// Bytes that the memory gate let in.
    var memory: Int
  }

  /// Shots that may be unfinished when the next is read: the one whose processing is overlapped (the capture model's
  /// rule of responsive capture).
  private static let overlap = 1
  /// Waits shorter than this are felt as none, seconds: as in the model's replay.
  private static let momentary = 0.1

  private let monitor = Monitor()
  private let isDeferred: Bool
  /// Lanes that make proxies.
  private let proxyLanes: Int
  private let idleAfter: Double
  /// Called, with the lock held, when there may be something for the folder's own thread to do.
  private let wake: @Sendable () -> Void

  private var arrivals: [Job] = []
  private var captured: [Captured] = []
  private var finals: [Job] = []
  private var loose: [QueuedShot] = []
  private var retries: [(job: Job, stage: QueuedShot.Stage, due: Double)] = []
  private var reading = 0
  private var processing = 0
  private var finishing = 0
  private var isRunning = false
  private var isClosed = false
  private var areFinalsWanted = false
  private var lastBusy = Moment.now()
  private var readTime = 0.0
  private var changes: [ReadinessReport] = []
  private var lastReadiness: CaptureReadiness?
  private var end: (status: ExitStatus, failure: JobFailure?)?

  init(isDeferred: Bool, proxyLanes: Int, idleAfter: Double, wake: @escaping @Sendable () -> Void) {
    self.isDeferred = isDeferred
    self.proxyLanes = proxyLanes
    self.idleAfter = idleAfter
    self.wake = wake
  }

  // MARK: filling

  func add(_ group: ShotGroup) { change { arrivals.append(Job(group: group)) } }
  /// Takes a shot that may belong to a bracket: the folder's thread groups it.
  func addLoose(_ shot: QueuedShot) { change { loose.append(shot) } }
  /// Takes a group that is complete: to be finished when its proxy was delivered, else to be made.
  func addGrouped(_ group: ShotGroup) {
    change {
      if group.leader.state == .proxied {
        finals.append(Job(group: group))
      } else {
        arrivals.append(Job(group: group))
      }
    }
  }

  /// Tries again after a while.
  func retry(_ job: Job, _ stage: QueuedShot.Stage, after seconds: Double) {
    change { retries.append((Job(group: job.group, attempt: job.attempt + 1), stage, Moment.now() + seconds)) }
  }

  /// Lets those come again whose time is there.
  ///
  /// - Returns: when the next one is due, on the monotonic clock.
  func repeatDue() -> Double? {
    monitor.withLock {
      let now = Moment.now()
      let due = retries.filter { $0.due <= now }
      for retry in due { if retry.stage == .final { finals.append(retry.job) } else { arrivals.append(retry.job) } }
      retries.removeAll { $0.due <= now }
      if !due.isEmpty { monitor.broadcast() }
      return retries.map(\.due).min()
    }
  }

  /// Shots to be grouped that came since the last call.
  func takeLoose() -> [QueuedShot] {
    monitor.withLock {
      defer { loose = [] }
      return loose
    }
  }

  // MARK: lanes

  /// The next group to read, or to make a proxy of. Waits; `nil` when there will be none.
  func takeArrival() -> Job? {
    monitor.withLock {
      while true {
        if isClosed { return nil }
        let unfinished = captured.count + processing
        if !arrivals.isEmpty && (isDeferred || unfinished <= Self.overlap) {
          reading += 1
          let job = arrivals.removeFirst()
          changed()
          return job
        }
        monitor.wait()
      }
    }
  }

  /// A group was read, or could not be.
  func didRead(_ captured: Captured?, seconds: Double) {
    change {
      reading -= 1
      readTime = seconds
      if let captured { self.captured.append(captured) }
    }
  }

  /// The next group to process. Waits; `nil` when there will be none.
  func takeCaptured() -> Captured? {
    monitor.withLock {
      while true {
        if isClosed { return nil }
        if !captured.isEmpty {
          processing += 1
          let next = captured.removeFirst()
          changed()
          return next
        }
        monitor.wait()
      }
    }
  }

  func didProcess() { change { processing -= 1 } }

  /// The next final to make: when nothing has happened for a while, or when finals are wanted. Waits; `nil` when there
  /// will be none.
  func takeFinal() -> Job? {
    monitor.withLock {
      while true {
        if isClosed { return nil }
        guard !finals.isEmpty else {
          monitor.wait()
          continue
        }
        let isBusy = hasForeground
        let rest = lastBusy + idleAfter - Moment.now()
        if areFinalsWanted || (!isBusy && rest <= 0) {
          finishing += 1
          return finals.removeFirst()
        }
        monitor.wait(seconds: isBusy ? nil : rest)
      }
    }
  }

  func didFinish() {
    change(isBusy: false) {
      finishing -= 1
      if finals.isEmpty { areFinalsWanted = false }
    }
  }

  // MARK: state

  /// Whether a shot is waiting or under way; finals do not count.
  var isBusy: Bool { monitor.withLock { hasForeground || !loose.isEmpty } }
  /// Whether shots are read, processed or waiting for it.
  var isWorking: Bool { monitor.withLock { hasForeground } }
  /// Whether nothing at all is left to do.
  var isIdle: Bool {
    monitor.withLock {
      !hasForeground && finals.isEmpty && finishing == 0 && retries.isEmpty && loose.isEmpty
    }
  }

  private var hasForeground: Bool { !arrivals.isEmpty || reading > 0 || !captured.isEmpty || processing > 0 }

  /// The exit code of a run that was stopped.
  var stopped: ExitStatus? { monitor.withLock { end?.status } }
  /// Why it was stopped, when something failed.
  var failure: JobFailure? { monitor.withLock { end?.failure } }

  func wantFinals() { change(isBusy: false) { areFinalsWanted = true } }
  func start() { change { isRunning = true } }

  /// Nothing new is begun; what is under way is finished. The first reason counts.
  func stop(_ status: ExitStatus, because failure: JobFailure? = nil) {
    change {
      if end == nil { end = (status, failure) }
      isClosed = true
      isRunning = false
    }
  }

  /// The same when all is done.
  func close() {
    change {
      isClosed = true
      isRunning = false
    }
  }

  /// Lines of readiness since the last call.
  func takeChanges() -> [ReadinessReport] {
    monitor.withLock {
      defer { changes = [] }
      return changes
    }
  }

  // MARK: inside

  @discardableResult
  private func change<Result>(isBusy: Bool = true, _ body: () -> Result) -> Result {
    monitor.withLock {
      let result = body()
      if isBusy { lastBusy = Moment.now() }
      changed()
      monitor.broadcast()
      return result
    }
  }

  private func changed() {
    let now = readiness
    if now != lastReadiness {
      lastReadiness = now
      var report = ReadinessReport(readiness: now.caseName)
      report.waiting = arrivals.count
      report.processing = reading + captured.count + processing
      report.deferred = finals.count + finishing
      changes.append(report)
    }
    wake()
  }

  private var readiness: CaptureReadiness {
    guard isRunning else { return .sessionNotRunning }
    if isDeferred {
      let open = reading + arrivals.count
      return open < proxyLanes ? .ready : open == proxyLanes ? .notReadyMomentarily : .notReadyWaitingForProcessing
    }
    if captured.count + processing > Self.overlap { return .notReadyWaitingForProcessing }
    guard reading > 0 else { return arrivals.isEmpty ? .ready : .notReadyMomentarily }
    return readTime <= Self.momentary && readTime > 0 ? .notReadyMomentarily : .notReadyWaitingForCapture
  }
}
