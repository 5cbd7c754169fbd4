import ImageCore
import Pipeline

/// How pixels are laid.
struct GeometryOptions: ParsableArguments {
  @Option(
    aliases: ["rotate"], value: "R",
    help: "apply lays pixels upright, keep keeps pixels and tag, an angle turns stored pixels clockwise.")
  var rotation: Rotation?
  @Option(help: "Mirror the upright picture left to right; auto follows the capture facts, off without them.")
  var mirroring: Mirroring?
  @Option(value: "W:H", help: "Crop to exactly this ratio, as large as possible, as the picture is seen upright.")
  var aspectRatio: AspectRatio?
  @OptionGroup var capture: CaptureOptions
  @Option(value: "G", help: "Which part a crop keeps.") var gravity: Gravity?

  /// Lays what was said on the command line over a recipe.
  func apply(to recipe: inout Recipe) {
    recipe.rotation = rotation ?? recipe.rotation
    recipe.mirroring = mirroring ?? recipe.mirroring
    recipe.aspectRatio = aspectRatio ?? recipe.aspectRatio
    recipe.gravity = gravity ?? recipe.gravity
  }
}
