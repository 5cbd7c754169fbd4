import Pipeline
import RawFiles

extension DNGWriteOptions.Compression: ExpressibleByArgument {}

/// How a DNG is packed.
struct DNGOptions: ParsableArguments {
  @Option(help: "How a DNG is packed, without loss: ljpeg (lossless JPEG tiles, about half the size) unless given.")
  var compression: DNGWriteOptions.Compression?

  /// Lays what was said on the command line over a recipe, whose format must be settled.
  func apply(to recipe: inout Recipe) throws(JobFailure) {
    guard let compression else { return }
    if let format = recipe.output.format, format != .dng {
      throw JobFailure(.usage, "--compression is for DNG; \(format.rawValue) has options of its own")
    }
    recipe.output.dngCompression = compression
  }
}
