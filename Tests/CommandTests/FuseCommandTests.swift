import Foundation
import TestSupport
import Testing

@Suite("fuse, synth shot and batch over shots, as scripts use them")
struct FuseCommandTests {
  private func shot(_ name: String = "s", _ options: [String] = [], size: String = "576x384", in folder: URL) throws {
    let made = try CommandRunner.run(
      ["synth", "shot", "-o", name, "--size", size, "--frames", "2", "--no-truth"] + options, in: folder)
    try #require(made.code == 0, "\(made.errors)")
  }

  private func result(_ outcome: CommandOutcome) throws -> [String: Any] {
    let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    return try #require(report["result"] as? [String: Any])
  }

  private let base = ["s/shot-base-1.dng", "s/shot-base-2.dng"]

  @Test("A shot becomes a linear DNG with figures and maps, which develops to the same size")
  func dng() throws {
    let folder = try TemporaryFolder()
    try shot(in: folder.url)
    let fused = try CommandRunner.run(
      ["fuse", "--detail", "s/shot-detail.dng", "--base"] + base
        + ["-o", "f.dng", "--json", "--source-map", "m.png", "--ghost-map", "g.png"], in: folder.url)
    try #require(fused.code == 0, "\(fused.errors)")
    let result = try result(fused)
    let report = try #require(result["fuse"] as? [String: Any])
    #expect(report["decision"] as? String == "fused" && report["ratio"] as? String == "17/24")
    for key in ["reason", "resolution", "noise", "baseNoise", "fusion", "lightAtWhite"] {
      #expect(report[key] != nil, "\(key)")
    }
    let stages = try #require(result["stages"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    #expect(stages == ["read", "merge", "demosaic", "fuse", "encode"])
    #expect(Set(folder.contents).isSuperset(of: ["m.png", "g.png"]))
    let info = try CommandRunner.run(["info", "f.dng", "--json"], in: folder.url)
    #expect(String(decoding: info.output, as: UTF8.self).contains("408"), "\(info.errors)")
    let developed = try CommandRunner.run(["develop", "f.dng", "-o", "f.png", "--json"], in: folder.url)
    try #require(developed.code == 0, "\(developed.errors)")
    let size = try #require(try self.result(developed)["size"] as? [String: Any])
    #expect(size["width"] as? Int == 408 && size["height"] as? Int == 272)
  }

  @Test("Frames tell themselves apart, a list names them, a folder is searched; threads change no byte")
  func inputs() throws {
    let folder = try TemporaryFolder()
    try shot(in: folder.url)
    let runs: [(name: String, arguments: [String])] = [
      ("a.png", ["--detail", "s/shot-detail.dng"] + base + ["-o", "a.png", "--jobs", "1"]),
      ("b.png", base + ["s/shot-detail.dng", "-o", "b.png", "--jobs", "5"]),
      ("c.png", ["s/shot.shot.json", "-o", "c.png"]),
      ("out/shot-detail.png", ["s", "-o", "out/", "--format", "png"]),
    ]
    for (_, arguments) in runs {
      let outcome = try CommandRunner.run(["fuse"] + arguments, in: folder.url)
      #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
    }
    let first = try Data(contentsOf: folder.url.appendingPathComponent("a.png"))
    for (name, arguments) in runs {
      #expect(try Data(contentsOf: folder.url.appendingPathComponent(name)) == first, "\(arguments)")
    }
  }

  @Test("What is no shot ends with its code, says why and leaves nothing")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try shot(in: folder.url)
    try shot("e", ["--enlarged", "--electrons", "4000"], in: folder.url)
    try shot("o", ["--scene", "dead-leaves", "--seed", "9"], in: folder.url)
    try shot("t", size: "768x384", in: folder.url)
    for (name, options) in [("gmcy.dng", ["--cfa", "gmcy"]), ("other.dng", [])] {
      let made = try CommandRunner.run(
        ["synth", "-o", name, "--size", "288x192", "--no-truth"] + options, in: folder.url)
      try #require(made.code == 0, "\(made.errors)")
    }
    let before = folder.contents
    let detail = ["--detail", "s/shot-detail.dng"]
    let cases: [(arguments: [String], code: Int32, says: String)] = [
      (["--detail", "o/shot-detail.dng"] + base, 65, "different scenes"),
      (["--detail", "e/shot-detail.dng", "e/shot-base-1.dng"], 65, "enlarged"),
      (["--detail", base[0], base[1]], 65, "higher resolution"),
      (detail + ["t/shot-base-1.dng"], 65, "twice"),
      (detail + base + ["t/shot-base-1.dng"], 65, "one size"),
      (detail + ["other.dng"], 65, "was taken by"), (detail + ["gmcy.dng"], 65, "was taken by"),
      (detail + base + ["o/shot-base-1.dng"], 65, "shot-base-1.dng"),
      (detail + ["none.dng"], 66, "none.dng"), (base, 65, "no frames of one shot"),
      (["s/shot-detail.dng"], 65, "no frames of one shot"), (detail, 64, "no base frames"),
      (["--base", base[0]], 64, "--detail"), (detail + base + ["--gate", "ajar"], 64, "auto"),
      (detail + base + ["--reference", "e/shot-base-1.dng"], 64, "none of the base frames"), ([], 64, "no input"),
    ]
    for (arguments, code, says) in cases {
      let outcome = try CommandRunner.run(["fuse"] + arguments + ["-o", "out.dng"], in: folder.url)
      #expect(outcome.code == code, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
    #expect(folder.contents == before)
    let alone = try CommandRunner.run(["synth", "shot", "-o", "x", "--fresh-noise"], in: folder.url)
    #expect(alone.code == 64 && alone.errors.contains("--enlarged"), "\(alone.errors)")
  }

  @Test("batch fuses shots when 24MP are asked for, and develops each frame otherwise")
  func batch() throws {
    let folder = try TemporaryFolder()
    try shot(in: folder.url)
    func names(_ arguments: [String]) throws -> [String] {
      let outcome = try CommandRunner.run(
        ["batch", "s", "-o", "out", "--format", "jpeg", "--brackets", "separate", "--dry-run"] + arguments,
        in: folder.url)
      #expect(outcome.code == 0, "\(outcome.errors)")
      return String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").compactMap {
        $0.split(separator: "/").last.map(String.init)
      }
    }
    let all = ["shot-base-1.jpg", "shot-base-2.jpg", "shot-detail.jpg"]
    #expect(try names(["--size", "24MP"]) == ["shot-detail.jpg"])
    #expect(try names([]) == all)
    #expect(try names(["--size", "24MP", "--shots", "separate"]) == all)
    let illegal = try CommandRunner.run(
      ["batch", "s", "-o", "out", "--size", "24MP", "--set", "photoQualityPrioritization=balanced"], in: folder.url)
    #expect(illegal.code == 64 && illegal.errors.contains("24MP"), "\(illegal.errors)")
    let run = try CommandRunner.run(
      ["batch", "s", "-o", "out", "--set", "maxPhotoDimensions=24MP", "--json"], in: folder.url)
    try #require(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("3 files are 1 shot and are fused"))
    #expect((try result(run)["fuse"] as? [String: Any])?["decision"] as? String == "fused")
  }
}
