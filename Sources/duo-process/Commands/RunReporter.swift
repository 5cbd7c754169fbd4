import FoundationEssentials
import Pipeline

/// Says what became of each input: errors on standard error, reports as JSON Lines.
final class RunReporter: Sendable {
  private let command: String
  private let json: Bool
  private let jsonDescriptor: Int32
  private let verbose: Bool
  private let isRehearsal: Bool
  private let progress: ProgressLine

  init(command: String, options: RunOptions, total: Int, toStandardOutput: Bool) {
    self.command = command
    json = options.json
    jsonDescriptor = toStandardOutput ? 2 : 1
    verbose = options.common.verbose
    isRehearsal = options.dryRun
    progress = ProgressLine(options.common.progress, total: total, quiet: options.common.quiet)
  }

  func finished(_ report: JobReport) {
    progress.clear()
    let path = Terminal.oneLine(report.path)
    let output = Terminal.oneLine(report.output ?? "-")
    if report.status == .failed {
      // A reader that went away has all it wanted.
      if report.code == ExitStatus.brokenPipe.rawValue { return }
      Terminal.print(error: "duo-process \(command): \(path): \(report.message ?? "failed")\n")
    } else if let warning = report.result?.warning {
      Terminal.print(error: "duo-process \(command): \(path): warning: \(warning)\n")
    }
    if let again = report.again {
      Terminal.print(error: "duo-process \(command): \(path): \(output) \(again); it is made again\n")
    }
    if json {
      Terminal.write(Self.line(report) + "\n", to: jsonDescriptor)
    } else if isRehearsal && report.status != .failed {
      let note = report.status == .planned ? "" : " (\(report.status.rawValue))"
      Terminal.write("\(path) → \(report.chain) → \(output)\(note)\n", to: jsonDescriptor)
    } else if verbose && report.status != .failed {
      Terminal.print(error: "\(path) → \(output) (\(report.status.rawValue))\n")
    }
    progress.step(failed: report.status == .failed)
  }

  static func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension ParsableCommand {
  /// Prints a failure that concerns the whole run.
  static func fail(_ failure: JobFailure) -> Int32 {
    if failure.status != .brokenPipe {
      Terminal.print(error: "duo-process \(configuration.name): \(failure.message)\n")
    }
    return failure.status.rawValue
  }
}
