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
      try sensor.apply(to: &recipe)
      try output.apply(to: &recipe)
      try dng.apply(to: &recipe)
      guard recipe.output.format ?? .dng == .dng else {
        throw JobFailure(.usage, "bin writes DNG; develop --size 12MP makes pictures")
      }
      if let key = recipe.saidKeys.first(where: { !Self.concerns($0) }) {
        throw JobFailure(.usage, "\(key) is asked for, which bin cannot do; develop or transform its result")
      }
      recipe = try recipe.resolvedForBinning()
      let chain = BinChain(recipe, raw: sensor.readOptions(recipe), software: DuoProcess.software)
      let run = try ChainRun(
        command: "bin", try input.collect(.raw, quiet: options.common.quiet), output: output, options: options,
        recipe: recipe, fileExtension: OutputSettings.Format.dng.fileExtension)
      return run.run(chain)
    } catch { return Self.fail(error) }
  }

  private static func concerns(_ key: String) -> Bool {
    key.hasPrefix("bin.") || key.hasPrefix("sensor.")
      || ["output.format", "output.bits", "output.strip", "output.dngCompression"].contains(key)
  }
}
