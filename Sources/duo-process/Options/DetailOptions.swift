import Develop
import Pipeline

/// How pictures are finished.
struct DetailOptions: ParsableArguments {
  @Option(
    value: "0…2",
    help:
      "How far residual noise is taken out and edges are sharpened: 0 not at all, 1 standard, 2 twice as sharp. Pictures get 1, --tone linear and --rendering camera 0."
  )
  var detail: Double?

  func check() throws(UsageError) {
    if let detail, !(0...2).contains(detail) { throw UsageError("--detail takes a number in 0...2, not \(detail)") }
  }

  /// Lays what was said on the command line over a recipe.
  func apply(to recipe: inout Recipe) { recipe.develop.detail = detail ?? recipe.develop.detail }
}
