import CaptureModel
import Develop
import Foundation
import ImageCore
import PhotoFiles
import Pipeline
import TIFFTags
import TestSupport
import Testing

@Suite("Recipes")
struct RecipeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ text: String) throws -> FilePath {
    let url = folder.url.appendingPathComponent("recipe.json")
    try Data(text.utf8).write(to: url)
    return FilePath(url.path)
  }

  private func recipe(_ text: String) throws -> Recipe {
    var recipe = Recipe()
    try recipe.apply(file: try file(text))
    return recipe
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch { return "\(error)" }
  }

  private static let full = """
    { "maxPhotoDimensions": "24MP", "photoQualityPrioritization": "quality", "aspectRatio": "16:9", "gravity": "north",
      "rotation": 90, "mirroring": "on",
      "develop": { "rendering": "picture", "tone": "linear", "whiteBalance": [2, 1, 1.5], "exposure": -0.5,
                   "demosaic": "balanced", "detail": 1.5 },
      "merge": { "align": "global", "deghost": "none" },
      "sensor": { "cfa": "quad-rggb", "black": 64, "white": 1023.5 }, "bin": { "mode": "sum" },
      "output": { "format": "jpeg", "quality": 92, "bits": 8, "profile": "sRGB", "compression": "none",
                  "dngCompression": "ljpeg", "chroma": "4:4:4", "strip": true } }
    """

  @Test func everyKeyIsReadAndWrittenBackTheSame() throws {
    let first = try recipe(Self.full)
    #expect(first.saidKeys == RecipeKey.all.map(\.name))
    #expect(first.rotation == .quarterTurns(1) && first.output.profile == .sRGB && first.output.chroma == .s444)
    #expect(first.develop.whiteBalance == .multipliers(red: 2, green: 1, blue: 1.5))
    let text = String(decoding: try JSONEncoder().encode(first), as: UTF8.self)
    #expect(try recipe(text) == first)
  }

  @Test func everyKeyIsOptionalAndOthersStay() throws {
    #expect(try recipe("{}") == Recipe())
    for key in RecipeKey.all {
      let full = try recipe(Self.full)
      var one = Recipe()
      let value = String(decoding: try JSONEncoder().encode(full.json(of: key.name)), as: UTF8.self)
      try one.apply(assignment: "\(key.name)=\(value)")
      #expect(one.saidKeys == [key.name])
    }
  }

  @Test(arguments: [
    ("[]", "expected an object"), ("{ \"rotation\": 0 } // why", "no JSON"), ("", "no JSON"),
    ("{\"rotatoin\": 0}", "the nearest is “rotation”"), ("{\"quality\": 90}", "the nearest is “output.quality”"),
    ("{\"output\": {\"qualty\": 90}}", "the nearest is “output.quality”"),
    ("{\"output\": 90}", "output is 90, expected an object"),
    ("{\"output\": {\"quality\": \"high\"}}", "output.quality is “high”, expected a whole number in 1...100"),
    ("{\"output\": {\"quality\": 101}}", "output.quality is 101"),
    ("{\"output\": {\"quality\": 90.5}}", "output.quality is 90.5"),
    ("{\"rotation\": 45}", "rotation is 45, expected"),
    ("{\"mirroring\": true}", "mirroring is true, expected auto, on, off"),
    ("{\"develop\": {\"whiteBalance\": [1, 2]}}", "develop.whiteBalance is [1, 2], expected"),
    (
      "{\"maxPhotoDimensions\": \"13MP\"}",
      "maxPhotoDimensions is “13MP”, expected full, 12MP, 18MP, 24MP, 48MP or WxH"
    ),
  ])
  func mistakesAreNamed(text: String, expected: String) throws {
    let path = try file(text)
    let found = message {
      var recipe = Recipe()
      try recipe.apply(file: path)
    }
    #expect(found.contains(expected), "\(found)")
    #expect(found.contains(path.string), "the message does not name the file: \(found)")
  }

  @Test func everyKeyIsInTheDocumentation() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let page = root.deletingLastPathComponent().appendingPathComponent("Documentation/recipes.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    for key in RecipeKey.all { #expect(text.contains("`\(key.name)`"), "\(key.name) is not in recipes.md") }
  }

  @Test func assignmentsAreJSONOrWords() throws {
    var recipe = try recipe(Self.full)
    for text in ["output.quality=80", "aspectRatio=4:3", "rotation=keep", "develop.whiteBalance=2,1,1"] {
      try recipe.apply(assignment: text)
    }
    #expect(recipe.output.quality == 80 && recipe.aspectRatio == AspectRatio("4:3") && recipe.rotation == .keep)
    #expect(recipe.develop.whiteBalance == .multipliers(red: 2, green: 1, blue: 1))
    for text in ["output.quality", "=1", "output.quality=", "nothing=1"] {
      #expect(throws: JobFailure.self, "\(text)") { try recipe.apply(assignment: text) }
    }
  }

  @Test func whatIsNotSaidGetsItsDefault() throws {
    let resolved = try Recipe().resolvedForDeveloping(.jpeg)
    let silent: Set = [
      "maxPhotoDimensions", "photoQualityPrioritization", "aspectRatio", "develop.demosaic", "bin.mode",
    ]
    let unsaid = RecipeKey.all.map(\.name).filter { !resolved.saidKeys.contains($0) && !$0.hasPrefix("sensor.") }
    #expect(Set(unsaid) == silent)
    var standard = DevelopOptions.standard
    standard.detail = 1
    #expect(resolved.developOptions == standard && resolved.geometry == GeometryChoice())
  }

  /// Pictures to look at are finished, measurements are not.
  @Test func detailIsFinishedWhereItIsLookedAt() throws {
    for (text, detail) in [
      ("{}", 1.0), ("{\"develop\": {\"tone\": \"linear\"}}", 0), ("{\"develop\": {\"rendering\": \"camera\"}}", 0),
      ("{\"develop\": {\"tone\": \"linear\", \"detail\": 2}}", 2), ("{\"develop\": {\"detail\": 0}}", 0),
    ] { #expect(try recipe(text).developOptions.detail == detail, "\(text)") }
  }

  @Test(arguments: CaptureModel.PhotoQualityPrioritization.allCases)
  func prioritizationChoosesTheDemosaicUnlessItIsChosen(priority: CaptureModel.PhotoQualityPrioritization) {
    var recipe = Recipe()
    recipe.photoQualityPrioritization = priority
    #expect(recipe.developOptions.demosaic == priority.demosaic)
    recipe.develop.demosaic = .balanced
    #expect(recipe.developOptions.demosaic == .balanced)
  }
}

extension Recipe {
  /// The value of a dotted key.
  fileprivate func json(of name: String) -> JSONValue? {
    name.split(separator: ".").reduce(Optional(json)) { value, part in
      guard case .object(let members)? = value else { return nil }
      return members[String(part)]
    }
  }
}
