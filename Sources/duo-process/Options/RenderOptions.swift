import Develop
import ImageCore
import Pipeline
import RawFiles

/// How RAW files are read and rendered.
struct RenderOptions: ParsableArguments {
  @Option(value: "R", help: "picture, or camera: linear camera RGB, black 0, white full scale, nothing else.")
  var rendering: DevelopOptions.Rendering?
  @Option(value: "T", help: "standard is a pleasing curve, linear none.") var tone: DevelopOptions.Tone?
  @Option(value: "as-shot|R,G,B", help: "White balance: the camera's, or multipliers.") var wb:
    DevelopOptions.WhiteBalance?
  @Option(value: "EV", help: "Stops to add.") var exposure: Double?
  @Option(value: "SPACE", help: "Colour space of the picture; srgb unless given.") var profile: OutputColourSpace?
  @Option(value: "Q", help: "How carefully missing colours are found; automatic unless given.") var demosaic:
    DemosaicQuality?
  @Option(
    value: "SIZE", help: "The largest picture wanted: 12MP, 24MP, 48MP or WxH. Smaller captures keep their size.")
  var size: PhotoDimensions?
  @Option(value: "CFA", help: "Colour filter array, whatever the file says: rggb, quad-rggb, nona-rggb, xtrans …")
  var cfa: CFAPattern?
  @Option(value: "N", help: "Black level in counts, whatever the file says.") var black: Double?
  @Option(value: "N", help: "Saturation level in counts, whatever the file says.") var white: Double?
  @Option(value: "WxH", help: "Size of a headerless mosaic; needs --raw-cfa and --raw-bits.") var rawSize:
    PhotoDimensions?
  @Option(value: "CFA", help: "Colour filter array of a headerless mosaic.") var rawCfa: CFAPattern?
  @Option(
    value: "N", help: "Significant bits of a headerless mosaic's samples (8, or 9...16 in two bytes, little endian).")
  var rawBits: Int?

  func check() throws(UsageError) {
    let given = [rawSize != nil, rawCfa != nil, rawBits != nil]
    if given.contains(true) && given.contains(false) {
      throw UsageError("--raw-size, --raw-cfa and --raw-bits belong together")
    }
    if let rawBits, !(8...16).contains(rawBits) { throw UsageError("--raw-bits \(rawBits) is not in 8...16") }
  }

  /// Lays what was said on the command line over a recipe.
  func apply(to recipe: inout Recipe) throws(JobFailure) {
    recipe.develop.rendering = rendering ?? recipe.develop.rendering
    recipe.develop.tone = tone ?? recipe.develop.tone
    recipe.develop.whiteBalance = wb ?? recipe.develop.whiteBalance
    recipe.develop.exposure = exposure ?? recipe.develop.exposure
    recipe.develop.demosaic = demosaic ?? recipe.develop.demosaic
    recipe.maxPhotoDimensions = size ?? recipe.maxPhotoDimensions
    recipe.output.profile = profile ?? recipe.output.profile
    recipe.sensor.cfa = cfa ?? recipe.sensor.cfa
    recipe.sensor.black = black ?? recipe.sensor.black
    recipe.sensor.white = white ?? recipe.sensor.white
    if let black = recipe.sensor.black, let white = recipe.sensor.white, white <= black {
      throw JobFailure(.usage, "the white level \(white) must be above the black level \(black)")
    }
  }

  /// The layout of files without a header; `nil` when none was said.
  var headerless: HeaderlessLayout? {
    guard let rawSize, let rawCfa, let rawBits else { return nil }
    return HeaderlessLayout(size: rawSize.size, bits: rawBits, cfa: rawCfa)
  }
}
