import ImageCore
import Pipeline
import RawFiles

struct TransformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "transform", abstract: "Mirror, turn and crop pictures or DNG mosaics, without interpolation.",
    discussion: "JPEG is decoded and encoded anew. A mosaic's colour filter array is re-phased.",
    examples: [
      ("duo-process transform selfie.jpg -o upright.jpg --rotation apply", "bake the orientation tag"),
      ("duo-process transform a.tif -o b.tif --rotation 90", "a quarter turn clockwise"),
      ("duo-process transform a.tif -o b.tif --aspect-ratio 16:9 --gravity north", "the largest exact 16:9 crop"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var recipe: RecipeOptions
  @OptionGroup var geometry: GeometryOptions
  @Option(value: "CFA", help: "Colour filter array of a DNG mosaic, whatever the file says: rggb, quad-rggb …")
  var cfa: CFAPattern?
  @OptionGroup var dng: DNGOptions
  @OptionGroup var options: RunOptions

  func validate() throws(UsageError) {
    try options.check()
    try output.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      var recipe = try recipe.resolve()
      geometry.apply(to: &recipe)
      recipe.sensor.cfa = cfa ?? recipe.sensor.cfa
      try output.apply(to: &recipe)
      try dng.apply(to: &recipe)
      if let key = recipe.saidKeys.first(where: Self.concernsRaw) {
        throw JobFailure(
          .usage, "\(key) of the recipe concerns the development or binning of RAW files; transform only moves pixels"
        )
      }
      recipe = recipe.resolvedForMoving()
      if let format = recipe.output.format { _ = try recipe.outputSettings(format) }
      let chain = TransformChain(recipe, software: DuoProcess.software)
      let run = try ChainRun(
        command: "transform", try input.collect(.pictures, quiet: options.common.quiet), output: output,
        options: options, recipe: recipe, fileExtension: recipe.output.format?.fileExtension)
      return run.run(try geometry.capture.situated(chain))
    } catch { return Self.fail(error) }
  }

  private static func concernsRaw(_ key: String) -> Bool {
    key.hasPrefix("develop.") || key.hasPrefix("merge.") || key.hasPrefix("bin.") || key == "output.profile"
      || key == "photoQualityPrioritization"
      || key.hasPrefix("sensor.") && key != "sensor.cfa"
  }
}
