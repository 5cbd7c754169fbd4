import Foundation
import TestSupport
import Testing

/// `watch` and `finish` as processes: what arrives, what comes out, what is left after a crash.
@Suite("Watch and finish")
struct WatchCommandTests {
  let bench: WatchBench

  init() throws { bench = try WatchBench() }

  @Test("What is there is taken, finals are the bytes of batch, and nothing is done twice", arguments: [false, true])
  func finalsAreThoseOfBatch(isDeferred: Bool) throws {
    try bench.drop(["a.dng", "b.dng", "c d.dng"])
    try Data("notes".utf8).write(to: bench.input.appendingPathComponent("readme.txt"))
    let mode = isDeferred ? ["--deferred"] : []
    let first = try bench.run(["--idle-exit", "0", "--json", "--aspect-ratio", "1:1"] + mode)
    #expect(first.code == 0 && first.errors.isEmpty, "\(first.errors)")
    let lines = try WatchBench.lines(first.output)
    let stages = lines.compactMap { $0["stage"] as? String }.sorted()
    #expect(
      stages == (isDeferred ? ["final", "final", "final", "proxy", "proxy", "proxy"] : ["photo", "photo", "photo"]))
    #expect(lines.allSatisfy { $0["status"] as? String == "written" && ($0["outputSHA256"] as? String)?.count == 64 })
    try bench.batch(["--aspect-ratio", "1:1"])
    try bench.expectFinals(["a.jpg", "b.jpg", "c d.jpg"])
    let before = try bench.modified("a.jpg")
    let again = try bench.run(["--idle-exit", "0", "--json", "--aspect-ratio", "1:1"] + mode)
    #expect(again.code == 0 && again.output.isEmpty, "\(String(decoding: again.output, as: UTF8.self))")
    #expect(try bench.modified("a.jpg") == before)
  }

  @Test("Files are taken when they are complete, not while they are written")
  func arrivals() throws {
    let watch = try bench.start(["--idle-exit", "2", "--json"])
    try bench.wait("the watch is running") { bench.journalExists }
    let data = try Data(contentsOf: bench.sample)
    let slow = bench.input.appendingPathComponent("slow.dng")
    _ = FileManager.default.createFile(atPath: slow.path, contents: nil)
    let handle = try FileHandle(forWritingTo: slow)
    try handle.write(contentsOf: data.prefix(data.count / 2))
    try handle.synchronize()
    usleep(1_500_000)  // longer than a file must rest
    #expect(!bench.outputs.contains("slow.jpg"))
    try handle.write(contentsOf: data.suffix(from: data.count / 2))
    try handle.close()
    let hidden = bench.input.appendingPathComponent(".moved.part")
    try data.write(to: hidden)
    try FileManager.default.moveItem(at: hidden, to: bench.input.appendingPathComponent("moved.dng"))
    try FileManager.default.linkItem(at: bench.sample, to: bench.input.appendingPathComponent("linked.dng"))
    watch.process.waitUntilExit()
    #expect(watch.process.terminationStatus == 0, "\(watch.errors)")
    let lines = try WatchBench.lines(Data(contentsOf: watch.output))
    #expect(lines.count == 3, "each file once: \(lines.compactMap { $0["path"] })")
    try bench.batch([])
    try bench.expectFinals(["linked.jpg", "moved.jpg", "slow.jpg"])
  }

  @Test func aSecondWatcherIsRefusedAndADeadOneIsNot() throws {
    let first = try bench.start([])
    try bench.wait("the watch is running") { bench.journalExists }
    let others = [["watch", "in", "-o", "elsewhere"], ["watch", "other", "-o", "out"]]
    try FileManager.default.createDirectory(
      at: bench.folder.url.appendingPathComponent("other"), withIntermediateDirectories: true)
    for words in others {
      let refused = try CommandRunner.run(words, in: bench.folder.url)
      #expect(refused.code == 73 && refused.errors.contains("already"), "\(words): \(refused.code) \(refused.errors)")
    }
    kill(first.process.processIdentifier, SIGKILL)
    first.process.waitUntilExit()
    #expect(try bench.run(["--idle-exit", "0"]).code == 0)
    #expect(try CommandRunner.run(["watch", "in", "-o", "in"], in: bench.folder.url).code == 64)
    #expect(try CommandRunner.run(["watch", "none", "-o", "out"], in: bench.folder.url).code == 66)
    #expect(try CommandRunner.run(["watch", "in", "-o", "out", "--format", "dng"], in: bench.folder.url).code == 64)
    #expect(try CommandRunner.run(["finish", "in"], in: bench.folder.url).code == 66)
  }

  @Test("kill -9 at any moment: every shot once, nothing half-written")
  func killed() throws {
    let names = (1...6).map { "\($0).dng" }
    var reports: [[String: Any]] = []
    var delay: UInt32 = 11
    try bench.drop(Array(names.prefix(3)))
    for round in 0..<5 {
      let watch = try bench.start(["--deferred", "--idle-exit", "0", "--json"])
      delay = (delay &* 1_664_525 &+ 1_013_904_223)
      usleep(20_000 + delay % 180_000)
      if round == 2 { try bench.drop(Array(names.suffix(3))) }
      kill(watch.process.processIdentifier, SIGKILL)
      watch.process.waitUntilExit()
      reports += try WatchBench.lines(Data(contentsOf: watch.output), isCut: true)
      for name in bench.outputs { #expect(name.hasSuffix(".jpg"), "\(name) is no picture") }
    }
    let last = try bench.run(["--deferred", "--idle-exit", "0", "--json"])
    #expect(last.code == 0, "\(last.errors)")
    reports += try WatchBench.lines(last.output)
    try bench.batch([])
    try bench.expectFinals(names.map { $0.replacingOccurrences(of: ".dng", with: ".jpg") })
    let finals = reports.filter { $0["stage"] as? String == "final" }.compactMap { $0["path"] as? String }
    #expect(finals.count == Set(finals).count, "a final was reported twice: \(finals)")
  }

  @Test("Signals finish what is being written", arguments: [SIGINT, SIGTERM])
  func signals(number: Int32) throws {
    try bench.drop(["a.dng", "b.dng"])
    let watch = try bench.start(["--readiness", "stderr"])
    try bench.wait("a picture is written") { bench.outputs.contains("a.jpg") }
    kill(watch.process.processIdentifier, number)
    watch.process.waitUntilExit()
    #expect(watch.process.terminationReason == .exit)
    #expect(watch.process.terminationStatus == (number == SIGINT ? 130 : 143))
    let states = try WatchBench.lines(Data(watch.errors.utf8)).compactMap { $0["readiness"] as? String }
    #expect(states.first == "ready" && states.last == "sessionNotRunning", "\(states)")
    #expect(try bench.run(["--idle-exit", "0"]).code == 0)
    try bench.batch([])
    try bench.expectFinals(["a.jpg", "b.jpg"])
  }

  @Test(
    "A rapid series that asks for quality becomes balanced, and says so; its bytes are those of batch at balanced")
  func rapidSeries() throws {
    let big = bench.folder.url.appendingPathComponent("big.dng")
    let made = try CommandRunner.run(
      ["synth", "-o", "big.dng", "--size", "900x600", "--no-truth"], in: bench.folder.url)
    try #require(made.code == 0)
    let quality = ["--brackets", "separate", "--set", "photoQualityPrioritization=quality"]
    let watch = try bench.start(quality + ["--json", "--idle-exit", "1", "--readiness", "stderr"])
    // Files that are there at the start are no series: its first reading of the folder must be over.
    try bench.wait("the watch is ready") { watch.errors.contains("\"ready\"") }
    try bench.drop(["a.dng", "b.dng"], of: big)
    watch.process.waitUntilExit()
    let lines = try WatchBench.lines(Data(contentsOf: watch.output))
    try #require(lines.count == 2, "\(watch.errors)")
    #expect(lines[0]["reasons"] == nil && lines[1]["reasons"] as? [String] == ["fast-capture"])
    let recipe = try #require(lines[1]["recipe"] as? [String: Any])
    #expect(recipe["photoQualityPrioritization"] as? String == "balanced")
    for (name, prioritization) in [("a.jpg", "quality"), ("b.jpg", "balanced")] {
      try bench.batch(["--brackets", "separate", "--set", "photoQualityPrioritization=\(prioritization)"])
      let theirs = try Data(contentsOf: bench.folder.url.appendingPathComponent("batch/\(name)"))
      #expect(try Data(contentsOf: bench.output.appendingPathComponent(name)) == theirs, "\(name)")
    }
    try FileManager.default.removeItem(at: bench.output)
    try bench.drop(["c.dng"])
    let kept = try bench.run(quality + ["--json", "--idle-exit", "0", "--no-fast-capture"])
    #expect(try WatchBench.lines(kept.output).allSatisfy { $0["reasons"] == nil })
  }

  @Test func processingTimesAreShownAndIllegalPairsRefused() throws {
    try bench.drop(["a.dng"])
    #expect(try bench.run(["--idle-exit", "0"]).code == 0)
    let words = [
      "camera", "resolve", "--max-dimensions", "12MP", "--prioritization", "balanced", "--json", "--journal",
    ]
    let line = try #require(
      try WatchBench.lines(CommandRunner.run(words + ["out"], in: bench.folder.url).output).first)
    let range = try #require(line["photoProcessingTimeRange"] as? [String: Double])
    #expect(range["shortest"] ?? 0 > 0 && range["shortest"] ?? 1 <= range["longest"] ?? 0)
    #expect(try CommandRunner.run(words + ["in"], in: bench.folder.url).code == 66)
    for verb in [
      ["develop", "sample.dng", "-o", "x.jpg"], ["batch", "in", "-o", "new"], ["watch", "in", "-o", "new"],
    ] {
      let illegal = ["--set", "maxPhotoDimensions=48MP", "--set", "photoQualityPrioritization=speed"]
      let refused = try CommandRunner.run(verb + illegal, in: bench.folder.url)
      #expect(refused.code == 64 && refused.errors.contains("48MP is not made at prioritization speed"), "\(verb)")
    }
    #expect(!FileManager.default.fileExists(atPath: bench.folder.url.appendingPathComponent("new").path))
  }

  @Test func aFolderThatGoesAwayEndsTheWatch() throws {
    let watch = try bench.start([])
    try bench.wait("the watch is running") { bench.journalExists }
    usleep(100_000)
    try FileManager.default.removeItem(at: bench.input)
    watch.process.waitUntilExit()
    #expect(watch.process.terminationStatus == 66 && watch.errors.contains("removed"), "\(watch.errors)")
  }

  @Test func aBadFileFailsAloneAndIsTakenAgainWhenItChanges() throws {
    try bench.drop(["good.dng"])
    let bad = bench.input.appendingPathComponent("bad.dng")
    try Data(contentsOf: bench.sample).prefix(3000).write(to: bad)
    let first = try bench.run(["--idle-exit", "0", "--json"])
    #expect(first.code == 1 && first.errors.contains("bad.dng: "), "\(first.errors)")
    #expect(bench.outputs == ["good.jpg"])
    let again = try bench.run(["--idle-exit", "0", "--json"])
    #expect(again.code == 0 && again.output.isEmpty, "a bad file stays bad: \(again.errors)")
    let wanted = try bench.run(["--idle-exit", "0", "--json", "--retry-failed"])
    #expect(try WatchBench.lines(wanted.output).count == 1 && wanted.code == 65)
    try FileManager.default.removeItem(at: bad)
    try bench.drop(["bad.dng"])
    #expect(try bench.run(["--idle-exit", "0"]).code == 0)
    try bench.batch([])
    try bench.expectFinals(["bad.jpg", "good.jpg"])
  }

  @Test func existingOutputsAndMeetingNamesAreRefused() throws {
    try bench.drop(["a.dng", "A.DNG"])
    let met = try bench.run(["--idle-exit", "0"])
    #expect(met.code == 1 && met.errors.contains("--name"), "\(met.code) \(met.errors)")
    #expect(bench.outputs.count == 1, "\(bench.outputs)")
  }

  @Test func aPictureThatIsThereIsKept() throws {
    try Data("mine".utf8).write(to: bench.output.appendingPathComponent("b.jpg"))
    try bench.drop(["b.dng"])
    let refused = try bench.run(["--idle-exit", "0"])
    #expect(refused.code == 73 && refused.errors.contains("--overwrite"), "\(refused.code) \(refused.errors)")
    #expect(try Data(contentsOf: bench.output.appendingPathComponent("b.jpg")) == Data("mine".utf8))
    #expect(try bench.run(["--idle-exit", "0", "--overwrite"]).code == 0)
    #expect(try Data(contentsOf: bench.output.appendingPathComponent("b.jpg")).count > 100)
  }

  @Test("Finish asks a running watch, or makes the finals itself")
  func finish() throws {
    try bench.drop(["a.dng", "b.dng"])
    let watch = try bench.start(["--deferred", "--aspect-ratio", "1:1"])
    try bench.wait("proxies are there") { bench.proxies.count == 2 || bench.outputs.count == 2 }
    let asked = try CommandRunner.run(["finish", "out"], in: bench.folder.url)
    #expect(asked.code == 0 && bench.outputs == ["a.jpg", "b.jpg"], "\(asked.errors) \(bench.outputs)")
    #expect(watch.process.isRunning)
    kill(watch.process.processIdentifier, SIGKILL)
    watch.process.waitUntilExit()
    try bench.drop(["c.dng"])
    let proxy = try bench.start(["--deferred", "--aspect-ratio", "1:1"])
    try bench.wait("the proxy is there") { bench.proxies == ["c.jpg"] }
    kill(proxy.process.processIdentifier, SIGKILL)
    proxy.process.waitUntilExit()
    let own = try CommandRunner.run(["finish", "out", "--json"], in: bench.folder.url)
    #expect(own.code == 0, "\(own.errors)")
    try bench.batch(["--aspect-ratio", "1:1"])
    try bench.expectFinals(["a.jpg", "b.jpg", "c.jpg"])
  }

  @Test func aShotThatCannotBeWrittenFailsAloneAndIsTriedAtTheNextStart() throws {
    try bench.drop(["a.dng"])
    let limited = Process()
    limited.executableURL = URL(fileURLWithPath: "/bin/bash")
    // Room for the journal (its log and ballast), not for the picture, in units of 1 KiB.
    limited.arguments = [
      "-c", "ulimit -f 1536; exec '\(CommandRunner.command.path)' watch in -o out --idle-exit 0 --format tiff",
    ]
    limited.currentDirectoryURL = bench.folder.url
    let errors = Pipe()
    limited.standardError = errors
    try bench.synth("a.dng", size: "1200x900")
    try limited.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    limited.waitUntilExit()
    #expect(limited.terminationStatus == 74 && text.contains("a.dng"), "\(limited.terminationStatus) \(text)")
    #expect(bench.outputs.isEmpty)
    let again = try bench.run(["--idle-exit", "0", "--format", "tiff"])
    #expect(again.code == 0 && bench.outputs == ["a.tif"], "\(again.errors)")
  }
}
