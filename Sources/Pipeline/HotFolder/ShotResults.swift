import CaptureModel
import Synchronization

/// What came out so far: hands reports on one at a time, and learns how long shots take.
final class ShotResults: Sendable {
  private struct State {
    var failures: [Int: ExitStatus] = [:]
    var seen: Set<Int> = []
    var times = ProcessingTimes()
    var kind: ProcessingTimes.Key?
    var prepared: PreparedMemory?
  }

  private let state = Mutex(State())
  private let deliver: @Sendable (ShotReport) -> Void
  private let order = Monitor()

  init(_ deliver: @escaping @Sendable (ShotReport) -> Void) { self.deliver = deliver }

  /// Hands a report on.
  func deliver(_ report: ShotReport) {
    state.withLock { state in
      state.seen.insert(report.shot)
      state.failures[report.shot] =
        report.job.status == .failed ? ExitStatus(rawValue: report.job.code) ?? .badData : nil
    }
    order.withLock { deliver(report) }
  }

  /// The exit code of the run.
  var status: ExitStatus {
    state.withLock { state in
      ExitStatus.of(failures: state.failures.sorted { $0.key < $1.key }.map(\.value), among: state.seen.count)
    }
  }

  // MARK: times

  func begin(with times: ProcessingTimes) { state.withLock { $0.times = times } }
  func expect(_ kind: ProcessingTimes.Key) { state.withLock { $0.kind = kind } }

  func learn(_ kind: ProcessingTimes.Key, seconds: Double) {
    state.withLock { state in
      state.times.record(seconds: seconds, for: kind)
      state.kind = kind
    }
  }

  /// What a shot of the last kind took; `nil` before the first.
  func range(expected settings: ShotSettings) -> ReadinessReport.TimeRange? {
    state.withLock { state in
      guard let kind = state.kind else { return nil }
      let key = ProcessingTimes.Key(
        size: settings.recipe.photoSize ?? kind.size, prioritization: settings.prioritization)
      return ReadinessReport.TimeRange(state.times, key) ?? ReadinessReport.TimeRange(state.times, kind)
    }
  }

  /// The longest that a shot at the quality asked for took.
  func longest(_ settings: ShotSettings) -> Duration? {
    range(expected: settings).map { .seconds($0.longest) }
  }

  // MARK: memory

  func prepare(_ memory: PreparedMemory) { state.withLock { $0.prepared = memory } }
  var preparedBytes: Int { state.withLock { $0.prepared?.bytes ?? 0 } }
  /// Whether memory for a shot of a kind was set aside.
  func usePrepared(_ kind: ProcessingTimes.Key) -> Bool { state.withLock { $0.prepared?.use(kind) ?? false } }
}
