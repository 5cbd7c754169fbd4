import Synchronization

/// Hands results on in input order, whatever order they come in.
final class OrderedDelivery: Sendable {
  private struct State {
    var waiting: [Int: JobReport] = [:]
    var next = 0
    var failures: [ExitStatus] = []
  }

  private let state = Mutex(State())
  private let deliver: @Sendable (JobReport) -> Void

  init(_ deliver: @escaping @Sendable (JobReport) -> Void) { self.deliver = deliver }

  func put(_ report: JobReport, at index: Int) {
    state.withLock { state in
      state.waiting[index] = report
      while let ready = state.waiting.removeValue(forKey: state.next) {
        if ready.status == .failed { state.failures.append(ExitStatus(rawValue: ready.code) ?? .badData) }
        state.next += 1
        deliver(ready)
      }
    }
  }

  var status: ExitStatus {
    state.withLock { ExitStatus.of(failures: $0.failures, among: $0.next) }
  }
}
