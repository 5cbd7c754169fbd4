import CaptureModel
import ImageCore
import Pipeline
import TIFFTags

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "batch", abstract: "Folders of RAW files → a folder of pictures.",
    discussion:
      "What is no RAW in a folder (companion JPEGs, sidecars) is left alone and counted. Exposure brackets become one picture each; with --size 24MP (or such a recipe) so do shots of 48MP and 12MP frames. One bad file does not stop the others. A journal in the output folder lets --resume go on with a run that was stopped.",
    examples: [
      ("duo-process batch shoot/ --recursive -o out/ --format jpeg", "everything below a folder"),
      ("duo-process batch shoot/ -o out/ --dry-run", "print what would be done"),
      ("duo-process batch shoot/ -o out/ --resume --json > report.jsonl", "go on after a stop, with a report"),
      ("duo-process batch shoot/ -o out/ --recipe wide.json", "settings from a file"),
      ("duo-process batch shoot/ -o out/ --size 24MP", "shots of 48MP and 12MP frames fused to 24MP"),
      ("find . -name '*.dng' -print0 | duo-process batch --files0-from - -o out/", "any list of files"),
    ])

  @OptionGroup var develop: DevelopOptionGroup
  @OptionGroup var merge: MergeArguments
  @OptionGroup var finish: DetailOptions
  @Option(help: "Merge exposure brackets, found by time, camera and exposure, or develop each frame.") var brackets:
    BracketHandling = .merge
  @Option(help: "With --size 24MP: fuse the frames of each shot, found by lists, names and times, or develop each.")
  var shots: ShotHandling = .fuse
  @Option(value: "FILE", help: "Also write a JPEG with all results on one page.") var contactSheet: FilePath?

  func validate() throws(UsageError) {
    try develop.check()
    try finish.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      guard case .folder = develop.output.destination else {
        throw JobFailure(.usage, "batch writes into a folder: -o DIR")
      }
      var (run, chain) = try develop.job(
        for: "batch", merge: merge, finish: finish, brackets: brackets, shots: shots)
      if let contactSheet { try run.check(contactSheet) }
      let journal = try journal(of: run)
      run.journal = journal
      let status = run.run(try develop.geometry.capture.situated(chain))
      if let contactSheet, !develop.options.dryRun { try run.write(contactSheet) }
      return status
    } catch { return Self.fail(error) }
  }

  /// The journal of the output folder, checked against the plan.
  private func journal(of run: ChainRun) throws(JobFailure) -> RunJournal {
    let options = develop.options
    let settings = RunSettings(
      software: DuoProcess.software, recipe: run.recipe,
      options: ["brackets": brackets.rawValue, "shots": shots.rawValue].merging(develop.saidOutsideRecipe) {
        first, _ in first
      })
    let mode: RunJournal.Mode = options.resume ? options.overwrite ? .resumeReplacing : .resume : .enter
    let journal = try RunJournal(
      in: develop.output.output, mode: mode, settings: settings, isRehearsal: options.dryRun)
    try journal.check(run.plan)
    if !options.dryRun { AtomicFile.removeLeftovers(beside: run.plan.compactMap(\.output)) }
    return journal
  }
}

extension DevelopOptionGroup {
  /// Options that change outputs and have no key in a recipe.
  fileprivate var saidOutsideRecipe: [String: String] {
    let capture = geometry.capture
    let sensor = render.sensor
    let said: [String: String?] = [
      "camera": capture.camera?.name, "posture": capture.posture?.rawValue, "view": capture.view?.rawValue,
      "device-orientation": capture.deviceOrientation?.rawValue, "raw-size": sensor.rawSize?.size.description,
      "raw-cfa": sensor.rawCfa?.description, "raw-bits": sensor.rawBits.map(String.init),
    ]
    return said.compactMapValues { $0 }
  }
}

/// What `batch` does with exposure brackets.
enum BracketHandling: String, CaseIterable, ExpressibleByArgument {
  case merge, separate
}

extension ChainRun {
  /// Before any work: the page must have a name of its own, and follows the rule for outputs that exist.
  fileprivate func check(_ sheet: FilePath) throws(JobFailure) {
    if plan.contains(where: { $0.output == sheet || $0.input.path == sheet }) {
      throw JobFailure(.usage, "\(sheet.string) is an input or an output already; name the contact sheet otherwise")
    }
    if sheet.exists && options.existing == .refuse && !options.resume {
      throw JobFailure(.cannotCreate, "\(sheet.string) exists; use --overwrite or --skip-existing")
    }
  }

  /// All results that exist, on one page.
  fileprivate func write(_ sheet: FilePath) throws(JobFailure) {
    if sheet.exists && options.existing == .skip && !options.resume { return }
    let resources = Resources(workers: Workers(count: options.threadCount), pool: MemoryPool())
    try ContactSheet().write(
      plan.compactMap(\.output).filter(\.exists), to: sheet, journal: journal, resources: resources)
  }
}
