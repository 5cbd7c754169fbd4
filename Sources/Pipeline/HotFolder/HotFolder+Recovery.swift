import Glibc
import TIFFTags

extension HotFolder {
  /// Goes on where the last run ended: what was delivered but not noted is noted, everything else is queued.
  func recover() throws(JobFailure) {
    places.output.removeAbandonedParts()
    places.proxies.removeAbandonedParts()
    try journal.retry(all: options.retriesFailures)
    let frames = Dictionary(grouping: try journal.shots(.joined), by: { $0.leader ?? 0 })
    for shot in try journal.shots(.waiting, .proxied) {
      let followers = (frames[shot.id] ?? []).sorted { $0.name.lexicographicallyPrecedes($1.name) }
      let group = ShotGroup(leader: shot, followers: followers)
      switch try delivered(group) {
      case .photo, .final: continue
      case .proxy: queueProxied(group)
      case nil where shot.state == .proxied: queueProxied(group)
      case nil where options.isDeferred || !followers.isEmpty: queue.add(group)
      case nil: queue.addLoose(shot)
      }
    }
  }

  /// Goes on with a group whose proxy was delivered.
  func queueProxied(_ group: ShotGroup) {
    var leader = group.leader
    leader.state = .proxied
    if group.followers.isEmpty {
      queue.addLoose(leader)
    } else {
      queue.addGrouped(ShotGroup(leader: leader, followers: group.followers))
    }
  }

  /// The stage that had been delivered when the last run ended before it could note it; `nil` when none had.
  private func delivered(_ group: ShotGroup) throws(JobFailure) -> QueuedShot.Stage? {
    let shot = group.leader
    guard let stage = shot.pending, let announced = shot.announced else { return nil }
    let place = stage == .proxy ? places.proxy(of: shot) : places.picture(of: shot)
    guard place.digest == announced else { return nil }
    let settings = try journal.settings(shot.settings)
    let writer = ShotWriter(
      places: places, journal: journal, existing: options.existing, recipe: try settings.resolved())
    try writer.settle(group, as: stage == .proxy ? .proxied : .done)
    var report = writer.report(shot, stage, stage == .proxy ? "proxy" : "develop", place)
    report.job.status = .written
    report.job.outputSHA256 = announced
    report.isRecovered = true
    results.deliver(report)
    return stage
  }
}

extension FilePath {
  /// Removes what processes that are dead by now left half-written in a folder, where the file system has no nameless
  /// files; see ``AtomicFile``.
  func removeAbandonedParts() {
    guard let stream = withCString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name.first == UInt8(ascii: "."), let owner = Self.owner(ofPart: name), kill(owner, 0) != 0, errno == ESRCH
      else { continue }
      appending(name).withCString { _ = unlink($0) }
    }
  }

  /// The process in the name `.NAME.PID-NUMBER.part`; `nil` for other names.
  private static func owner(ofPart name: [UInt8]) -> pid_t? {
    let parts = name.split(separator: UInt8(ascii: "."))
    guard parts.count >= 3, parts.last.map({ Array($0) }) == Array("part".utf8) else { return nil }
    let numbers = parts[parts.count - 2].split(separator: UInt8(ascii: "-"))
    guard numbers.count == 2, UInt32(String(decoding: numbers[1], as: UTF8.self)) != nil else { return nil }
    return pid_t(String(decoding: numbers[0], as: UTF8.self))
  }
}
