import Foundation
import TestSupport
import Testing

@Suite("merge and batch over brackets, as scripts use them")
struct MergeCommandTests {
  private func bracket(in folder: URL, stops: [Int] = [-2, 0, 2]) throws -> [String] {
    try stops.map { stop in
      let name = "f\(stop).dng"
      let made = try CommandRunner.run(
        ["synth", "-o", name, "--ev", "\(stop)", "--size", "192x144", "--white", "16383", "--no-truth"], in: folder)
      try #require(made.code == 0, "\(made.errors)")
      return name
    }
  }

  private func json(_ outcome: CommandOutcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
  }

  @Test("A bracket becomes a DNG that develops, with ratios, shifts and shares in the report")
  func dng() throws {
    let folder = try TemporaryFolder()
    let frames = try bracket(in: folder.url)
    let merged = try CommandRunner.run(
      ["merge"] + frames + ["-o", "hdr.dng", "--json", "--ghost-map", "map.png"], in: folder.url)
    try #require(merged.code == 0, "\(merged.errors)")
    let result = try #require(try json(merged)["result"] as? [String: Any])
    let report = try #require(result["merge"] as? [String: Any])
    let exposures = try #require(report["frames"] as? [[String: Any]]).compactMap { $0["exposure"] as? Double }
    for (exposure, expected) in zip(exposures, [0.25, 1, 4]) { #expect(abs(exposure / expected - 1) < 0.02) }
    #expect(report["reference"] as? Int == 1)
    #expect(result["frames"] as? [String] == frames)
    #expect(folder.contents.contains("map.png"))
    let developed = try CommandRunner.run(["develop", "hdr.dng", "-o", "hdr.png"], in: folder.url)
    #expect(developed.code == 0, "\(developed.errors)")
  }

  @Test("A bracket becomes a picture; threads change no byte")
  func picture() throws {
    let folder = try TemporaryFolder()
    let frames = try bracket(in: folder.url)
    for jobs in ["1", "5"] {
      let outcome = try CommandRunner.run(["merge"] + frames + ["-o", "\(jobs).png", "--jobs", jobs], in: folder.url)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let first = try Data(contentsOf: folder.url.appendingPathComponent("1.png"))
    #expect(try first == Data(contentsOf: folder.url.appendingPathComponent("5.png")))
  }

  @Test("What is no bracket ends with its code, names the frame and leaves nothing")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let frames = try bracket(in: folder.url)
    _ = try CommandRunner.run(["synth", "-o", "small.dng", "--size", "96x64", "--no-truth"], in: folder.url)
    let before = folder.contents
    let cases: [(arguments: [String], code: Int32, says: String)] = [
      ([frames[0], "small.dng"], 65, "small.dng is 96x64"), ([frames[0], "none.dng"], 66, "none.dng"),
      ([frames[0]], 64, "two frames"), (frames + ["--reference", "4"], 64, "1...3"),
      (frames + ["--reference", "0"], 64, "counts from 1"), (frames + ["--align", "sideways"], 64, "auto"),
    ]
    for (arguments, code, says) in cases {
      let outcome = try CommandRunner.run(["merge"] + arguments + ["-o", "out.dng"], in: folder.url)
      #expect(outcome.code == code, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
    #expect(folder.contents == before)
  }

  @Test("batch merges brackets and develops the rest; --brackets separate develops all")
  func batch() throws {
    let folder = try TemporaryFolder()
    let shoot = folder.url.appendingPathComponent("shoot")
    try FileManager.default.createDirectory(at: shoot, withIntermediateDirectories: true)
    _ = try bracket(in: shoot)
    let other = try CommandRunner.run(
      ["synth", "-o", "quad.dng", "--cfa", "quad-rggb", "--size", "96x64", "--no-truth"], in: shoot)
    try #require(other.code == 0)
    let merged = try CommandRunner.run(["batch", "shoot", "-o", "merged", "--format", "png"], in: folder.url)
    #expect(merged.code == 0, "\(merged.errors)")
    #expect(merged.errors.contains("3 files are 1 exposure bracket"))
    let separate = try CommandRunner.run(
      ["batch", "shoot", "-o", "all", "--format", "png", "--brackets", "separate"], in: folder.url)
    #expect(separate.code == 0, "\(separate.errors)")
    func names(_ folderName: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent(folderName).path)
        .filter { !$0.hasPrefix(".") }.sorted()
    }
    #expect(try names("merged") == ["f-2.png", "quad.png"])
    #expect(try names("all") == ["f-2.png", "f0.png", "f2.png", "quad.png"])
  }

  @Test("Finished pictures merge too, 8 and 16 bits alike")
  func pictures() throws {
    let folder = try TemporaryFolder()
    let frames = try bracket(in: folder.url)
    for bits in ["8", "16"] {
      var names: [String] = []
      for frame in frames {
        names.append("\(frame)-\(bits).png")
        let made = try CommandRunner.run(
          ["develop", frame, "-o", names[names.count - 1], "--bits", bits], in: folder.url)
        try #require(made.code == 0, "\(made.errors)")
      }
      let merged = try CommandRunner.run(["merge"] + names + ["-o", "out\(bits).jpg", "--json"], in: folder.url)
      try #require(merged.code == 0, "\(merged.errors)")
      let result = try #require(try json(merged)["result"] as? [String: Any])
      let report = try #require(result["merge"] as? [String: Any])
      let exposures = try #require(report["frames"] as? [[String: Any]]).compactMap { $0["exposure"] as? Double }
      #expect(exposures == exposures.sorted() && exposures.count == 3, "\(exposures)")
    }
  }
}

@Suite("Real brackets", .enabled(if: RealData.isAvailable))
struct RealBracketTests {
  private func frames(_ names: [String], _ options: [String]) throws -> [[String: Any]] {
    let folder = try TemporaryFolder()
    let stacks = try #require(RealData.folder).appendingPathComponent("stacks")
    let paths = names.map { stacks.appendingPathComponent($0).path }
    let outcome = try CommandRunner.run(
      ["merge"] + paths + options + ["-o", "out.dng", "--json", "--quiet"], in: folder.url)
    try #require(outcome.code == 0, "\(outcome.errors)")
    let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    let result = try #require(report["result"] as? [String: Any])
    let merge = try #require(result["merge"] as? [String: Any])
    return try #require(merge["frames"] as? [[String: Any]])
  }

  @Test("Crops of one picture are found at their places")
  func knownOffsets() throws {
    let names = (1...4).map { "hdrmerge-align-sample\($0).png" }
    let expected: [Int: (Double, Double)] = [0: (0, 0), 1: (20, 32), 2: (38, 26), 3: (32, -4)]
    for frame in try frames(names, ["--reference", "1"]) {
      let index = try #require(frame["index"] as? Int)
      // The content moves against the crop's origin.
      #expect(frame["shiftX"] as? Double == expected[index].map { -$0.0 }, "frame \(index + 1)")
      #expect(frame["shiftY"] as? Double == expected[index].map { -$0.1 }, "frame \(index + 1)")
    }
  }

  @Test("Ratios of a real bracket are those of its pixels")
  func ratios() throws {
    let found = try frames((1...3).map { "hdrmerge-d5000-sample\($0).dng" }, [])
    let exposures = found.compactMap { $0["exposure"] as? Double }
    try #require(exposures.count == 3)
    #expect(abs(exposures[1] / exposures[0] / 3.94 - 1) < 0.02, "\(exposures)")
    #expect(abs(exposures[2] / exposures[1] / 4.13 - 1) < 0.02, "\(exposures)")
  }
}
