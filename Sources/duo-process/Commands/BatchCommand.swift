import Pipeline
import TIFFTags

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "batch", abstract: "Folders of RAW files → a folder of pictures.",
    discussion:
      "What is no RAW in a folder (companion JPEGs, sidecars) is left alone and counted. One bad file does not stop the others.",
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
      let status = job.run(inputs)
      if let contactSheet, !options.dryRun { try job.writeContactSheet(contactSheet, of: inputs) }
      return status
    } catch { return Self.fail(error) }
  }
}
