import Pipeline
import RawFiles

extension DNGWriteOptions.Compression: ExpressibleByArgument {}

/// How a DNG is packed.
struct DNGOptions: ParsableArguments {
  @Option(
    help:
      "How a DNG is packed: ljpeg (lossless JPEG tiles, about half the size) unless given; jxl (DNG 1.7) is smaller and loses nothing unless --quality is below 100."
  )
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
