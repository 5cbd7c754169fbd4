import Pipeline
import TIFFTags

/// What `watch` and `finish` share.
struct WatchRunOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @Option(value: "SIZE", help: "Memory for files under way together (512M, 4G); half of the machine's unless given.")
  var maxMemory: ByteCount?
  @Flag(help: "Replace outputs that exist.") var overwrite: Bool
  @Flag(help: "Leave outputs that exist and count them as done.") var skipExisting: Bool
  @Flag(help: "Try failed shots anew; without it only those that could not be written.") var retryFailed: Bool
  @Flag(help: "Print one JSON object a line for each stage of each shot.") var json: Bool

  func check() throws(UsageError) {
    try common.check()
    if overwrite && skipExisting { throw UsageError("--overwrite and --skip-existing exclude each other") }
  }

  /// The options of a hot folder.
  func options(input: FilePath, output: FilePath, settings: ShotSettings) -> HotFolderOptions {
    var options = HotFolderOptions(
      input: input, output: output, settings: settings,
      maxMemory: maxMemory?.bytes ?? RunOptions.halfOfMemory, software: DuoProcess.software)
    options.existing = overwrite ? .overwrite : skipExisting ? .skip : .refuse
    options.retriesFailures = retryFailed
    options.jobs = common.threadCount
    return options
  }
}

/// Where readiness is told.
enum ReadinessArgument: ExpressibleByArgument {
  case standardError
  case socket(FilePath)

  init?(argument: ArgumentWord) {
    if argument.text == "stderr" { self = .standardError; return }
    guard let path = FilePath(argument: argument) else { return nil }
    self = .socket(path)
  }

  /// What takes the lines.
  func sink() throws(JobFailure) -> @Sendable (ReadinessReport) -> Void {
    switch self {
    case .standardError: return { report in Terminal.print(error: RunReporter.line(report) + "\n") }
    case .socket(let path):
      let socket = try ReadinessSocket(path)
      return { report in socket.say(RunReporter.line(report)) }
    }
  }
}
