import CaptureModel
import ImageCore
import TIFFTags

/// The threads that work on shots.
struct ShotLanes {
  private let lanes: [Lane]
  /// Memory of a pool that is kept unused, as a part of what may be used.
  private static let poolShare = 4

  /// Sets memory aside for coming shots and starts the threads.
  ///
  /// - Parameter prepared: the kind of coming shots; `nil` when nothing is known of them.
  init(_ folder: HotFolder, prepared kind: ProcessingTimes.Key?) {
    let options = folder.options
    let pool = MemoryPool(retainLimit: options.maxMemory / Self.poolShare)
    let prepared = try? PreparedMemory(
      kind, source: (try? folder.journal.noted("lastSource").text).flatMap { PhotoDimensions($0)?.size },
      mosaics: options.isDeferred ? options.jobs : 2, in: pool)
    if let prepared { folder.results.prepare(prepared) }
    let gate = MemoryGate(limit: options.maxMemory)
    let work = ShotWork(folder: folder, gate: gate)
    var lanes: [Lane] = []
    if options.isDeferred {
      let resources = Resources(workers: .serial, pool: pool)
      for _ in 0..<options.jobs { lanes.append(Lane { work.makeProxies(resources) }) }
    } else {
      let resources = Resources(workers: Workers(count: options.jobs), pool: pool)
      lanes.append(Lane { work.read(resources) })
      lanes.append(Lane { work.process(resources) })
    }
    // Finals of an earlier deferred run are made too. Threads and memory are their own.
    let own = Resources(workers: .serial, pool: MemoryPool(retainLimit: options.maxMemory / Self.poolShare))
    let niceness = folder.events == nil ? 0 : HotFolderOptions.niceness
    for _ in 0..<options.jobs { lanes.append(Lane(niceness: niceness) { work.makeFinals(own) }) }
    self.lanes = lanes
  }

  /// Waits until all have ended.
  func join() { for lane in lanes { lane.join() } }
}

/// What the threads do.
struct ShotWork: Sendable {
  let folder: HotFolder
  let gate: MemoryGate

  /// Reads one shot after the other.
  func read(_ resources: Resources) {
    while let job = folder.queue.takeArrival() {
      let began = Moment.now()
      guarded(nil) { () throws(JobFailure) in
        let chain: SituatedChain<BracketChain>
        do throws(JobFailure) {
          chain = try self.chain(for: job.group)
          let source = folder.places.source(of: job.group.leader)
          let memory = chain.expectedMemory(of: source)
          gate.enter(memory)
          do throws(JobFailure) {
            let stage = try chain.captured(source, resources: resources)
            let captured = ShotQueue.Captured(job: job, stage: stage, memory: memory)
            folder.queue.didRead(captured, seconds: Moment.now() - began)
          } catch {
            gate.leave(memory)
            throw error
          }
        } catch {
          let report = try writer(job.group).report(
            job.group.leader, .photo, "develop", folder.places.picture(of: job.group.leader))
          try fail(job, .photo, report, error)
          folder.queue.didRead(nil, seconds: Moment.now() - began)
        }
      }
    }
  }

  /// Makes pictures of what was read.
  func process(_ resources: Resources) {
    while let captured = folder.queue.takeCaptured() {
      guarded(folder.queue.didProcess) { () throws(JobFailure) in
        let group = captured.job.group
        defer { gate.leave(captured.memory) }
        try deliver(captured.job, .photo, chain: group.followers.isEmpty ? "develop" : "merge") {
          (descriptor) throws(JobFailure) in
          try captured.stage(descriptor, resources)
        }
      }
    }
  }

  /// Makes a proxy of one shot after the other.
  func makeProxies(_ resources: Resources) {
    while let job = folder.queue.takeArrival() {
      let began = Moment.now()
      guarded(nil) { () throws(JobFailure) in
        let source = folder.places.source(of: job.group.leader)
        let written = try deliver(job, .proxy, chain: "proxy") { (descriptor) throws(JobFailure) in
          let chain = try self.chain(for: job.group).situated(for: source)
          return try ProxyChain(final: chain.merge.develop).run(source, into: descriptor, resources: resources)
        }
        if written { folder.queueProxied(job.group) }
        folder.queue.didRead(nil, seconds: Moment.now() - began)
      }
    }
  }

