import Pipeline
import TIFFTags

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "batch", abstract: "Folders of RAW files → a folder of pictures.",
    discussion:
      "What is no RAW in a folder (companion JPEGs, sidecars) is left alone and counted. Exposure brackets become one picture each. One bad file does not stop the others.",
    examples: [
      ("duo-process batch shoot/ --recursive -o out/ --format jpeg", "everything below a folder"),
      ("duo-process batch shoot/ -o out/ --dry-run", "print what would be done"),
      ("duo-process batch shoot/ -o out/ --resume --json > report.jsonl", "go on after a stop, with a report"),
      ("find . -name '*.dng' -print0 | duo-process batch --files0-from - -o out/", "any list of files"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var render: RenderOptions
  @OptionGroup var geometry: GeometryOptions
  @OptionGroup var options: RunOptions
  @OptionGroup var merge: MergeArguments
  @Option(help: "Merge exposure brackets, found by time, camera and exposure, or develop each frame.") var brackets:
    BracketHandling = .merge
  @Option(value: "FILE", help: "Also write a JPEG with all results on one page.") var contactSheet: FilePath?

  func validate() throws(UsageError) {
    try options.check()
    try render.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      guard case .folder = output.destination else { throw JobFailure(.usage, "batch writes into a folder: -o DIR") }
      let job = try DevelopJob(
        command: "batch", input: input, output: output, render: render, geometry: geometry, options: options)
      let (inputs, leftAlone) = RawSelection.split(try input.collect())
      if leftAlone > 0 && !options.quiet {
        Terminal.print(error: "\(leftAlone) file\(leftAlone == 1 ? " is" : "s are") no RAW and left alone\n")
      }
      let found = brackets == .merge ? BracketScanner(raw: render.rawOptions).split(inputs) : ([], inputs)
      guard !found.0.isEmpty else {
        let status = job.run(inputs)
        if let contactSheet, !options.dryRun { try job.writeContactSheet(contactSheet, of: inputs) }
        return status
      }
      return try run(brackets: found.0, single: found.1, job)
    } catch { return Self.fail(error) }
  }

  /// Brackets first, then the rest; names are checked over both.
  private func run(brackets: [[Input]], single: [Input], _ job: DevelopJob) throws(JobFailure) -> Int32 {
    let results = brackets.map { $0[0] } + single
    try job.checkNames(of: results)
    if !options.quiet {
      let frames = brackets.reduce(0) { $0 + $1.count }
      Terminal.print(error: "\(frames) files are \(brackets.count) exposure brackets and are merged\n")
    }
    let chain = MergeChain(
      raw: render.rawOptions, merge: merge.options, develop: render.developOptions, geometry: geometry.choice,
      output: job.chain.output, software: DuoProcess.software)
    let merged = try MergeJob(command: "batch", output: output, options: options, chain: chain).run(brackets)
    let developed = single.isEmpty ? ExitStatus.success.rawValue : job.run(single)
    if let contactSheet, !options.dryRun { try job.writeContactSheet(contactSheet, of: results) }
    if merged == developed && (merged == ExitStatus.success.rawValue || single.isEmpty) { return merged }
    let (partly, success) = (ExitStatus.someFailed.rawValue, ExitStatus.success.rawValue)
    let allFailed = ![merged, developed].contains { $0 == success || $0 == partly }
    return single.isEmpty ? merged : allFailed ? ExitStatus.allFailed.rawValue : partly
  }
}

/// What `batch` does with exposure brackets.
enum BracketHandling: String, CaseIterable, ExpressibleByArgument {
  case merge, separate
}
