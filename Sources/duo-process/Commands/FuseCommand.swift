import CaptureModel
import HDRMerge
import ImageCore
import Pipeline
import TIFFTags

extension FusionOptions.Gate: ExpressibleByArgument {}

struct FuseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "fuse", abstract: "One full-resolution frame + binned frames of the same shot → 24MP.",
    discussion:
      "Light comes from the base frames (12MP, equal or bracketed exposures, merged), detail from one 48MP quad frame; the result has half of its pixels. Without --detail the frames tell themselves apart by size; when all are quad frames, all are binned for their light and the sharpest gives its detail. FILE may be a list NAME.shot.json; with a folder as OUT, the shots of all FILEs are found by such lists, names and times. How far a picture is finished is said with --set develop.detail=0…2. Where there is too little light for detail the result has 12MP, and the report says why.",
    examples: [
      ("duo-process fuse --detail 48.dng --base 12a.dng 12b.dng 12c.dng -o shot.jpg", "a finished 24MP picture"),
      ("duo-process fuse --detail 48.dng --base 12.dng -o shot.dng", "one base frame → a linear 16-bit DNG"),
      ("duo-process fuse burst/*.dng -o shot.jpg --json", "48MP frames alone; the report names the one taken"),
      ("duo-process fuse IMG_7.shot.json -o out/", "the frames that a list names"),
      ("duo-process fuse shoot/ -o out/ --format jpeg", "every shot of a folder"),
      (
        "duo-process fuse *.dng -o shot.jpg --source-map detail.png --ghost-map moved.png", "see what came from where"
      ),
      ("duo-process synth shot -o shot/ && duo-process fuse shot/*.dng -o fused.jpg", "try it without a camera"),
    ])

  @Option(value: "FILE", help: "The full-resolution frame; the largest one unless given.") var detail: FilePath?
  @Options(value: "FILE", help: "A frame whose light is merged; more may follow as FILEs.") var base: [FilePath]
  @OptionGroup var develop: DevelopOptionGroup
  @OptionGroup var merge: MergeArguments
  @OptionGroup var dng: DNGOptions
  @Option(help: "auto leaves out detail that drowns in noise; open always takes it, closed never does.")
  var gate: FusionOptions.Gate = .auto
  @Option(
    value: "FILE", help: "The base frame whose moment is shown; the next in time to the detail frame unless given.")
  var reference: FilePath?
  @Option(value: "FILE", help: "Draw how much of the detail frame is in each place: white all, black none.")
  var sourceMap: FilePath?
  @Option(value: "FILE", help: "Draw what moved and comes from one frame alone: white there, black elsewhere.")
  var ghostMap: FilePath?

  func validate() throws(UsageError) {
    try develop.check()
    if develop.render.sensor.rawSize != nil { throw UsageError("files without a header cannot be fused") }
    if !base.isEmpty && detail == nil { throw UsageError("--base needs --detail; or name all frames as FILEs") }
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      var (recipe, chain) = try develop.settings(fallback: .dng, merge: merge)
      try dng.apply(to: &recipe)
      let found = try collect(chain)
      for map in [sourceMap, ghostMap] {
        guard let map else { continue }
        guard found.count == 1 else {
          throw JobFailure(.usage, "--source-map and --ghost-map are for one shot, \(found.count) were found")
        }
        if map.exists && develop.options.existing == .refuse {
          throw JobFailure(.cannotCreate, "\(map.string) exists; use --overwrite")
        }
      }
      let run = try ChainRun(
        command: "fuse", found.map(\.input), output: develop.output, options: develop.options, recipe: recipe,
        fileExtension: chain.output.format.fileExtension)
      var fusing = FuseChain(
        shots: found.byInput, merge: recipe.mergeOptions, develop: chain, output: recipe.output, sourceMap: sourceMap,
        ghostMap: ghostMap)
      fusing.fusion.gate = gate
      return run.run(try develop.geometry.capture.situated(fusing))
    } catch { return Self.fail(error) }
  }

  /// The shots to fuse.
  private func collect(_ chain: DevelopChain) throws(JobFailure) -> [ShotScanner.Found] {
    let scanner = ShotScanner(raw: chain.raw)
    let hasFiles = !develop.input.inputs.isEmpty || develop.input.filesFrom != nil || develop.input.files0From != nil
    let inputs =
      hasFiles || detail == nil ? try develop.input.collect(.raw, quiet: develop.options.common.quiet) : []
    if let detail {
      let frames = base + inputs.map(\.path)
      guard !frames.isEmpty else { throw JobFailure(.usage, "no base frames given: name them after --base") }
      guard !frames.contains(detail) else {
        throw JobFailure(.usage, "\(detail.string) is the detail frame and cannot be a base frame too")
      }
      return [try one(Shot(detail: detail, base: frames))]
    }
    let lists = inputs.filter { ShotManifest.isNamedSo($0.path) }
    if !lists.isEmpty {
      guard lists.count == inputs.count else { throw JobFailure(.usage, "name either lists of frames or frames") }
      return try lists.map { list throws(JobFailure) in
        try one(try ShotManifest(list.path).shot(in: list.path.folder))
      }
    }
    guard case .folder = develop.output.destination else {
      return [try one(try scanner.shot(of: inputs.map(\.path)))]
    }
    let split = try scanner.split(inputs)
    guard !split.shots.isEmpty else {
      throw JobFailure(
        .badData,
        "no shots found among \(inputs.count) files by lists, names, times and sizes; name one shot's files and a file as OUT"
      )
    }
    let rest = split.single.count
    if rest > 0 && !develop.options.common.quiet {
      Terminal.print(error: "\(rest) file\(rest == 1 ? " belongs" : "s belong") to no shot and are left alone\n")
    }
    return split.shots
  }

  private func one(_ shot: Shot) throws(JobFailure) -> ShotScanner.Found {
    var shot = shot
    if let reference {
      guard shot.base.contains(reference) else {
        throw JobFailure(.usage, "--reference \(reference.string) is none of the base frames")
      }
      shot.reference = reference
    }
    return ShotScanner.Found(shot: shot, input: Input(path: shot.representative))
  }
}

