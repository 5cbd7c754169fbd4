import HDRMerge
import ImageCore
import Pipeline
import TIFFTags

extension MergeOptions.Alignment: ExpressibleByArgument {}
extension MergeOptions.Deghosting: ExpressibleByArgument {}

/// How a bracket is merged.
struct MergeArguments: ParsableArguments {
  @Option(help: "Bring frames into register: shift, turn and local motion; global leaves out local motion.")
  var align: MergeOptions.Alignment = .auto
  @Option(help: "Leave out frames where they disagree with the reference.") var deghost: MergeOptions.Deghosting =
    .auto

  var options: MergeOptions {
    var options = MergeOptions()
    options.alignment = align
    options.deghosting = deghost
    return options
  }
}

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "merge", abstract: "Exposure brackets → one DNG or picture each, aligned and without ghosts.",
    discussion:
      "With a file as OUT all inputs are one bracket; with a folder, brackets are found by what the files record. Frames are RAW files, or 8- and 16-bit pictures. A DNG keeps the reference's meaning and has headroom above its white; a picture is developed with local tone.",
    examples: [
      ("duo-process merge a.dng b.dng c.dng -o hdr.dng", "three exposures, any order → a 16-bit DNG"),
      ("duo-process merge a.dng b.dng c.dng -o hdr.jpg", "→ a finished picture"),
      ("duo-process merge shoot/ -o out/ --format dng", "all brackets of a folder"),
      ("duo-process merge *.dng -o hdr.dng --reference 2 --ghost-map ghosts.png", "show the second frame's moment"),
      ("duo-process merge *.dng -o hdr.dng --json", "with exposure ratios, shifts and shares of ghosts"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var merge: MergeArguments
  @Option(value: "N", help: "The frame whose moment the result shows, counted from 1; chosen unless given.")
  var reference: Int?
  @Option(value: "FILE", help: "Draw where frames were left out: white there, black elsewhere.") var ghostMap:
    FilePath?
  @OptionGroup var render: RenderOptions
  @OptionGroup var geometry: GeometryOptions
  @OptionGroup var options: RunOptions

  func validate() throws(UsageError) {
    try options.check()
    try render.check()
    if let reference, reference < 1 { throw UsageError("--reference counts from 1") }
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      guard let settings = try output.settings(fallback: .dng, bits: render.defaultBits) else {
        throw JobFailure(.usage, "--format is needed")
      }
      let (inputs, brackets, leftAlone) = try collect()
      if (reference != nil || ghostMap != nil) && brackets.count > 1 {
        throw JobFailure(.usage, "--reference and --ghost-map are for one bracket, \(brackets.count) were found")
      }
      if leftAlone > 0 && !options.quiet {
        Terminal.print(error: "\(leftAlone) of \(inputs) files belong to no bracket and are left alone\n")
      }
      var merging = merge.options
      merging.reference = reference.map { $0 - 1 }
      let chain = MergeChain(
        raw: render.rawOptions, merge: merging, develop: render.developOptions, geometry: geometry.choice,
        output: settings, software: DuoProcess.software, ghostMap: ghostMap)
      return try MergeJob(command: "merge", output: output, options: options, chain: chain).run(brackets)
    } catch { return Self.fail(error) }
  }

  private func collect() throws(JobFailure) -> (inputs: Int, brackets: [[Input]], leftAlone: Int) {
    let inputs = try input.collect()
    if case .folder = output.destination {
      let split = BracketScanner(raw: render.rawOptions).split(inputs)
      guard !split.brackets.isEmpty else {
        throw JobFailure(
          .badData,
          "no brackets found among \(inputs.count) files by time, camera and exposure; name one bracket's files and a file as OUT"
        )
      }
      return (inputs.count, split.brackets, split.single.count)
    }
    let frames = inputs.contains(where: \.isFromFolder) ? RawSelection.split(inputs).raw : inputs
    return (inputs.count, [frames], inputs.count - frames.count)
  }
}

/// Merges brackets, each into one output named after its first frame.
struct MergeJob {
  let command: String
  let output: OutputOptions
  let options: RunOptions
  let chain: MergeChain

  func run(_ brackets: [[Input]]) throws(JobFailure) -> Int32 {
    var frames: [FilePath: [FilePath]] = [:]
    for bracket in brackets where !bracket.isEmpty { frames[bracket[0].path] = bracket.map(\.path) }
    let jobs = try OutputPlan(
      destination: output.destination, template: output.name ?? OutputPlan.defaultTemplate, operation: "merge",
      fileExtension: chain.output.format.fileExtension
    ).jobs(for: brackets.compactMap(\.first))
    let reporter = RunReporter(
      command: command, options: options, total: jobs.count, toStandardOutput: output.destination == .standardOutput)
    let batch = Batch(
      jobs: options.threadCount, maxMemory: options.memoryLimit, existing: options.existing,
      isRehearsal: options.dryRun, digests: options.json, chainName: "merge",
      expectedMemory: { [chain, frames] in chain.expectedMemory(of: frames[$0] ?? []) })
    return batch.run(
      jobs,
      chain: { [chain, frames] input, descriptor, resources in
        do throws(JobFailure) {
          return .success(try chain.run(frames[input] ?? [input], into: descriptor, resources: resources))
        } catch {
          return .failure(error)
        }
      }, finished: { reporter.finished($0) }
    ).rawValue
  }
}
