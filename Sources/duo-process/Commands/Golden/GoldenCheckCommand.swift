import Pipeline
import TIFFTags

struct GoldenCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "golden check", abstract: "Make every case anew and hold it against its golden: same, changed or failed.",
    discussion:
      "Exit codes: 0 every case is the same or within its grade, 1 some case failed, 2 the suite could not be run. A missing golden, input or decoder fails its case; nothing is ever recorded here.",
    examples: [
      ("duo-process golden check suite.json", "a table; 0 when all is well"),
      ("duo-process golden check suite.json --output out/ --report out/index.html", "keep candidates, look at them"),
      ("duo-process golden check suite.json bin-mean wide --json", "two cases, as JSON Lines"),
      ("duo-process golden check suite.json --junit results.xml --jobs 8", "on a build server"),
      ("duo-process golden check suite.json --tool ./other-build/duo-process", "another build against these goldens"),
    ])

  @OptionGroup var golden: GoldenArguments
  @Option(short: "o", value: "DIR", help: "Keep the candidates here, for golden approve; else they are thrown away.")
  var output: FilePath?
  @Option(value: "FILE", help: "Write an HTML page of all cases, to look at differences.") var report: FilePath?
  @Option(value: "FILE", help: "Write the results as JUnit XML.") var junit: FilePath?
  @OptionGroup var tool: GoldenToolOptions
  @OptionGroup var common: CommonOptions

  func validate() throws(UsageError) {
    try golden.check()
    try common.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      let suite = try golden.suite()
      let cases = try golden.cases(of: suite)
      let temporary = output == nil ? try WorkFolder() : nil
      let check = try GoldenCheck(
        suite, tool: try tool.resolve(), candidates: output ?? temporary?.path ?? FilePath("."),
        jobs: common.threadCount)
      let printer = GoldenPrinter("golden check", json: golden.json, common: common, total: cases.count)
      let results = check.run(cases) { printer.finished($0) }
      if let junit { try GoldenJUnit.write(results, suite: suite.name, to: junit) }
      if let report { try GoldenPage(suite: suite.name, tool: check.version, results: results).write(to: report) }
      withExtendedLifetime(temporary) {}
      return printer.summary(results)
    } catch { return GoldenArguments.cannotRun("golden check", error) }
  }
}
