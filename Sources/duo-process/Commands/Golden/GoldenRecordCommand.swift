import Pipeline
import TIFFTags

struct GoldenRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "golden record", abstract: "Write the goldens that are missing, with where they come from.",
    discussion:
      "Goldens that are there are kept; they change through golden approve alone. Recorded cases have not passed: golden check says what has. Exit codes: 0 every case is recorded or kept, 1 some could not be recorded, 2 the suite could not be run.",
    examples: [
      ("duo-process golden record suite.json", "all that are missing"),
      ("duo-process golden record suite.json wide", "one"),
      (
        "duo-process golden record suite.json --update --candidates out/",
        "write goldens anew, of approved results only"
      ),
    ])

  @OptionGroup var golden: GoldenArguments
  @Flag(help: "Write goldens that exist anew (their provenance too) when the result is what was approved.")
  var update: Bool
  @Option(value: "DIR", help: "Where golden check left the candidates that were approved; for --update.")
  var candidates: FilePath?
  @OptionGroup var tool: GoldenToolOptions
  @OptionGroup var common: CommonOptions

  func validate() throws(UsageError) {
    try golden.check()
    try common.check()
    if update != (candidates != nil) {
      throw UsageError("--update and --candidates belong together: only what was approved replaces a golden")
    }
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      let suite = try golden.suite()
      let cases = try golden.cases(of: suite)
      let temporary = try WorkFolder()
      let recorder = try GoldenRecorder(
        suite, tool: try tool.resolve(), existing: candidates.map { .update(approvedIn: $0) } ?? .keep,
        workFolder: temporary.path, jobs: common.threadCount)
      let printer = GoldenPrinter("golden record", json: golden.json, common: common, total: cases.count)
      let results = recorder.run(cases) { printer.finished($0) }
      withExtendedLifetime(temporary) {}
      return printer.summary(results)
    } catch { return GoldenArguments.cannotRun("golden record", error) }
  }
}
