import Glibc
import ImageCore
import TIFFTags

/// Delivers a shot: whole, on the disk, noted. The order of the steps is what makes a crash at any moment harmless.
struct ShotWriter: Sendable {
  let places: HotFolderPlaces
  let journal: Journal
  let existing: ExistingOutput
  let recipe: Recipe

  /// Makes a picture and delivers it.
  ///
  /// - Parameter make: writes the picture into an open file.
  /// - Returns: a report: written, skipped or failed. What it says is noted already, except a failure, which the caller
  ///   may try again.
  /// - Throws: when the journal cannot be written: nothing more can be done then.
  func deliver(
    _ group: ShotGroup, as stage: QueuedShot.Stage, chain: String, make: (Int32) throws(JobFailure) -> ChainResult
  ) throws(JobFailure) -> ShotReport {
    let shot = group.leader
    let output = stage == .proxy ? places.proxy(of: shot) : places.picture(of: shot)
    var report = report(shot, stage, chain, output)
    let policy: ExistingOutput
    switch policyFor(shot, stage) {
    case .write(let found): policy = found
    case .skip:
      try settle(group, as: .skipped)
      report.job.status = .skipped
      return report
    case .refuse(let failure):
      report.job = report.job.failed(failure)
      return report
    }
    let digest: String
    do throws(JobFailure) {
      try output.folder.makeFolder()
      let file = try AtomicFile(output, existing: policy)
      let result = try make(file.descriptor)
      guard let sum = FileDigest.sha256(of: file.descriptor) else {
        throw JobFailure(.ioError, "\(output.string) cannot be read back: \(String(cString: strerror(errno)))")
      }
      digest = sum
      report.job.result = result
      report.job.recipe.output.format = stage == .proxy ? .jpeg : recipe.output.format
      report.job.outputSHA256 = digest
      try journal.announce(stage, of: shot, digest: digest)
      try file.commit()
    } catch {
      report.job = report.job.failed(error)
      return report
    }
    output.folder.flushFolder()
    try settle(group, as: stage == .proxy ? .proxied : .done)
    report.job.status = .written
    report.latency = max(0, Moment.wall() - latest(group))
    report.job.peakMemory = Batch.peakMemory()
    return report
  }

  /// Notes what was delivered, and takes away the proxies that a final replaces.
  func settle(_ group: ShotGroup, as state: QueuedShot.State) throws(JobFailure) {
    if state != .proxied {
      for shot in group.shots { places.proxy(of: shot).withCString { _ = unlink($0) } }
    }
    try journal.settle(group.leader, as: state)
  }

  /// A report that says nothing yet.
  func report(_ shot: QueuedShot, _ stage: QueuedShot.Stage, _ chain: String, _ output: FilePath) -> ShotReport {
    ShotReport(
      shot: shot.id, stage: stage.rawValue,
      job: JobReport(
        path: places.source(of: shot).string, status: .failed, code: 0, message: nil, chain: chain,
        output: output.string, outputSHA256: nil, recipe: recipe, result: nil, peakMemory: nil),
      latency: max(0, Moment.wall() - shot.arrived))
  }

  private func latest(_ group: ShotGroup) -> Double { group.shots.map(\.arrived).max() ?? 0 }

  private enum Policy {
    case write(ExistingOutput)
    case skip
    case refuse(JobFailure)
  }

  /// What a picture that is there already means. One that this shot left there before its file was replaced is ours.
  private func policyFor(_ shot: QueuedShot, _ stage: QueuedShot.Stage) -> Policy {
    let picture = places.picture(of: shot)
    guard picture.exists else {
      return .write(stage == .proxy ? .overwrite : existing == .overwrite ? .overwrite : .refuse)
    }
    if let digest = shot.digest, picture.digest == digest { return .write(.overwrite) }
    switch existing {
    case .overwrite: return .write(.overwrite)
    case .skip: return .skip
    case .refuse: return .refuse(JobFailure(.cannotCreate, picture.refusal))
    }
  }
}

extension FilePath {
  /// SHA-256 of a file; `nil` when it cannot be read.
  var digest: String? {
    let descriptor = withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return FileDigest.sha256(of: descriptor)
  }
}
