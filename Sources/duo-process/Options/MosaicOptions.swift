import Pipeline
import RawFiles

/// What commands from a mosaic to a mosaic share.
struct MosaicOptions: ParsableArguments {
  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var recipe: RecipeOptions
  @OptionGroup var sensor: SensorOptions
  @OptionGroup var dng: DNGOptions
  @OptionGroup var options: RunOptions

  func check() throws(UsageError) {
    try options.check()
    try output.check()
    try sensor.check()
  }

  /// The recipe with the options laid over it.
  ///
  /// - Parameters:
  ///   - own: how the recipe keys begin that only this command obeys.
  ///   - change: lays the command's own options over the recipe.
  /// - Throws: usage (64) when something is asked for that the command cannot do.
  func resolve(
    for command: String, own: String, _ change: (inout Recipe) -> Void
  ) throws(JobFailure) -> Recipe {
    var recipe = try recipe.resolve()
    change(&recipe)
    try sensor.apply(to: &recipe)
    try output.apply(to: &recipe)
    try dng.apply(to: &recipe)
    guard recipe.output.format ?? .dng == .dng else {
      throw JobFailure(.usage, "\(command) writes DNG; develop makes pictures")
    }
    if let key = recipe.saidKeys.first(where: { !Self.concerns($0, own: own) }) {
      throw JobFailure(.usage, "\(key) is asked for, which \(command) cannot do; develop or transform its result")
    }
    return recipe
  }

  func run(_ operation: MosaicOperation, _ recipe: Recipe) throws(JobFailure) -> Int32 {
    let chain = MosaicChain(operation, recipe, raw: sensor.readOptions(recipe), software: DuoProcess.software)
    let run = try ChainRun(
      command: chain.name, try input.collect(.raw, quiet: options.common.quiet), output: output, options: options,
      recipe: recipe, fileExtension: OutputSettings.Format.dng.fileExtension)
    return run.run(chain)
  }

  private static func concerns(_ key: String, own: String) -> Bool {
    key.hasPrefix(own) || key.hasPrefix("sensor.")
      || ["output.format", "output.bits", "output.strip", "output.dngCompression"].contains(key)
  }
}