  /// Makes finals of what was delivered as proxies.
  func makeFinals(_ resources: Resources) {
    while let job = folder.queue.takeFinal() {
      guarded(folder.queue.didFinish) { () throws(JobFailure) in
        let chain = try chain(for: job.group)
        let source = folder.places.source(of: job.group.leader)
        let memory = chain.expectedMemory(of: source)
        gate.enter(memory)
        defer { gate.leave(memory) }
        try deliver(job, .final, chain: chain.name) { (descriptor) throws(JobFailure) in
          try chain.run(source, into: descriptor, resources: resources)
        }
      }
    }
  }

  // MARK: steps

  /// A failure that is no shot's, but the journal's, ends the run.
  private func guarded(_ done: (() -> Void)?, _ body: () throws(JobFailure) -> Void) {
    do throws(JobFailure) { try body() } catch { folder.queue.stop(error.status, because: error) }
    done?()
  }

  private func settings(of shot: QueuedShot) throws(JobFailure) -> ShotSettings {
    let settings = try folder.journal.settings(shot.settings)
    return shot.isRapid ? settings.lowered() ?? settings : settings
  }

  private func chain(for group: ShotGroup) throws(JobFailure) -> SituatedChain<BracketChain> {
    let paths = group.shots.map(folder.places.source)
    let brackets = group.followers.isEmpty ? [:] : [paths[0]: paths]
    return try settings(of: group.leader).chain(brackets: brackets, software: folder.options.software)
  }

  private func writer(_ group: ShotGroup) throws(JobFailure) -> ShotWriter {
    ShotWriter(
      places: folder.places, journal: folder.journal, existing: folder.options.existing,
      recipe: try settings(of: group.leader).resolved())
  }

  /// Delivers, reports, learns.
  ///
  /// - Returns: whether a picture was written.
  @discardableResult private func deliver(
    _ job: ShotQueue.Job, _ stage: QueuedShot.Stage, chain: String, make: (Int32) throws(JobFailure) -> ChainResult
  ) throws(JobFailure) -> Bool {
    let (began, cpu) = (Moment.now(), Moment.ownCPU())
    var report = try writer(job.group).deliver(job.group, as: stage, chain: chain, make: make)
    if report.job.status == .failed {
      let failure = JobFailure(ExitStatus(rawValue: report.job.code) ?? .badData, report.job.message ?? "failed")
      try fail(job, stage, report, failure)
      return false
    }
    if stage != .photo { report.cpuSeconds = Moment.ownCPU() - cpu }
    report.attempt = job.attempt
    if job.group.leader.isRapid && stage == .photo { report.reasons = [.fastCapture] }
    if let result = report.job.result {
      let size = stage == .proxy ? result.sourceSize : result.size ?? result.sourceSize
      let kind = try settings(of: job.group.leader).kind(of: size)
      try learn(stage, kind, result, seconds: Moment.now() - began)
      report.isPrepared = stage != .final && folder.results.usePrepared(kind)
    }
    folder.results.deliver(report)
    return report.job.status == .written
  }

  private func learn(
    _ stage: QueuedShot.Stage, _ kind: ProcessingTimes.Key, _ result: ChainResult, seconds: Double
  ) throws(JobFailure) {
    try folder.journal.record(stage, kind, seconds: seconds)
    if stage == .proxy { return }
    folder.results.learn(kind, seconds: seconds)
    try folder.journal.note("lastSize", .text(kind.size.rawValue))
    try folder.journal.note("lastSource", .text("\(result.sourceSize)"))
  }

  /// Failures to write are tried again; all others are noted at once.
  private func fail(
    _ job: ShotQueue.Job, _ stage: QueuedShot.Stage, _ report: ShotReport, _ failure: JobFailure
  ) throws(JobFailure) {
    let delays = HotFolderOptions.retryDelays
    if failure.status == .ioError && job.attempt <= delays.count {
      folder.queue.retry(job, stage, after: delays[job.attempt - 1])
      return
    }
    try folder.journal.fail(job.group.leader, failure)
    var report = report
    report.attempt = job.attempt
    report.job = report.job.failed(failure)
    folder.results.deliver(report)
  }
}
