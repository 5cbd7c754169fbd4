import Develop
import ImageCore
import Pipeline

struct RemosaicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "remosaic", abstract: "Quad captures → Bayer DNGs of the same size, for developers that know Bayer only.",
    discussion:
      "Photosites that change their colour get what the quad demosaicer finds there; the others keep their counts.",
    examples: [
      ("duo-process remosaic quad48.dng -o bayer48.dng", "48MP quad → 48MP Bayer"),
      ("duo-process remosaic quad48.dng -o bayer48.dng --demosaic fast", "by linear filters"),
      ("duo-process remosaic shoot/ -o bayer/", "a folder"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var recipe: RecipeOptions
  @Option(value: "Q", help: "How carefully new colours are found; balanced unless given.") var demosaic:
    DemosaicQuality?
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
      recipe.develop.demosaic = demosaic ?? recipe.develop.demosaic
      let job = MosaicJob(
        command: "remosaic", own: "develop.demosaic", input: input, output: output, sensor: sensor, dng: dng,
        options: options)
      try job.apply(to: &recipe)
      recipe = try recipe.resolvedForRemosaicing()
      let chain = MosaicChain(.remosaic, recipe, raw: sensor.readOptions(recipe), software: DuoProcess.software)
      return try job.run(chain, recipe)
    } catch { return Self.fail(error) }
  }
}
