import Foundation
import TestSupport
import Testing

/// `camera …`: what scripts read, and what is refused.
@Suite("Camera commands")
struct CameraCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func objects(_ arguments: String...) throws -> [[String: Any]] {
    let outcome = try CommandRunner.run(["camera"] + arguments + ["--json"], in: folder.url)
    try #require(outcome.code == 0, "\(arguments): \(outcome.errors)")
    return try outcome.output.split(separator: UInt8(ascii: "\n")).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
  }

  @Test func everyCommandHasHelpWithExamples() throws {
    for name in [[], ["list"], ["direction"], ["resolve"], ["layout"], ["replay"]] {
      let help = try CommandRunner.run(["camera"] + name + ["--help"], in: folder.url)
      let text = String(decoding: help.output, as: UTF8.self)
      #expect(help.code == 0 && text.contains("Examples:") && help.errors.isEmpty, "\(name)")
    }
  }

  @Test func listDerivesTheVirtualCamera() throws {
    let cameras = try objects("list", "--posture", "open")
    #expect(cameras.compactMap { $0["name"] as? String } == ["outer", "inner", "rear", "front"])
    let formats = try #require(cameras[3]["formats"] as? [[String: Any]])
    try #require(formats.count == 1)
    let video = try #require(formats[0]["video"] as? [String: Any])
    #expect(video["maxFrameRate"] as? Int == 60 && formats[0]["depth"] as? Bool == false)
    #expect((video["dimensions"] as? [String: Int]) == ["width": 1920, "height": 1080])
    #expect(cameras[3]["active"] as? String == "inner")
  }

  @Test func directionAsTheTableHasIt() throws {
    let rows: [(String, String, [String], [String])] = [
      ("closed", "outer", ["outer"], ["rear"]), ("open", "inner", ["inner"], ["outer", "rear"]),
      ("open-flipped", "outer", ["outer", "rear"], ["inner"]), ("open", "outer", ["outer", "rear"], ["inner"]),
    ]
    for (posture, view, forward, backward) in rows {
      let line = try objects("direction", "--posture", posture, "--view", view)[0]
      #expect(line["forward"] as? [String] == forward && line["backward"] as? [String] == backward, "\(line)")
    }
    #expect(try objects("direction", "--posture", "open").compactMap { $0["view"] as? String } == ["outer", "inner"])
  }

  @Test("Illegal requests exit with 64 and name the rule")
  func refusals() throws {
    let cases: [([String], String)] = [
      (["resolve", "--camera", "rear", "--max-dimensions", "48MP", "--prioritization", "speed"], "not made at"),
      (["resolve", "--camera", "rear", "--max-dimensions", "24MP", "--prioritization", "balanced"], "not made at"),
      (["resolve", "--camera", "rear", "--max-dimensions", "18MP"], "square front cameras"),
      (["direction", "--posture", "closed", "--view", "inner"], "shows no view on its inner display"),
      (
        [
          "resolve", "--camera", "rear", "--max-dimensions", "12MP", "--prioritization", "quality", "--cap",
          "balanced",
        ],
        "maxPhotoQualityPrioritization"
      ),
      (["resolve", "--camera", "rear", "--max-dimensions", "48MP", "--preset", "high"], "photo preset"),
      (["resolve", "--camera", "inner", "--max-dimensions", "12MP", "--posture", "closed"], "faces nobody"),
      (["layout", "--camera", "rear", "--aspect-ratio", "1:1", "--place", "10x10"], "aspect ratio"),
      (["frobnicate"], "frobnicate"), ([], "name one of"), (["direction"], "--posture"),
    ]
    for (arguments, rule) in cases {
      let outcome = try CommandRunner.run(["camera"] + arguments, in: folder.url)
      #expect(outcome.code == 64 && outcome.output.isEmpty, "\(arguments): \(outcome.code)")
      #expect(outcome.errors.contains(rule), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func resolveAndLayoutReport() throws {
    let bright = try objects(
      "resolve", "--camera", "rear", "--max-dimensions", "24MP", "--prioritization", "quality", "--iso", "800")[0]
    #expect(bright["size"] as? String == "24MP" && (bright["reasons"] as? [String])?.isEmpty == true)
    let dark = try objects("resolve", "--max-dimensions", "48MP", "--iso", "3200")[0]
    #expect(dark["size"] as? String == "12MP" && dark["reasons"] as? [String] == ["low-light-noise"])
    let layout = try objects("layout", "--picture", "4:3", "--place", "2000x1200", "--placement", "leading")[0]
    #expect(layout["preview"] as? [String: Int] == ["x": 0, "y": 0, "width": 1600, "height": 1200])
    #expect(layout["free"] as? [[String: Int]] == [["x": 1600, "y": 0, "width": 400, "height": 1200]])
  }

  @Test("The burst demonstration: 1 photo with everything off, 5 with everything on")
  func burst() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../Fixtures/burst.json"
    ).path
    for (options, photos) in [("none", 1), ("all", 5)] {
      let last = try #require(try objects("replay", script, "--options", options).last)
      let summary = try #require(last["summary"] as? [String: Any])
      #expect(summary["photos"] as? Int == photos, "\(options): \(summary)")
    }
  }

  @Test func badScriptsAreRefusedByName() throws {
    let scripts: [(String, String, Int32)] = [
      ("{", "no JSON", 64), ("[]", "expected an object", 64), ("{}", "has no events", 64),
      (#"{"events":[],"flavour":1}"#, "flavour", 64), (#"{"events":[{"at":-1,"do":"fold"}]}"#, "at is -1", 64),
      (#"{"events":[{"at":1,"do":"dance"}]}"#, "dance", 64), (#"{"events":[{"at":1}]}"#, "has no do", 64),
      (#"{"events":[{"at":1,"do":"fold","extra":2}]}"#, "extra", 64),
      (#"{"events":[{"at":2,"do":"fold"},{"at":1,"do":"unfold"}]}"#, "earlier", 64),
      (#"{"events":[{"at":1,"do":"shutter"}],"camera":"rear"}"#, "costs say nothing", 64),
      (#"{"events":[{"at":1e99,"do":"fold"}]}"#, "expected seconds", 64),
    ]
    for (text, finding, code) in scripts {
      try Data(text.utf8).write(to: folder.url.appendingPathComponent("s.json"))
      let outcome = try CommandRunner.run(["camera", "replay", "s.json"], in: folder.url)
      #expect(outcome.code == code && outcome.errors.contains(finding), "\(text): \(outcome.errors)")
    }
    #expect(try CommandRunner.run(["camera", "replay", "missing.json"], in: folder.url).code == 66)
  }
}
