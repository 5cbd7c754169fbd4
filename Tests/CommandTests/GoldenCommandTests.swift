import Foundation
import TestSupport
import Testing

/// Golden suites as their users meet them.
@Suite("Golden commands")
struct GoldenCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let made = try CommandRunner.run(
      ["synth", "-o", "a.dng", "--size", "48x32", "--cfa", "quad-rggb", "--no-truth"], in: folder.url)
    try #require(made.code == 0, "\(made.errors)")
    try write(
      "suite.json",
      #"""
      {"version": 1, "cases": [
        {"name": "picture", "inputs": ["a.dng"], "chain": "develop"},
        {"name": "binned", "inputs": ["a.dng"], "chain": "bin", "grade": "identical"}]}
      """#)
  }

  private func golden(_ arguments: String...) throws -> CommandOutcome {
    try CommandRunner.run(["golden"] + arguments, in: folder.url)
  }

  private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }
  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }
  private func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: url(name)) }

  /// The objects of JSON Lines.
  private func lines(_ outcome: CommandOutcome) throws -> [[String: Any]] {
    try String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// A program in the place of the real one, which it finds as `$REAL`.
  private func tool(_ script: String) throws -> String {
    try write("tool.sh", "#!/bin/sh\nREAL='\(CommandRunner.command.path)'\n\(script)\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url("tool.sh").path)
    return "tool.sh"
  }

  /// Develops a little brighter, all else as it is.
  private func brighter() throws -> String {
    try tool(
      "if [ \"$1\" = develop ]; then shift; exec \"$REAL\" develop --exposure 0.1 \"$@\"; fi\nexec \"$REAL\" \"$@\"")
  }

  @Test func everyCommandExplainsItself() throws {
    for words in [[], ["record"], ["check"], ["approve"]] {
      let help = try CommandRunner.run(["golden"] + words + ["--help"], in: folder.url)
      #expect(help.code == 0 && String(decoding: help.output, as: UTF8.self).contains("Examples:"), "golden \(words)")
    }
    #expect(try CommandRunner.run(["golden"], in: folder.url).code == 64)
  }

  @Test func recordingIsNotPassing() throws {
    let before = try golden("check", "suite.json", "--json")
    #expect(before.code == 1, "a missing golden fails")
    #expect(!folder.contents.contains("goldens"), "a check never writes a golden")
    let recorded = try golden("record", "suite.json", "--json")
    #expect(recorded.code == 0, "\(recorded.errors)")
    #expect(try lines(recorded).map { $0["verdict"] as? String } == ["recorded", "recorded"])
    let first = try [bytes("goldens/picture.png"), bytes("goldens/picture.json"), bytes("goldens/binned.dng")]
    #expect(try lines(golden("record", "suite.json", "--json")).map { $0["verdict"] as? String } == ["kept", "kept"])
    let check = try golden("check", "suite.json", "--junit", "j.xml", "--jobs", "2")
    #expect(check.code == 0, "\(check.errors)\(String(decoding: check.output, as: UTF8.self))")
    #expect(String(decoding: check.output, as: UTF8.self) == "same     picture\nsame     binned\n")
    #expect(String(decoding: try bytes("j.xml"), as: UTF8.self).contains("tests=\"2\" failures=\"0\""))
    try FileManager.default.removeItem(at: url("goldens"))
    #expect(try golden("record", "suite.json").code == 0)
    #expect(
      try [bytes("goldens/picture.png"), bytes("goldens/picture.json"), bytes("goldens/binned.dng")] == first,
      "recording twice gives the same bytes")
  }

  @Test func whateverIsMissingOrNotWhatItWasFails() throws {
    try #require(try golden("record", "suite.json").code == 0)
    let (input, provenance, picture) = try (
      bytes("a.dng"), bytes("goldens/picture.json"), bytes("goldens/picture.png")
    )
    func reasons() throws -> String {
      let outcome = try golden("check", "suite.json", "picture", "--json")
      #expect(outcome.code == 1)
      let line = try #require(try lines(outcome).first)
      #expect(line["verdict"] as? String == "failed")
      return (line["reasons"] as? [String] ?? []).joined(separator: "; ")
    }
    try FileManager.default.removeItem(at: url("goldens/picture.json"))
    #expect(try reasons().contains("where the golden comes from"))
    try provenance.write(to: url("goldens/picture.json"))
    var damaged = picture
    damaged.append(0)
    try damaged.write(to: url("goldens/picture.png"))
    #expect(try reasons().contains("not the file that was recorded"))
    try picture.write(to: url("goldens/picture.png"))
    try FileManager.default.removeItem(at: url("a.dng"))
    #expect(try reasons().contains("a.dng is missing"))
    var changed = input
    changed.append(0)
    try changed.write(to: url("a.dng"))
    #expect(try reasons().contains("not the one that the golden was recorded from"))
    try input.write(to: url("a.dng"))
    try write(
      "suite.json",
      #"{"version": 1, "cases": [{"name": "picture", "inputs": ["a.dng"], "chain": "develop", "options": ["--strip"]}]}"#
    )
    #expect(try reasons().contains("something else than when it was recorded"))
  }

  @Test func aProgramThatFallsOverFailsItsCase() throws {
    try #require(try golden("record", "suite.json").code == 0)
    for (script, word) in [
      ("[ \"$1\" = bin ] && kill -SEGV $$; exec \"$REAL\" \"$@\"", "signal 11"),
      ("[ \"$1\" = bin ] && exit 70; exec \"$REAL\" \"$@\"", "ended with 70"),
      ("[ \"$1\" = bin ] && exit 0; exec \"$REAL\" \"$@\"", "wrote nothing"),
      (
        "if [ \"$1\" = bin ]; then while [ \"$1\" != --output ]; do shift; done; echo x > \"$2\"; exit 0; fi; exec \"$REAL\" \"$@\"",
        "candidate cannot be read"
      ),
    ] {
      let outcome = try golden("check", "suite.json", "--json", "--tool", try tool(script))
      #expect(outcome.code == 1)
      let found = try lines(outcome)
      #expect(found.map { $0["verdict"] as? String } == ["same", "failed"], "\(script)")
      #expect("\(found[1]["reasons"] ?? "")".contains(word), "\(found[1]["reasons"] ?? "")")
    }
  }

  @Test func onlyWhatACheckSawIsApproved() throws {
    try #require(try golden("record", "suite.json").code == 0)
    let old = try bytes("goldens/picture.png")
    #expect(try golden("approve", "suite.json", "picture", "--candidates", "out").code == 1, "no check was made")
    let tool = try brighter()
    let check = try golden("check", "suite.json", "--tool", tool, "--output", "out", "--json")
    #expect(check.code == 1)
    #expect(try lines(check).map { $0["verdict"] as? String } == ["failed", "same"])
    let candidate = try bytes("out/picture.png")
    try old.write(to: url("out/picture.png"))
    #expect(try golden("approve", "suite.json", "picture", "--candidates", "out").code == 1, "another file")
    try candidate.write(to: url("out/picture.png"))
    #expect(
      try golden("record", "suite.json", "picture", "--update", "--candidates", "out", "--tool", tool).code == 1,
      "nothing was approved yet")
    #expect(try bytes("goldens/picture.png") == old)
    #expect(try golden("approve", "suite.json", "picture", "--candidates", "out").code == 0)
    #expect(try bytes("goldens/picture.png") == candidate)
    #expect(try golden("check", "suite.json", "--tool", tool).code == 0)
    #expect(try golden("check", "suite.json").code == 1, "the golden is the brighter one now")
    let update = try golden("record", "suite.json", "picture", "--update", "--candidates", "out", "--tool", tool)
    #expect(update.code == 0, "\(update.errors)")
  }

  @Test func runsThatCannotBeMadeEndWithTwo() throws {
    try #require(try golden("record", "suite.json").code == 0)
    try write("bad.json", #"{"version": 1, "cases": []}"#)
    for arguments in [
      ["check", "missing.json"], ["check", "bad.json"], ["check", "suite.json", "nobody"],
      ["check", "suite.json", "--tool", "nothing-here"], ["check", "suite.json", "--output", "goldens"],
      ["approve", "bad.json", "picture", "--candidates", "out"], ["record", "bad.json"],
    ] {
      let outcome = try CommandRunner.run(["golden"] + arguments, in: folder.url)
      #expect(outcome.code == 2, "\(arguments): \(outcome.code) \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    for arguments in [
      ["check"], ["approve", "suite.json", "--candidates", "out"], ["record", "suite.json", "--update"],
    ] {
      #expect(try CommandRunner.run(["golden"] + arguments, in: folder.url).code == 64, "\(arguments)")
    }
  }

  @Test func chainsOfThisProjectAreWhatTheyWere() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let suite = root.appendingPathComponent("Fixtures/golden/suite.json").path
    let outcome = try golden("check", suite, "--quiet")
    #expect(outcome.code == 0, "\(outcome.errors)\(String(decoding: outcome.output, as: UTF8.self))")
  }
}
