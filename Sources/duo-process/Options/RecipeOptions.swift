import Pipeline
import TIFFTags

/// A recipe and changes to it. Options of the command line go over both.
struct RecipeOptions: ParsableArguments {
  @Option(value: "FILE", help: "JSON file of settings; see Documentation/recipes.md.") var recipe: FilePath?
  @Options(value: "KEY=VALUE", help: "One setting of a recipe, over the file's: output.quality=90. May be repeated.")
  var set: [String]

  func resolve() throws(JobFailure) -> Recipe {
    var result = Recipe()
    if let recipe { try result.apply(file: recipe) }
    for assignment in set { try result.apply(assignment: assignment) }
    return result
  }
}
