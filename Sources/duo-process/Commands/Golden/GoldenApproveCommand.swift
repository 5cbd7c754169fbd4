import Pipeline
import TIFFTags

struct GoldenApproveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "golden approve", abstract: "Make candidates that a check has seen the goldens.",
    discussion:
      "Only the very bytes that golden check --output compared are taken, and only while golden, case and inputs are what it saw. Cases are named one by one. Exit codes: 0 all were approved, 1 some were not, 2 the suite could not be read.",
    examples: [
      ("duo-process golden check suite.json --output out/ --report out/index.html", "first: check, and look"),
      ("duo-process golden approve suite.json wide bin-sum --candidates out/", "then: these two are meant"),
    ])

  @OptionGroup var golden: GoldenArguments
  @Option(value: "DIR", help: "Where golden check --output left the candidates.") var candidates: FilePath

  func validate() throws(UsageError) {
    try golden.check()
    if golden.names.isEmpty { throw UsageError("name the cases that are approved, one by one") }
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      let suite = try golden.suite()
      let approval = GoldenApproval(suite, candidates: candidates)
      var isComplete = true
      for item in try golden.cases(of: suite) {
        do throws(JobFailure) {
          try approval.approve(item)
          report(item, "approved", nil)
        } catch {
          isComplete = false
          Terminal.print(error: "duo-process golden approve: \(item.name): \(error.message)\n")
          report(item, "refused", error)
        }
      }
      return (isComplete ? ExitStatus.success : .someFailed).rawValue
    } catch { return GoldenArguments.cannotRun("golden approve", error) }
  }

  private func report(_ item: GoldenCase, _ status: String, _ failure: JobFailure?) {
    guard golden.json else {
      if failure == nil { Terminal.print("\(status)  \(item.name)\n") }
      return
    }
    let line: [String: JSONValue] = [
      "case": .string(item.name), "verdict": .string(status), "code": .number(failure == nil ? 0 : 1),
      "reasons": .array(failure.map { [.string($0.message)] } ?? []),
    ]
    Terminal.print(RunReporter.line(JSONValue.object(line)) + "\n")
  }
}
