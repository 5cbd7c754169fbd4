import CaptureModel
import Pipeline
import RawFiles
import TIFFTags

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "watch", abstract: "A hot folder: each RAW file that arrives is a shot; proxy at once, final later.",
    discussion:
      "Files are taken when they are complete: closed, moved here, or at rest for a second; files that are there at the start are taken too. The next shot is read while the last one is developed. The queue is a journal in OUT that outlives kill -9 and power loss: started again, it goes on. A shot that cannot be written is tried again after half a second and two and at the next start; any other failed shot when its file changes, or with --retry-failed. Ends on SIGINT or SIGTERM (130, 143) after finishing what is being written; a second signal ends it at once. Exit code 73: another process watches DIR or OUT.",
    examples: [
      ("duo-process watch incoming/ -o out/", "pictures as files arrive, until Ctrl-C"),
      ("duo-process watch incoming/ -o out/ --deferred", "small pictures at once in out/proxies, finals when idle"),
      ("duo-process finish out/", "all finals now, whether the watch still runs or not"),
      ("duo-process watch incoming/ -o out/ --idle-exit 0 --json", "what is there, then end: for scripts"),
      (
        "duo-process watch in/ -o out/ --recipe wide.json --readiness /run/user/1000/duo.sock",
        "state for another program"
      ),
    ])

  @Arguments(value: "DIR", help: "The folder to watch, not those below it.") var folders: [FilePath]
  @OptionGroup var output: OutputOptions
  @OptionGroup var recipe: RecipeOptions
  @OptionGroup var render: RenderOptions
  @OptionGroup var geometry: GeometryOptions
  @OptionGroup var merge: MergeArguments
  @OptionGroup var finish: DetailOptions
  @Option(help: "Merge exposure brackets, found by time, camera and exposure, or develop each frame.") var brackets:
    BracketHandling = .merge
  @Flag(help: "Write a light proxy of each shot at once, and the final when idle or when finish asks.") var deferred:
    Bool
  @Flag(help: "Keep the quality asked for in a rapid series too; without it quality becomes balanced there.")
  var noFastCapture: Bool
  @Option(value: "stderr|SOCKET", help: "Tell readiness and the expected processing time as JSON Lines.")
  var readiness: ReadinessArgument?
  @Option(value: "SECONDS", help: "End when nothing has happened for so long; 0 ends when what is there is done.")
  var idleExit: Double?
  @OptionGroup var options: WatchRunOptions

  func validate() throws(UsageError) {
    guard folders.count == 1 else { throw UsageError("watch takes one folder, got \(folders.count)") }
    if let idleExit, idleExit < 0 { throw UsageError("--idle-exit \(idleExit) is below 0") }
    try options.check()
    try output.check()
    try render.check()
    try finish.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      guard case .folder(let folder) = output.destination else {
        throw JobFailure(.usage, "watch writes into a folder: -o DIR")
      }
      var hot = options.options(input: folders[0], output: folder, settings: try settings())
      hot.template = output.name ?? OutputPlan.defaultTemplate
      hot.isDeferred = deferred
      hot.prioritizesFastCapture = !noFastCapture
      hot.idleExit = idleExit
      return try Self.run(hot, watches: true, readiness: try readiness?.sink(), options).rawValue
    } catch { return Self.fail(error) }
  }

  private func settings() throws(JobFailure) -> ShotSettings {
    var said = try recipe.resolve()
    try render.apply(to: &said)
    geometry.apply(to: &said)
    try output.apply(to: &said)
    merge.apply(to: &said)
    finish.apply(to: &said)
    guard said.bin.mode == nil else { throw JobFailure(.usage, "bin.mode is asked for, which is for bin alone") }
    said.output.format = said.output.format ?? .jpeg
    guard said.output.format != .dng else {
      throw JobFailure(.usage, "watch writes pictures; merge and transform write DNG")
    }
    try said.checkAvailability(camera: geometry.capture.camera)
    return ShotSettings(
      recipe: said, facts: geometry.capture.facts, headerless: render.sensor.readOptions(said).headerless,
      mergesBrackets: brackets == .merge)
  }
}

extension ParsableCommand {
  /// Runs a hot folder so that signals end it in good order.
  static func run(
    _ hot: HotFolderOptions, watches: Bool, readiness: (@Sendable (ReadinessReport) -> Void)?,
    _ options: WatchRunOptions
  ) throws(JobFailure) -> ExitStatus {
    let reporter = WatchReporter(command: configuration.name, options: options)
    let folder = try HotFolder(
      hot, watches: watches, finished: { reporter.finished($0) }, readiness: readiness ?? { _ in })
    TemporaryFiles.shared.onFirstSignal { folder.stop($0) }
    defer { TemporaryFiles.shared.onFirstSignal(nil) }
    return try folder.run()
  }
}
