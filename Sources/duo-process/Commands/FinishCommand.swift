import Pipeline
import TIFFTags

struct FinishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "finish", abstract: "All finals of a hot folder's deferred shots, now.",
    discussion:
      "DIR is the output of a watch. When that still runs, it is asked to make the finals and is waited for; else they are made here. Every shot becomes what the options of its watch said.",
    examples: [
      ("duo-process finish out/", "after a day of watch --deferred"),
      ("duo-process finish out/ --retry-failed --json", "failed shots too, with a report"),
    ])

  @Arguments(value: "DIR", help: "The output folder of a watch.") var folders: [FilePath]
  @OptionGroup var options: WatchRunOptions

  func validate() throws(UsageError) {
    guard folders.count == 1 else { throw UsageError("finish takes one folder, got \(folders.count)") }
    try options.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      let request = try FinishRequest(output: folders[0])
      if try request.isWatched(), try request.askAndWait() { return try request.status().rawValue }
      guard let settings = try request.settings() else { return ExitStatus.success.rawValue }
      var hot = options.options(input: try request.input(), output: folders[0], settings: settings)
      hot.idleExit = 0
      return try Self.run(hot, watches: false, readiness: nil, options).rawValue
    } catch { return Self.fail(error) }
  }
}
