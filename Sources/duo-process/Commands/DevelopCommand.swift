import Pipeline

/// What `develop` and `batch` share: inputs, settings and outputs of a developing run.
struct DevelopOptionGroup: ParsableArguments {
  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var recipe: RecipeOptions
  @OptionGroup var render: RenderOptions
  @OptionGroup var geometry: GeometryOptions
  @OptionGroup var options: RunOptions

  func check() throws(UsageError) {
    try options.check()
    try output.check()
    try render.check()
  }

  func job(
    for command: String, finish: DetailOptions
  ) throws(JobFailure) -> (run: ChainRun, chain: DevelopChain) {
    let (recipe, chain) = try settings(fallback: .jpeg, finish: finish)
    guard chain.output.format != .dng else {
      throw JobFailure(.usage, "develop writes pictures; transform keeps a DNG")
    }
    let run = try ChainRun(
      command: command, try input.collect(.raw, quiet: options.common.quiet), output: output, options: options,
      recipe: recipe, fileExtension: chain.output.format.fileExtension)
    return (run, chain)
  }

  /// Settings from recipe and options, and the chain they make.
  func settings(
    fallback: OutputSettings.Format, merge: MergeArguments? = nil, finish: DetailOptions? = nil
  ) throws(JobFailure) -> (recipe: Recipe, chain: DevelopChain) {
    var recipe = try recipe.resolve()
    try render.apply(to: &recipe)
    geometry.apply(to: &recipe)
    try output.apply(to: &recipe)
    merge?.apply(to: &recipe)
    finish?.apply(to: &recipe)
    guard recipe.bin.mode == nil else { throw JobFailure(.usage, "bin.mode is asked for, which is for bin alone") }
    let format = recipe.output.format ?? fallback
    recipe = try recipe.resolvedForDeveloping(format)
    let chain = DevelopChain(
      raw: render.sensor.readOptions(recipe), develop: recipe.developOptions, geometry: recipe.geometry,
      output: try recipe.outputSettings(format), maxDimensions: recipe.maxPhotoDimensions,
      software: DuoProcess.software)
    return (recipe, chain)
  }
}

struct DevelopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "develop", abstract: "RAW files → finished pictures.",
    discussion: "Pictures come out upright, with the capture's EXIF and a colour profile.",
    examples: [
      ("duo-process develop IMG_0001.DNG -o IMG_0001.jpg", "one picture"),
      ("duo-process develop *.NEF -o out/ --format tiff --bits 16", "many, into a folder"),
      ("duo-process develop a.dng -o - --format png | magick - small.webp", "to another program"),
      ("duo-process develop a.dng -o a.tif --rendering camera --bits 16", "linear camera RGB for measuring"),
      ("duo-process develop a.dng -o a.jpg --recipe wide.json --set output.quality=80", "settings from a file"),
      ("duo-process develop night.dng -o night.jpg --detail 0.5", "less sharp; noise is taken out all the same"),
      ("duo-process develop quad48.dng -o small.jpg --size 12MP", "a clean quarter of a quad sensor's pixels"),
    ])

  @OptionGroup var develop: DevelopOptionGroup
  @OptionGroup var finish: DetailOptions

  func validate() throws(UsageError) {
    try develop.check()
    try finish.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      let (run, chain) = try develop.job(for: "develop", finish: finish)
      return run.run(try develop.geometry.capture.situated(chain))
    } catch { return Self.fail(error) }
  }
}
