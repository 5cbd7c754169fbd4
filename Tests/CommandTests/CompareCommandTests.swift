import Foundation
import TestSupport
import Testing

/// `compare` as scripts use it.
@Suite("compare")
struct CompareCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try run("synth", "-o", "a.dng", "--size", "300x240", "--no-truth")
    try run("develop", "a.dng", "-o", "a.tif", "--bits", "16")
    try run("develop", "a.dng", "-o", "b.tif", "--bits", "16", "--exposure", "0.03")
  }

  private func run(_ words: String...) throws {
    let outcome = try CommandRunner.run(words, in: folder.url)
    try #require(outcome.code == 0, "\(words): \(outcome.errors)")
  }

  private func compare(_ words: String...) throws -> (code: Int32, json: [String: Any], errors: String) {
    let outcome = try CommandRunner.run(["compare"] + words + ["--json"], in: folder.url)
    let object = (try? JSONSerialization.jsonObject(with: outcome.output)) as? [String: Any]
    return (outcome.code, object ?? [:], outcome.errors)
  }

  @Test func equalFilesAreIdentical() throws {
    let found = try compare("a.tif", "a.tif")
    #expect(found.code == 0 && found.json["status"] as? String == "identical", "\(found.errors)")
  }

  @Test func limitsDecide() throws {
    #expect(try compare("a.tif", "b.tif").code == 1)
    #expect(try compare("a.tif", "b.tif", "--min-psnr", "20", "--max-de", "5").code == 0)
    let broken = try compare("a.tif", "b.tif", "--min-psnr", "20", "--mean-de", "0.01")
    #expect(broken.code == 1 && broken.json["status"] as? String == "outside")
    let comparison = try #require(broken.json["comparison"] as? [String: Any])
    #expect(comparison["de"] != nil && comparison["flip"] == nil, "only what limits need: \(comparison.keys)")
  }

  @Test func whatCannotBeComparedIsTwo() throws {
    try run("transform", "a.tif", "-o", "turned.tif", "--rotation", "90")
    try Data("no picture".utf8).write(to: folder.url.appendingPathComponent("text.tif"))
    for other in ["turned.tif", "text.tif", "none.tif", "a.dng"] {
      let found = try compare("a.tif", other)
      #expect(found.code == 2 && found.errors.split(separator: "\n").count == 1, "\(other): \(found.errors)")
      #expect(found.json["status"] as? String == "failed")
    }
    #expect(try CommandRunner.run(["compare", "a.tif"], in: folder.url).code == 64)
    #expect(try CommandRunner.run(["compare", "a.tif", "b.tif", "--metric", "sism"], in: folder.url).code == 64)
  }

  @Test func mosaicsAreComparedByColour() throws {
    try run("synth", "-o", "b.dng", "--size", "300x240", "--seed", "2", "--no-truth")
    let same = try compare("a.dng", "a.dng")
    #expect(same.code == 0, "\(same.errors)")
    let found = try compare("a.dng", "b.dng")
    let comparison = try #require(found.json["comparison"] as? [String: Any])
    #expect(found.code == 1 && comparison["channels"] as? [String] == ["red", "green", "blue"])
    #expect(comparison["psnr"] != nil && comparison["ssim"] == nil)
  }

  @Test func picturesAreComparedAsShown() throws {
    try run("develop", "a.dng", "-o", "up.png", "--format", "png")
    try run("develop", "a.dng", "-o", "side.png", "--format", "png", "--rotation", "90")
    let turned = try compare("up.png", "side.png")
    #expect(turned.code == 2, "a quarter turn has another size")
    try run("transform", "up.png", "-o", "baked.png", "--rotation", "180")
    try run("transform", "baked.png", "-o", "back.png", "--rotation", "180")
    #expect(try compare("up.png", "back.png").code == 0)
  }

  @Test func picturesAreDrawn() throws {
    try run(
      "compare", "a.tif", "b.tif", "--min-psnr", "1", "--heat-map", "heat.png", "--side-by-side", "side.png",
      "--flicker",
      "flicker.png")
    let flicker = try Data(contentsOf: folder.url.appendingPathComponent("flicker.png"))
    for chunk in ["acTL", "fcTL", "fdAT", "IEND"] { #expect(flicker.range(of: Data(chunk.utf8)) != nil, "\(chunk)") }
    // Readers that know no animation show the first picture; ours checks every checksum.
    #expect(try compare("flicker.png", "heat.png").code == 1)
    #expect(try compare("side.png", "heat.png").code == 2)
    let again = try CommandRunner.run(["compare", "a.tif", "b.tif", "--heat-map", "heat.png"], in: folder.url)
    #expect(again.code == 2 && again.errors.contains("exists"), "\(again.errors)")
  }

  @Test func foldersAreComparedByName() throws {
    try run("batch", "a.dng", "-o", "one")
    try run("batch", "a.dng", "-o", "two")
    #expect(try CommandRunner.run(["compare", "one", "two"], in: folder.url).code == 0)
    try run("batch", "a.dng", "-o", "two", "--name", "more.jpg")
    let missing = try CommandRunner.run(["compare", "one", "two"], in: folder.url)
    #expect(missing.code == 2 && missing.errors.contains("more.jpg is not in one"), "\(missing.errors)")
  }
}
