import Foundation
import TestSupport
import Testing

/// Settings: file, then `--set`, then options; and what a report says of them.
@Suite("Recipes on the command line")
struct RecipeCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let outcome = try CommandRunner.run(
      ["synth", "-o", "a.dng", "--scene", "chart", "--size", "96x64", "--no-truth"], in: folder.url)
    try #require(outcome.code == 0, "\(outcome.errors)")
    try Data("{ \"aspectRatio\": \"1:1\", \"output\": { \"quality\": 50, \"format\": \"jpeg\" } }".utf8)
      .write(to: folder.url.appendingPathComponent("r.json"))
  }

  private func run(_ arguments: String...) throws -> CommandOutcome {
    try CommandRunner.run(arguments, in: folder.url)
  }

  private func report(_ outcome: CommandOutcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], "\(outcome.errors)")
  }

  private func recipe(_ outcome: CommandOutcome) throws -> [String: Any] {
    try #require(try report(outcome)["recipe"] as? [String: Any])
  }

  private func output(_ outcome: CommandOutcome) throws -> [String: Any] {
    try #require(try recipe(outcome)["output"] as? [String: Any])
  }

  @Test func optionsGoOverAssignmentsOverTheFile() throws {
    let command = ["develop", "a.dng", "-o", "out/", "--json", "--overwrite"]
    func quality(_ more: [String]) throws -> Int? {
      try output(try CommandRunner.run(command + more, in: folder.url))["quality"] as? Int
    }
    #expect(try quality([]) == 92)
    #expect(try quality(["--recipe", "r.json"]) == 50)
    #expect(try quality(["--recipe", "r.json", "--set", "output.quality=60"]) == 60)
    #expect(try quality(["--recipe", "r.json", "--set", "output.quality=60", "--quality", "70"]) == 70)
  }

  @Test func theReportedRecipeMakesTheSamePicture() throws {
    let first = try run("develop", "a.dng", "-o", "a.jpg", "--recipe", "r.json", "--exposure", "0.5", "--json")
    let recipe = try JSONSerialization.data(withJSONObject: try recipe(first))
    try recipe.write(to: folder.url.appendingPathComponent("resolved.json"))
    let second = try run("develop", "a.dng", "-o", "b.jpg", "--recipe", "resolved.json", "--json")
    #expect(try report(first)["outputSHA256"] as? String == (try report(second)["outputSHA256"] as? String))
    let size = try #require((try report(first)["result"] as? [String: Any])?["size"] as? [String: Int])
    #expect(size == ["width": 64, "height": 64])
  }

  @Test func batchAndTransformReportTheirRecipes() throws {
    #expect(
      try output(try run("batch", "a.dng", "-o", "out", "--json", "--recipe", "r.json"))["quality"] as? Int == 50)
    #expect(try run("develop", "a.dng", "-o", "a.png", "--bits", "16").code == 0)
    let moved = try output(try run("transform", "a.png", "-o", "b.png", "--set", "rotation=90", "--json"))
    #expect(moved["format"] as? String == "png" && moved["bits"] as? Int == 16)
  }

  @Test func reportsHaveTheirFields() throws {
    let report = try report(try run("develop", "a.dng", "-o", "a.jpg", "--json"))
    for key in ["path", "status", "code", "chain", "recipe", "peakMemory", "output", "outputSHA256"] {
      #expect(report[key] != nil, "\(key) is missing")
    }
    let result = try #require(report["result"] as? [String: Any])
    for key in ["sourceSize", "size", "resolved", "stages"] { #expect(result[key] != nil, "\(key) is missing") }
    let stages = try #require(result["stages"] as? [[String: Any]])
    #expect(stages.map { $0["name"] as? String } == ["read", "develop", "encode"])
    let digest = try shell("sha256sum a.jpg").prefix(64)
    #expect(report["outputSHA256"] as? String == String(digest))
  }

  private static let mistakes: [([String], Int32)] = [
    (["develop", "a.dng", "-o", "x.jpg", "--recipe", "none.json"], 66),
    (["develop", "a.dng", "-o", "x.jpg", "--recipe", "a.dng"], 64),
    (["develop", "a.dng", "-o", "x.png", "--recipe", "r.json"], 64),
    (["develop", "a.dng", "-o", "x.jpg", "--set", "output.qualty=1"], 64),
    (["develop", "a.dng", "-o", "x.jpg", "--size", "13MP"], 64),
    (["develop", "a.dng", "-o", "x.jpg", "--set", "bin.mode=sum"], 64),
    (["transform", "a.dng", "-o", "x.dng", "--set", "maxPhotoDimensions=64x64"], 69),
    (["bin", "a.dng", "-o", "x.dng", "--set", "rotation=90"], 64),
    (["develop", "a.dng", "-o", "x.gif"], 64),
    (["transform", "a.dng", "-o", "x.dng", "--set", "develop.tone=linear"], 64),
    (["develop", "-", "-", "-o", "out/"], 64),
  ]

  @Test(arguments: mistakes)
  func whatCannotBeDoneIsSaid(arguments: [String], code: Int32) throws {
    let outcome = try CommandRunner.run(arguments, in: folder.url)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    #expect(folder.contents == ["a.dng", "r.json"])
  }

  private func shell(_ script: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    process.standardOutput = pipe
    try process.run()
    process.waitUntilExit()
    return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}
