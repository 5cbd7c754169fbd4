import Foundation
import TestSupport
import Testing

/// The promises of the command line that scripts build on.
@Suite("Command-line contract")
struct CommandContractTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, arguments) in [("a.dng", ["--cfa", "rggb"]), ("b.dng", ["--cfa", "gbrg", "--orientation", "6"])] {
      let outcome = try CommandRunner.run(
        ["synth", "-o", name, "--scene", "chart", "--size", "96x64", "--no-truth"] + arguments, in: folder.url)
      try #require(outcome.code == 0, "\(outcome.errors)")
    }
  }

  private func run(_ arguments: String...) throws -> CommandOutcome {
    try CommandRunner.run(arguments, in: folder.url)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appendingPathComponent(name)) }

  @Test func versionAndHelpGoToStandardOutput() throws {
    let version = try run("--version")
    #expect(version.code == 0 && !version.output.isEmpty && version.errors.isEmpty)
    for command in ["info", "develop", "bin", "transform", "batch", "synth"] {
      let help = try run(command, "--help")
      #expect(help.code == 0 && help.errors.isEmpty, "\(command): \(help.errors)")
      #expect(String(decoding: help.output, as: UTF8.self).contains("Examples:"), "\(command) shows no examples")
    }
  }

  @Test func usageErrorsAre64() throws {
    for arguments in [
      [], ["frobnicate"], ["develop", "--no-such-option"], ["develop", "a.dng"], ["develop", "-o", "x.jpg"],
      ["develop", "a.dng", "b.dng", "-o", "x.jpg"], ["develop", "a.dng", "-o", "x.jpg", "--bits", "16"],
      ["develop", "a.dng", "-o", "x.jpg", "--quality", "0"], ["develop", "a.dng", "-o", "x.jpg", "--raw-bits", "12"],
      ["batch", "a.dng", "a.dng", "-o", "out"], ["transform", "a.dng", "-o", "x.dng", "--rotation", "45"],
      ["transform", "a.dng", "-o", "x.dng", "--compression", "zip"],
    ] {
      let outcome = try CommandRunner.run(arguments, in: folder.url)
      #expect(outcome.code == 64, "\(arguments): \(outcome.code) \(outcome.errors)")
      #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
    }
    #expect(folder.contents == ["a.dng", "b.dng"])
  }

  @Test func existingOutputsAreRefusedSkippedOrReplaced() throws {
    #expect(try run("develop", "a.dng", "-o", "a.png").code == 0)
    let first = try bytes("a.png")
    let refused = try run("develop", "b.dng", "-o", "a.png")
    #expect(refused.code == 73)
    #expect(try bytes("a.png") == first)
    #expect(try run("develop", "b.dng", "-o", "a.png", "--skip-existing").code == 0)
    #expect(try bytes("a.png") == first)
    #expect(try run("develop", "b.dng", "-o", "a.png", "--overwrite").code == 0)
    #expect(try bytes("a.png") != first)
    #expect(folder.contents == ["a.dng", "a.png", "b.dng"])
  }

  @Test func badInputsHaveTheirCodesAndLeaveNothing() throws {
    #expect(try run("develop", "missing.dng", "-o", "x.jpg").code == 66)
    let whole = try bytes("a.dng")
    for (name, data) in [
      ("empty.dng", Data()), ("short.dng", whole.prefix(whole.count / 2)), ("header.dng", whole.prefix(200)),
      ("text.dng", Data("hello, world, this is no picture".utf8)),
    ] {
      try data.write(to: folder.url.appendingPathComponent(name))
      let outcome = try run("develop", name, "-o", "x.jpg")
      #expect(outcome.code == 65, "\(name): \(outcome.code) \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains(name), "\(outcome.errors)")
    }
    #expect(!folder.contents.contains("x.jpg"))
  }

  @Test func severalInputsGiveOneOrTwo() throws {
    try Data("no raw".utf8).write(to: folder.url.appendingPathComponent("bad.dng"))
    #expect(try run("develop", "a.dng", "bad.dng", "-o", "some/").code == 1)
    #expect(try run("develop", "missing.dng", "bad.dng", "-o", "none/").code == 2)
  }

  @Test func standardOutputCarriesThePictureAlone() throws {
    let piped = try run(
      "develop", "a.dng", "-o", "-", "--format", "png", "--json", "--verbose", "--progress", "plain")
    #expect(piped.code == 0, "\(piped.errors)")
    #expect(try run("develop", "a.dng", "-o", "a.png").code == 0)
    #expect(piped.output == (try bytes("a.png")))
  }

  @Test func standardInputIsAFile() throws {
    let command = CommandRunner.command.path
    let script = "'\(command)' develop - -o p.png < a.dng && '\(command)' info - < a.dng"
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", script]
    shell.currentDirectoryURL = folder.url
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(try run("develop", "a.dng", "-o", "a.png").code == 0)
    #expect(try bytes("p.png") == bytes("a.png"))
  }

  @Test func bytesDoNotDependOnJobs() throws {
    #expect(try run("batch", ".", "-o", "one", "--jobs", "1").code == 0)
    #expect(try run("batch", "a.dng", "b.dng", "-o", "two", "--jobs", "2").code == 0)
    for name in ["a.jpg", "b.jpg"] { #expect(try bytes("one/" + name) == bytes("two/" + name), "\(name)") }
  }

  @Test func folderLeavesOtherFilesAlone() throws {
    try Data("x".utf8).write(to: folder.url.appendingPathComponent("notes.txt"))
    #expect(try run("develop", "a.dng", "-o", "companion.jpg").code == 0)
    let outcome = try run("batch", ".", "-o", "out")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("2 files are no RAW"), "\(outcome.errors)")
    #expect(try run("batch", "notes.txt", "-o", "out2").code == 65)
  }

  @Test func reportIsOneJSONObjectALine() throws {
    let outcome = try run("batch", "a.dng", "missing.dng", "-o", "out", "--json")
    #expect(outcome.code == 1)
    let lines = outcome.output.split(separator: UInt8(ascii: "\n"))
    try #require(lines.count == 2)
    let objects = try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]) }
    #expect(objects[0]["status"] as? String == "written")
    #expect((objects[0]["outputSHA256"] as? String)?.count == 64)
    #expect(objects[1]["status"] as? String == "failed" && objects[1]["code"] as? Int == 66)
  }

  @Test func rehearsalTouchesNothing() throws {
    let outcome = try run("batch", "a.dng", "b.dng", "-o", "out", "--dry-run")
    #expect(outcome.code == 0)
    #expect(String(decoding: outcome.output, as: UTF8.self).contains("a.dng"))
    #expect(folder.contents == ["a.dng", "b.dng"])
  }

  @Test func namesMayHoldAnyBytes() throws {
    for name in ["with space.dng", "new\nline.dng", "ünïcode.dng"] {
      try bytes("a.dng").write(to: folder.url.appendingPathComponent(name))
    }
    let outcome = try run("batch", ".", "-o", "out")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("out/new\nline.jpg").path))
  }

  @Test func transformLaws() throws {
    #expect(try run("develop", "a.dng", "-o", "a.tif", "--bits", "16").code == 0)
    for step in 1...4 {
      let source = step == 1 ? "a.tif" : "r\(step - 1).tif"
      #expect(try run("transform", source, "-o", "r\(step).tif", "--rotation", "90").code == 0)
    }
    #expect(try run("transform", "a.tif", "-o", "r0.tif", "--rotation", "0").code == 0)
    #expect(try bytes("r4.tif") == bytes("r0.tif"))
    #expect(try run("transform", "a.tif", "-o", "m1.tif", "--mirroring", "on").code == 0)
    #expect(try run("transform", "m1.tif", "-o", "m2.tif", "--mirroring", "on").code == 0)
    #expect(try bytes("m2.tif") == bytes("r0.tif"))
  }

  @Test func mosaicsArePackedAsAskedAndDevelopTheSame() throws {
    try #require(try run("synth", "-o", "m.dng", "--size", "390x260", "--no-truth").code == 0)
    for (name, options) in [
      ("plain.dng", ["--compression", "none"]), ("packed.dng", []), ("again.dng", ["--jobs", "1"]),
    ] {
      let outcome = try CommandRunner.run(
        ["transform", "m.dng", "-o", name, "--rotation", "keep"] + options, in: folder.url)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try run("develop", name, "-o", name + ".png", "--strip").code == 0)
    }
    #expect(try bytes("plain.dng.png") == bytes("packed.dng.png"))
    #expect(try bytes("packed.dng") == bytes("again.dng"), "bytes depend on --jobs")
    #expect(try bytes("packed.dng").count * 4 < bytes("plain.dng").count * 3)
    let info = try run("info", "packed.dng")
    #expect(String(decoding: info.output, as: UTF8.self).contains("lossless JPEG"))
    #expect(try run("transform", "plain.dng.png", "-o", "x.tif", "--compression", "ljpeg").code == 64)
  }

  @Test func aFileCutOffInItsTagsIsCalledCutOff() throws {
    let whole = try bytes("a.dng")
    for length in [6, 9, 100, 300] {
      try whole.prefix(length).write(to: folder.url.appendingPathComponent("cut.dng"))
      for command in [["info", "cut.dng"], ["develop", "cut.dng", "-o", "x.jpg"]] {
        let outcome = try CommandRunner.run(command, in: folder.url)
        #expect(outcome.code == 65 && outcome.errors.contains("is cut off"), "\(length): \(outcome.errors)")
      }
    }
  }

  @Test(arguments: [("rggb", "7:5"), ("quad-grbg", "7:5"), ("xtrans", "1:1")])
  func mosaicCropsKeepThePhase(cfa: String, ratio: String) throws {
    #expect(try run("synth", "-o", "m.dng", "--cfa", cfa, "--size", "97x67", "--no-truth").code == 0)
    #expect(try run("transform", "m.dng", "-o", "c.dng", "--aspect-ratio", ratio).code == 0)
    let patterns = try ["m.dng", "c.dng"].map { name in
      let outcome = try run("info", name, "--json")
      let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      return object["cfa"] as? String
    }
    #expect(patterns[0] == patterns[1])
  }

  @Test func terminationLeavesNoPartialFile() throws {
    #expect(try run("synth", "-o", "big.dng", "--scene", "chart", "--size", "2000x1500", "--no-truth").code == 0)
    let logs = try TemporaryFolder()
    let inputs = (1...40).map { "n\($0).dng" }
    for name in inputs {
      try FileManager.default.copyItem(
        at: folder.url.appendingPathComponent("big.dng"), to: folder.url.appendingPathComponent(name))
    }
    let process = try CommandRunner.start(
      ["batch"] + inputs + ["-o", "out", "--format", "png"], in: folder.url,
      output: logs.url.appendingPathComponent("o"),
      errors: logs.url.appendingPathComponent("e"))
    Thread.sleep(forTimeInterval: 0.8)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 143)
    let out = folder.url.appendingPathComponent("out")
    for name in (try? FileManager.default.contentsOfDirectory(atPath: out.path)) ?? []
    where !name.hasSuffix(".journal") {
      #expect(name.hasSuffix(".png"), "\(name) is left over")
      let outcome = try run("transform", "out/" + name, "-o", "check-" + name)
      #expect(outcome.code == 0, "\(name) is partial: \(outcome.errors)")
    }
  }
}
