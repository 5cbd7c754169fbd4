import Pipeline
import Synchronization

/// Says what became of each stage of each shot.
final class WatchReporter: Sendable {
  private struct State {
    var seen: Set<Int> = []
    var done = 0
    var failed = 0
  }

  private let command: String
  private let json: Bool
  private let verbose: Bool
  private let progress: ProgressStyle
  private let state = Mutex(State())

  init(command: String, options: WatchRunOptions) {
    self.command = command
    json = options.json
    verbose = options.common.verbose
    progress = options.common.progress
  }

  func finished(_ report: ShotReport) {
    let job = report.job
    let path = Terminal.oneLine(job.path)
    if job.status == .failed {
      Terminal.print(error: "duo-process \(command): \(path): \(job.message ?? "failed")\n")
    } else if let warning = job.result?.warning, report.stage != "final" {
      Terminal.print(error: "duo-process \(command): \(path): warning: \(warning)\n")
    }
    if json {
      Terminal.print(RunReporter.line(report) + "\n")
    } else if verbose && job.status != .failed {
      let output = Terminal.oneLine(job.output ?? "-")
      Terminal.print(error: "\(path) → \(output) (\(report.stage), \(job.status.rawValue))\n")
    }
    step(report)
  }

  /// The number of shots is not known beforehand: those seen so far stand for it.
  private func step(_ report: ShotReport) {
    let now = state.withLock { state in
      state.seen.insert(report.shot)
      if report.job.status == .failed { state.failed += 1 }
      if report.stage != "proxy" || report.job.status == .failed { state.done += 1 }
      return (done: state.done, failed: state.failed, total: state.seen.count)
    }
    switch progress {
    case .plain: Terminal.print(error: "\(now.done)/\(now.total)\n")
    case .json:
      Terminal.print(error: "{\"done\":\(now.done),\"failed\":\(now.failed),\"total\":\(now.total)}\n")
    case .auto, .none: break
    }
  }
}
