import ImageCore
import Pipeline

struct SelfTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "selftest", abstract: "Run every stage on built-in captures; compare with the bits and bounds it promises.",
    discussion:
      "Whole-number stages must give the same bytes on every machine, for any number of threads; their digests are printed. The others must stay within a bound. Exit code 0 when all do, else 1.",
    examples: [
      ("duo-process selftest", "about a second"), ("duo-process selftest --json --jobs 7", "one JSON object a line"),
      ("duo-process selftest --only bin --only orient", "stages whose names begin so"),
    ])

  @Options(value: "PREFIX", help: "Only stages whose names begin so. May be repeated.") var only: [String]
  @Flag(help: "Print one JSON object a line for each stage.") var json: Bool
  @Flag(help: "Print names and digests alone, as they stand in the source.") var digests: Bool
  @OptionGroup var common: CommonOptions

  func validate() throws(UsageError) {
    try common.check()
    if let unknown = only.first(where: { prefix in !SelfTest.stageNames.contains { $0.hasPrefix(prefix) } }) {
      throw UsageError("no stage begins with “\(unknown)”; they are \(SelfTest.stageNames.joined(separator: ", "))")
    }
  }

  func run() -> Int32 {
    let resources = Resources(workers: Workers(count: common.threadCount), pool: MemoryPool())
    let passed = SelfTest(spoolFolder: .spoolFolder).run(only, resources: resources) { result in
      if digests {
        if let digest = result.digest, result.expected != nil {
          Terminal.print("    \"\(result.stage)\": \"\(digest)\",\n")
        }
      } else if json {
        Terminal.print(RunReporter.line(result) + "\n")
      } else if !common.quiet || !result.passed {
        Terminal.print(Self.text(result))
      }
    }
    return (passed ? ExitStatus.success : .someFailed).rawValue
  }

  private static let column = 30

  private static func text(_ result: SelfTest.Result) -> String {
    var line = (result.passed ? "ok    " : "FAIL  ") + result.stage
    line += String(repeating: " ", count: max(1, column - result.stage.count))
    line += result.digest ?? "-"
    if let expected = result.expected, !result.passed { line += " expected \(expected)" }
    if let value = result.value, let limit = result.limit, let unit = result.unit {
      line += "  \(Float(value)) (limit \(Float(limit))) \(unit)"
    }
    if let message = result.message { line += "  \(message)" }
    return line + "\n"
  }
}
