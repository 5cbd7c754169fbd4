import CaptureModel
import Glibc
import TIFFTags

/// What the thread of a hot folder does: follows the folder, groups what arrives, and queues it.
struct FolderLoop {
  let folder: HotFolder
  private let plan: OutputPlan
  /// The key of the settings of shots that arrive.
  private let settings: Int
  private var settling = Settling()
  private var assembly: ShotAssembly
  private var series = RapidSeries()
  /// What every file was when it was last seen, so that only changed ones are looked at.
  private var known: [[UInt8]: FileState] = [:]
  /// The shots by their outputs' names, as a file system sees them that ignores case.
  private var taken: [FoldedPath: Int] = [:]
  private var nextScan = 0.0
  private var nextLook = 0.0
  private var lastChange = Moment.now()
  /// Whether nobody waits for more frames or for idleness: all is to be finished now.
  private var isHurried: Bool

  /// Seconds between looks for what `finish` wishes.
  private static let lookInterval = 0.5
  /// Seconds between looks when no folder is watched, which would wake this thread.
  private static let idleInterval = 0.02
  /// Seconds between readings of the whole folder: network folders tell of nothing that happens elsewhere.
  private static let scanInterval = 2.0
  /// Reading the folder takes at most one part in so many of the time.
  private static let scanShare = 50.0

  init(_ folder: HotFolder) throws(JobFailure) {
    self.folder = folder
    let format = folder.options.settings.recipe.output.format ?? .jpeg
    plan = OutputPlan(
      destination: .folder(folder.places.output), template: folder.options.template, operation: "watch",
      fileExtension: format.fileExtension)
    _ = try plan.name(for: FilePath("any.dng"), sequence: 1)
    settings = try folder.journal.key(of: folder.options.settings)
    assembly = ShotAssembly(folder: folder.places.input)
    isHurried = folder.options.idleExit == 0
    for (id, output) in try folder.journal.outputs() {
      let name = FoldedPath(FilePath(bytes: output))
      taken[name] = taken[name] ?? id
    }
  }

  /// Runs until the folder is stopped or idle for long enough.
  mutating func run() throws(JobFailure) {
    while folder.queue.stopped == nil {
      try look()
      try scan()
      for (name, state) in settling.settled(in: folder.places.input) { try arrive(name, state, isLive: true) }
      try assemble()
      folder.tell()
      if isFinished { return }
      guard let events = folder.events else {
        usleep(UInt32(Self.idleInterval * 1e6))
        continue
      }
      let news = events.wait(seconds: pause)
      if news.isGone { throw gone }
      if news.isIncomplete { nextScan = 0 }
      for name in news.appeared { try consider(name) }
      for name in news.complete {
        settling.forget(name)
        try take(name)
      }
    }
  }

  private var gone: JobFailure {
    JobFailure(.noInput, "\(folder.places.input.string) was removed or moved away while it was watched")
  }

  /// Seconds until there is something to do without news.
  private var pause: Double {
    let now = Moment.now()
    var next = min(nextLook, nextScan)
    if !settling.isEmpty { next = min(next, now + Settling.interval) }
    if let closing = assembly.closing { next = min(next, closing) }
    if let due = folder.queue.repeatDue() { next = min(next, due) }
    if let idle = folder.options.idleExit { next = min(next, max(lastChange + idle, now + Self.idleInterval)) }
    return max(0, next - now)
  }

  private var isFinished: Bool {
    mutating get {
      _ = folder.queue.repeatDue()
      if !folder.queue.isIdle || !assembly.isEmpty || !settling.isEmpty { lastChange = Moment.now() }
      guard let idleExit = folder.options.idleExit else { return false }
      return folder.queue.isIdle && assembly.isEmpty && settling.isEmpty && Moment.now() - lastChange >= idleExit
    }
  }

  /// Whether somebody wishes for all finals now.
  private mutating func look() throws(JobFailure) {
    guard Moment.now() >= nextLook else { return }
    nextLook = Moment.now() + Self.lookInterval
    let isWished = try folder.journal.noted("finish").integer == 1
    isHurried = isWished || folder.options.idleExit == 0
    if isHurried && !folder.queue.isIdle { folder.queue.wantFinals() }
    if isWished && folder.queue.isIdle && assembly.isEmpty { try folder.journal.note("finish", .integer(0)) }
  }

  // MARK: arrivals

