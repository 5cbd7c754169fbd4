import Pipeline

/// Says what there is below `golden`.
struct GoldenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "golden", abstract: "Golden-image regression: pictures that must stay what they are.",
    discussion:
      "Commands: golden record, golden check, golden approve; each has --help. Documentation/golden.md describes suites, grades and verdicts.",
    examples: [
      ("duo-process golden record suite.json", "write the goldens that are missing"),
      ("duo-process golden check suite.json --report out.html", "hold every case against its golden"),
      ("duo-process golden approve suite.json wide --candidates out/", "a change is meant: make it the golden"),
    ])

  func run() -> Int32 { Self.fail(JobFailure(.usage, "name one of: golden record, golden check, golden approve")) }
}
