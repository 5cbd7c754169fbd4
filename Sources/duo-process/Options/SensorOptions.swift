import ImageCore
import Pipeline
import RawFiles

/// What the user knows better than the file.
struct SensorOptions: ParsableArguments {
  @Option(
    value: "CFA",
    help: "Colour filter array, whatever the file says: rggb, quad-rggb, nona-rggb, xtrans, quad-rggb+2,3 …")
  var cfa: CFAPattern?
  @Option(value: "N", help: "Black level in counts, whatever the file says.") var black: Double?
  @Option(value: "N", help: "Saturation level in counts, whatever the file says.") var white: Double?
  @Option(value: "WxH", help: "Size of a headerless mosaic; needs --raw-cfa and --raw-bits.") var rawSize:
    SizeArgument?
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
    recipe.sensor.cfa = cfa ?? recipe.sensor.cfa
    recipe.sensor.black = black ?? recipe.sensor.black
    recipe.sensor.white = white ?? recipe.sensor.white
    if let black = recipe.sensor.black, let white = recipe.sensor.white, white <= black {
      throw JobFailure(.usage, "the white level \(white) must be above the black level \(black)")
    }
  }

  /// How files are read: what the recipe says, and the layout of files without a header.
  func readOptions(_ recipe: Recipe) -> RawReadOptions {
    var options = recipe.readOptions
    if let rawSize, let rawCfa, let rawBits {
      options.headerless = HeaderlessLayout(size: rawSize.size, bits: rawBits, cfa: rawCfa)
    }
    return options
  }
}