  /// Reads the whole folder: at the start, when names were lost, and now and then.
  private mutating func scan() throws(JobFailure) {
    let now = Moment.now()
    guard folder.events != nil, now >= nextScan else { return }
    // A removed folder is not announced as long as its lock keeps it open.
    guard folder.places.input.meansFolder else { throw gone }
    let isFirst = nextScan == 0 && known.isEmpty
    for input in try InputScanner().inputs(of: [folder.places.input]) {
      try consider(input.path.name, isLive: !isFirst)
    }
    nextScan = Moment.now() + max(Self.scanInterval, (Moment.now() - now) * Self.scanShare)
  }

  /// Takes a file that nobody said was complete, at once or when it has come to rest.
  private mutating func consider(_ name: [UInt8], isLive: Bool = true) throws(JobFailure) {
    guard let state = FileState(of: folder.places.input.appending(name)), known[name] != state else { return }
    if let settled = settling.consider(name, in: folder.places.input) { try arrive(name, settled, isLive: isLive) }
  }

  /// Takes a file that somebody closed after writing. Some programs make an empty file first and open it again to fill
  /// it: such a file has to come to rest.
  private mutating func take(_ name: [UInt8]) throws(JobFailure) {
    let path = folder.places.input.appending(name)
    guard let state = FileState(of: path) else { return }
    if state.size > 0, !path.isBeingWritten { return try arrive(name, state, isLive: true) }
    try consider(name)
  }

  /// Notes and queues a file that is complete.
  ///
  /// - Parameter isLive: whether it arrived just now; files that were there at the start are no series.
  private mutating func arrive(_ name: [UInt8], _ state: FileState, isLive: Bool) throws(JobFailure) {
    guard known.updateValue(state, forKey: name) != state else { return }
    let path = folder.places.input.appending(name)
    guard !InputSelection.raw.split([Input(path: path, isFromFolder: true)]).chosen.isEmpty else { return }
    lastChange = Moment.now()
    let arrival = Journal.Arrival(
      name: name, file: state, settings: settings, isRapid: isLive && isRapid(), arrived: Moment.wall())
    let (journal, plan) = (folder.journal, plan)
    let arrived = try journal.arrive(arrival) { (id) throws(JobFailure) in try plan.name(for: path, sequence: id) }
    guard let shot = arrived else { return }
    let output = FoldedPath(FilePath(bytes: shot.output))
    if let other = taken[output], other != shot.id {
      return try refuse(
        shot,
        "would become \(folder.places.picture(of: shot).string), which shot \(other) became; use --name with {name}")
    }
    taken[output] = shot.id
    if folder.options.isDeferred { folder.queue.add(ShotGroup(leader: shot)) } else { folder.queue.addLoose(shot) }
  }

  private mutating func isRapid() -> Bool {
    let gap = series.press(at: .seconds(Moment.now()))
    guard folder.lowered != nil else { return false }
    // Before anything is learnt: the last one is not finished, so its stage is longer than the gap.
    let stage = folder.results.longest(folder.options.settings) ?? (folder.queue.isBusy ? .seconds(Int.max) : nil)
    return RapidSeries.isRapid(gap: gap, stage: stage)
  }

  private func refuse(_ shot: QueuedShot, _ message: String) throws(JobFailure) {
    let failure = JobFailure(.cannotCreate, message)
    try folder.journal.fail(shot, failure)
    let writer = ShotWriter(
      places: folder.places, journal: folder.journal, existing: folder.options.existing,
      recipe: folder.options.settings.recipe)
    var report = writer.report(shot, .photo, "develop", folder.places.picture(of: shot))
    report.job = report.job.failed(failure)
    folder.results.deliver(report)
  }

  // MARK: groups

  /// Finds brackets among shots that are not grouped yet, and queues what is complete.
  private mutating func assemble() throws(JobFailure) {
    // Proxies end out of order, and a later frame would part the earlier ones of a bracket: all wait for the last.
    let isDeferred = folder.options.isDeferred
    let loose = isDeferred && folder.queue.isWorking ? [] : folder.queue.takeLoose().sorted { $0.id < $1.id }
    for shot in loose {
      for group in assembly.add(shot, try folder.journal.settings(shot.settings)) { try queue(group) }
    }
    let isComplete = isHurried && settling.isEmpty && !(isDeferred && folder.queue.isBusy)
    for group in assembly.due(everything: isComplete) { try queue(group) }
  }

  private func queue(_ group: ShotGroup) throws(JobFailure) {
    if !group.followers.isEmpty { try folder.journal.join(group) }
    folder.queue.addGrouped(group)
  }
}
