import ImageCore
import Pipeline

extension BinMode: ExpressibleByArgument {}

struct BinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "bin", abstract: "Quad, nona or hexadeca captures → Bayer DNGs of one pixel a cluster (12MP from 48MP).",
    discussion:
      "Exact integers. A cluster with a clipped photosite is clipped; levels, noise and crops are rescaled.",
    examples: [
      ("duo-process bin quad48.dng -o bayer12.dng", "means of 2x2 photosites of one colour"),
      ("duo-process bin quad48.dng -o bayer12.dng --bin-mode sum", "sums: nothing is rounded, levels grow fourfold"),
      ("duo-process bin phone.dng -o b.dng --cfa quad-rggb+2,3", "when the file's tags are wrong"),
      ("duo-process bin shoot/ -o binned/", "a folder"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var recipe: RecipeOptions
  @Option(help: "What becomes of a cluster's counts: their mean, rounded half up (unless given), or their sum.")
  var binMode: BinMode?
  @OptionGroup var sensor: SensorOptions
  @OptionGroup var dng: DNGOptions
  @OptionGroup var options: RunOptions

  func validate() throws(UsageError) {
    try options.check()
    try output.check()
    try sensor.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      var recipe = try recipe.resolve()
      recipe.bin.mode = binMode ?? recipe.bin.mode
      let job = MosaicJob(
        command: "bin", own: "bin.", input: input, output: output, sensor: sensor, dng: dng, options: options)
      try job.apply(to: &recipe)
      recipe = try recipe.resolvedForBinning()
      let chain = MosaicChain(.bin, recipe, raw: sensor.readOptions(recipe), software: DuoProcess.software)
      return try job.run(chain, recipe)
    } catch { return Self.fail(error) }
  }
}

/// What commands from a mosaic to a mosaic share.
struct MosaicJob {
  let command: String
  /// How the recipe keys begin that only this command obeys.
  let own: String
  let input: InputOptions
  let output: OutputOptions
  let sensor: SensorOptions
  let dng: DNGOptions
  let options: RunOptions

  /// Lets options win over the recipe, and refuses what this command cannot do.
  func apply(to recipe: inout Recipe) throws(JobFailure) {
    try sensor.apply(to: &recipe)
    try output.apply(to: &recipe)
    try dng.apply(to: &recipe)
    guard recipe.output.format ?? .dng == .dng else {
      throw JobFailure(.usage, "\(command) writes DNG; develop makes pictures")
    }
    if let key = recipe.saidKeys.first(where: { !concerns($0) }) {
      throw JobFailure(.usage, "\(key) is asked for, which \(command) cannot do; develop or transform its result")
    }
  }

  func run(_ chain: some FileChain, _ recipe: Recipe) throws(JobFailure) -> Int32 {
    let run = try ChainRun(
      command: command, try input.collect(.raw, quiet: options.common.quiet), output: output, options: options,
      recipe: recipe, fileExtension: OutputSettings.Format.dng.fileExtension)
    return run.run(chain)
  }

  private func concerns(_ key: String) -> Bool {
    key.hasPrefix(own) || key.hasPrefix("sensor.")
      || ["output.format", "output.bits", "output.strip", "output.dngCompression"].contains(key)
  }
}
