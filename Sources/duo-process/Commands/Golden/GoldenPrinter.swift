import Pipeline

/// Says what became of each case: a table for people or JSON Lines.
final class GoldenPrinter: Sendable {
  private let command: String
  private let json: Bool
  private let quiet: Bool
  private let progress: ProgressLine
  private static let column = 9

  init(_ command: String, json: Bool, common: CommonOptions, total: Int) {
    self.command = command
    self.json = json
    quiet = common.quiet
    progress = ProgressLine(common.progress, total: total, quiet: common.quiet)
  }

  func finished(_ result: GoldenResult) {
    progress.clear()
    for warning in result.warnings where !quiet {
      Terminal.print(error: "duo-process \(command): \(result.item.name): warning: \(Terminal.oneLine(warning))\n")
    }
    if json {
      Terminal.print(RunReporter.line(result.json) + "\n")
    } else if !quiet || result.verdict.isFailure {
      Terminal.print(row(result))
    }
    progress.step(failed: result.verdict.isFailure)
  }

  /// Prints the last line.
  ///
  /// - Returns: the exit code.
  func summary(_ results: [GoldenResult]) -> Int32 {
    let summary = GoldenSummary(results)
    if !quiet { Terminal.print(error: "duo-process \(command): \(summary.text)\n") }
    return summary.status.rawValue
  }

  /// Verdict, name and reasons, a line each.
  private func row(_ result: GoldenResult) -> String {
    let verdict = result.verdict.isFailure ? result.verdict.rawValue.uppercased() : result.verdict.rawValue
    let pad = String(repeating: " ", count: max(1, Self.column - verdict.count))
    var lines = ["\(verdict)\(pad)\(result.item.name)"]
    lines += result.reasons.map { String(repeating: " ", count: Self.column + 2) + Terminal.oneLine($0) }
    return lines.joined(separator: "\n") + "\n"
  }
}
