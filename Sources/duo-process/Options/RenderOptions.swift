import Develop
import ImageCore
import Pipeline

/// How RAW files are read and rendered.
struct RenderOptions: ParsableArguments {
  @Option(value: "R", help: "picture, or camera: linear camera RGB, black 0, white full scale, nothing else.")
  var rendering: DevelopOptions.Rendering?
  @Option(value: "T", help: "standard is a pleasing curve, linear none.") var tone: DevelopOptions.Tone?
  @Option(
    value: "E",
    help:
      "What numbers stand for: display, or scene: linear light, 1 at white and more beyond (TIFF of 32 bits, EXR)."
  ) var encoding: DevelopOptions.Encoding?
  @Option(value: "as-shot|R,G,B", help: "White balance: the camera's, or multipliers.") var wb:
    DevelopOptions.WhiteBalance?
  @Option(value: "EV", help: "Stops to add.") var exposure: Double?
  @Option(value: "SPACE", help: "Colour space of the picture; srgb unless given.") var profile: OutputColourSpace?
  @Option(value: "Q", help: "How carefully missing colours are found; automatic unless given.") var demosaic:
    DemosaicQuality?
  @Option(
    value: "SIZE",
    help:
      "The largest picture wanted: full, 12MP, 18MP, 24MP, 48MP or WxH. Quad sensors are binned where that leaves enough, other pictures scaled; none is enlarged."
  )
  var size: PhotoDimensions?
  @OptionGroup var sensor: SensorOptions

  func check() throws(UsageError) { try sensor.check() }

  /// Lays what was said on the command line over a recipe.
  func apply(to recipe: inout Recipe) throws(JobFailure) {
    recipe.develop.rendering = rendering ?? recipe.develop.rendering
    recipe.develop.tone = tone ?? recipe.develop.tone
    recipe.develop.encoding = encoding ?? recipe.develop.encoding
    recipe.develop.whiteBalance = wb ?? recipe.develop.whiteBalance
    recipe.develop.exposure = exposure ?? recipe.develop.exposure
    recipe.develop.demosaic = demosaic ?? recipe.develop.demosaic
    recipe.maxPhotoDimensions = size ?? recipe.maxPhotoDimensions
    recipe.output.profile = profile ?? recipe.output.profile
    try sensor.apply(to: &recipe)
  }
}