extension [ShotScanner.Found] {
  /// The shots by the files that stand for them.
  var byInput: [FilePath: Shot] {
    Dictionary(map { ($0.input.path, $0.shot) }, uniquingKeysWith: { first, _ in first })
  }
}

/// What `batch` does with the frames of one shot.
enum ShotHandling: String, CaseIterable, ExpressibleByArgument {
  case fuse, separate
}

extension DevelopOptionGroup {
  /// The run of `batch`: shots, when 24MP pictures of the best quality are asked for, stand in the plan as the frames
  /// that give their detail; exposure brackets as their first frames.
  func job(
    for command: String, merge: MergeArguments, finish: DetailOptions, brackets: BracketHandling, shots: ShotHandling
  ) throws(JobFailure) -> (run: ChainRun, chain: ShotChain) {
    let (recipe, chain) = try settings(fallback: .jpeg, merge: merge, finish: finish)
    guard chain.output.format != .dng else {
      throw JobFailure(.usage, "batch writes pictures; merge, fuse and transform write DNG")
    }
    let inputs = try input.collect(.raw, quiet: options.common.quiet)
    let asksForFusion =
      recipe.maxPhotoDimensions == .fused && recipe.photoQualityPrioritization ?? .quality == .quality
    let fused: (shots: [ShotScanner.Found], single: [Input]) =
      shots == .fuse && asksForFusion ? try ShotScanner(raw: chain.raw).split(inputs) : ([], inputs)
    let found = brackets == .merge ? BracketScanner(raw: chain.raw).split(fused.single).brackets : []
    report(found, one: "exposure bracket", verb: "merged")
    report(fused.shots.map { $0.shot.files.map { Input(path: $0) } }, one: "shot", verb: "fused")
    let leaders = Set(fused.shots.map(\.input))
    let followers = Set(found.flatMap { $0.dropFirst() })
    let single = Set(fused.single)
    let run = try ChainRun(
      command: command, inputs.filter { leaders.contains($0) || single.contains($0) && !followers.contains($0) },
      output: output, options: options, recipe: recipe, fileExtension: chain.output.format.fileExtension)
    let merging = MergeChain(
      brackets: found.byFirst, merge: recipe.mergeOptions, develop: chain, output: recipe.output)
    let fusing = FuseChain(
      shots: fused.shots.byInput, merge: recipe.mergeOptions, develop: chain, output: recipe.output)
    return (run, ShotChain(fuse: fusing, rest: BracketChain(merge: merging)))
  }

  private func report(_ groups: [[Input]], one: String, verb: String) {
    guard !groups.isEmpty, !options.common.quiet else { return }
    let files = groups.reduce(0) { $0 + $1.count }
    Terminal.print(
      error: "\(files) files are \(groups.count) \(one)\(groups.count > 1 ? "s" : "") and are \(verb)\n")
  }
}
