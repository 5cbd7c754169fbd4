import Foundation
import TestSupport
import Testing

@Suite("Quad captures on the command line")
struct QuadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> CommandOutcome {
    try CommandRunner.run(arguments, in: folder.url)
  }

  private func make(_ name: String, _ extra: String...) throws {
    let outcome = try CommandRunner.run(
      ["synth", "-o", name, "--size", "480x336", "--no-truth", "--overwrite"] + extra, in: folder.url)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appendingPathComponent(name)) }

  private func json(_ outcome: CommandOutcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
  }

  @Test(arguments: ["quad-rggb", "quad-rggb+2,3"])
  func aLyingTagGivesTheSamePictureAndAWarning(cfa: String) throws {
    try make("true.dng", "--cfa", cfa)
    // The pixels cannot tell red from blue: the tag's order is kept, so it must be that of the first cluster.
    try make("lie.dng", "--cfa", cfa, "--declared-cfa", cfa == "quad-rggb" ? "rggb" : "bggr")
    let honest = try run("develop", "true.dng", "-o", "true.png", "--strip")
    let lying = try run("develop", "lie.dng", "-o", "lie.png", "--strip", "--json")
    #expect(honest.code == 0 && honest.errors.isEmpty, "\(honest.errors)")
    #expect(lying.errors.contains("warning: is tagged") && lying.errors.contains("--cfa overrides"))
    #expect(try bytes("true.png") == bytes("lie.png"))
    let finding = (try json(lying)["result"] as? [String: Any])?["cfa"] as? [String: Any]
    #expect(
      finding?["source"] as? String == "measured" && finding?["declared"] as? String != finding?["used"] as? String)
    let overridden = try run("develop", "lie.dng", "-o", "as-tagged.png", "--strip", "--cfa", "rggb")
    #expect(overridden.code == 0 && overridden.errors.isEmpty, "\(overridden.errors)")
    #expect(try bytes("as-tagged.png") != bytes("lie.png"))
  }

  @Test func infoReportsBothPatternsAndTheLevels() throws {
    try make("lie.dng", "--cfa", "quad-rggb+1,0", "--declared-cfa", "rggb")
    let outcome = try run("info", "lie.dng", "--json")
    let line = try json(outcome)
    #expect(line["cfa"] as? String == "RGGB" && line["measuredCFA"] as? String == "quad-RGGB+1,0")
    #expect(line["cfaConfidence"] as? Double ?? 0 > 0.6)
    #expect(line["black"] as? [Double] == [528] && line["white"] as? [Double] == [4095])
    #expect(outcome.errors.contains("warning"))
    let text = String(decoding: try run("info", "lie.dng").output, as: UTF8.self)
    for word in ["cfa", "measured cfa", "quad-RGGB+1,0", "black", "528", "white", "4095"] {
      #expect(text.contains(word), "\(word) is missing: \(text)")
    }
    try make("true.dng")
    #expect(try run("info", "true.dng").errors.isEmpty)
  }

  @Test func binnedFilesAreBayerAndReadAlikeByLibRaw() throws {
    try make("quad.dng", "--cfa", "quad-rggb+1,1", "--iso", "400")
    #expect(try run("bin", "quad.dng", "-o", "b.dng", "--compression", "none").code == 0)
    #expect(try run("bin", "quad.dng", "-o", "s.dng", "--bin-mode", "sum").code == 0)
    let mean = try json(try run("info", "b.dng", "--json"))
    let sum = try json(try run("info", "s.dng", "--json"))
    #expect(mean["cfa"] as? String == "BGGR" && mean["white"] as? [Double] == [4095])
    #expect(sum["white"] as? [Double] == [16380] && sum["black"] as? [Double] == [2112])
    let size = mean["storedSize"] as? [String: Int]
    #expect(size == ["width": 239, "height": 167])
    let reader = URL(fileURLWithPath: "/usr/bin/unprocessed_raw")
    guard FileManager.default.isExecutableFile(atPath: reader.path) else {
      print("LibRaw's unprocessed_raw is not installed: its reading is not compared")
      return
    }
    let process = Process()
    process.executableURL = reader
    process.arguments = ["b.dng"]
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    // A 16-bit PGM: three header words after the magic, then the samples, most significant byte first.
    let pgm = try bytes("b.dng.pgm")
    let ours = try bytes("b.dng")
    let count = 239 * 167 * 2
    let theirs = Array(pgm.suffix(count))
    let swapped = stride(from: 0, to: count, by: 2).flatMap { [theirs[$0 + 1], theirs[$0]] }
    #expect(ours.range(of: Data(swapped)) != nil, "LibRaw reads other samples")
  }

  @Test func theReportedRecipeBinsTheSame() throws {
    try make("quad.dng", "--cfa", "quad-rggb")
    let first = try json(try run("bin", "quad.dng", "-o", "a.dng", "--bin-mode", "sum", "--strip", "--json"))
    let recipe = try JSONSerialization.data(withJSONObject: try #require(first["recipe"]))
    try recipe.write(to: folder.url.appendingPathComponent("r.json"))
    #expect(try run("bin", "quad.dng", "-o", "b.dng", "--recipe", "r.json").code == 0)
    #expect(try bytes("a.dng") == bytes("b.dng"))
    #expect(try sizing(try run("bin", "quad.dng", "-o", "c.dng", "--json")) == "binned 2x2 240x168")
  }

  @Test func bothPackingsHoldTheSameAndDevelopAlike() throws {
    try make("quad.dng", "--cfa", "quad-rggb")
    for packing in ["none", "ljpeg"] {
      #expect(try run("bin", "quad.dng", "-o", "\(packing).dng", "--compression", packing).code == 0)
      let info = try json(try run("info", "\(packing).dng", "--json"))
      #expect((info["compression"] as? String == "none") == (packing == "none"))
      #expect(try run("develop", "\(packing).dng", "-o", "\(packing).png", "--strip").code == 0)
    }
    #expect(try bytes("none.png") == bytes("ljpeg.png"))
    #expect(try bytes("ljpeg.dng").count < bytes("none.dng").count)
  }

  @Test func whatCannotBeBinnedSaysWhy() throws {
    try make("bayer.dng")
    let outcome = try run("bin", "bayer.dng", "-o", "b.dng")
    #expect(outcome.code == 65 && outcome.errors.contains("RGGB") && outcome.errors.contains("--cfa quad-rggb"))
    #expect(try run("bin", "bayer.dng", "-o", "b.jpg").code == 64)
    #expect(!folder.contents.contains("b.dng"))
    try make("deep.dng", "--cfa", "quad-rggb", "--white", "65535")
    let sum = try run("bin", "deep.dng", "-o", "s.dng", "--bin-mode", "sum")
    #expect(sum.code == 64 && sum.errors.contains("--bin-mode mean"), "\(sum.errors)")
  }

  /// How the size came about, and the size.
  private func sizing(_ outcome: CommandOutcome) throws -> String {
    let result = try #require(try json(outcome)["result"] as? [String: Any], "\(outcome.errors)")
    let size = try #require(result["size"] as? [String: Int])
    return "\(result["sizing"] ?? "") \(size["width"] ?? 0)x\(size["height"] ?? 0)"
  }

  @Test func smallerPicturesBinAQuadSensorFirst() throws {
    try make("quad.dng", "--cfa", "quad-rggb")
    #expect(try run("bin", "quad.dng", "-o", "b.dng").code == 0)
    #expect(try run("develop", "b.dng", "-o", "b.png", "--strip").code == 0)
    let small = try run("develop", "quad.dng", "-o", "small.png", "--strip", "--size", "240x168", "--json")
    #expect(try sizing(small) == "binned 2x2 240x168")
    #expect(try bytes("small.png") == bytes("b.png"))
    for (size, expected) in [
      ("full", "full 480x336"), ("480x336", "full 480x336"), ("12mp", "full 480x336"), ("400x400", "scaled 400x280"),
      ("200x200", "binned 2x2, scaled 200x140"),
    ] {
      let outcome = try run("develop", "quad.dng", "-o", "s.png", "--strip", "--size", size, "--json", "--overwrite")
      #expect(try sizing(outcome) == expected)
    }
  }
}
