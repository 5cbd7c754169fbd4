import CaptureModel
import Foundation
import Glibc
import HDRMerge
import ImageCore
import RawFiles
import Synthesis
import Synchronization
import TIFFTags
import TestSupport
import Testing

@testable import Pipeline

@Suite("Parts of a hot folder")
struct HotFolderTests {
  private let folder: TemporaryFolder
  private var input: FilePath { FilePath(folder.url.appendingPathComponent("in").path) }
  private var output: FilePath { FilePath(folder.url.appendingPathComponent("out").path) }

  init() throws {
    folder = try TemporaryFolder()
    try input.makeFolder()
    try output.makeFolder()
  }

  private func write(_ name: String, exposure: Double? = nil, time: String? = nil) throws {
    var photo = Synthesizer.capture(
      Scene(SceneRecipe(kind: .chart, size: PixelSize(width: 96, height: 64))), sensor: SensorRecipe()
    ).photo
    (photo.facts.exposureTime, photo.facts.dateTime, photo.facts.iso) = (exposure, time, exposure.map { _ in 100 })
    let file = try AtomicFile(input.appending(Array(name.utf8)), existing: .overwrite)
    let encoder = DNGEncoder(options: DNGWriteOptions(), software: "test")
    _ = try encoder.encode(photo, metadataFrom: nil, into: file.descriptor, resources: Resources())
    try file.commit()
  }

  /// Runs a hot folder over what is there; its reports.
  private func run(
    _ settings: ShotSettings = ShotSettings(recipe: Recipe()), isDeferred: Bool = false
  ) throws -> [ShotReport] {
    var options = HotFolderOptions(
      input: input, output: output, settings: settings, maxMemory: 1 << 30, software: "test")
    (options.isDeferred, options.idleExit, options.jobs) = (isDeferred, 0, 2)
    let reports = Mutex<[ShotReport]>([])
    let hot = try HotFolder(options) { report in reports.withLock { $0.append(report) } }
    _ = try hot.run()
    return reports.withLock { $0 }
  }

  @Test("Brackets become one picture, other frames one each", arguments: [false, true])
  func brackets(isDeferred: Bool) throws {
    let time = "2026:01:02 03:04:05"
    for (name, exposure) in [("1.dng", 0.01), ("2.dng", 0.04), ("3.dng", 0.0025)] {
      try write(name, exposure: exposure, time: time)
    }
    try write("4.dng", exposure: 0.01, time: "2026:01:02 03:10:00")
    try write("5.dng")
    let reports = try run(isDeferred: isDeferred)
    let finals = reports.filter { $0.stage != "proxy" }
    #expect(finals.allSatisfy { $0.job.status == .written }, "\(finals.compactMap(\.job.message))")
    #expect(
      finals.compactMap { $0.job.output }.sorted()
        == ["1.jpg", "4.jpg", "5.jpg"].map { output.appending(Array($0.utf8)).string })
    #expect(finals.compactMap { $0.job.result?.frames?.count } == [3])
    #expect(reports.count == (isDeferred ? 5 : 0) + 3)
    #expect(try run(isDeferred: isDeferred).isEmpty)
    let apart = try BracketScanner().split(InputScanner().inputs(of: [input]))
    #expect(apart.brackets.map { $0.map(\.path.shortName) } == [["1.dng", "2.dng", "3.dng"]])
  }

  @Test("Runs of captures are those that brackets are chosen from")
  func series() {
    let grouping = BracketGrouping()
    func candidate(_ second: Int, _ exposure: Double?) -> BracketGrouping.Candidate {
      var facts = CaptureFacts()
      facts.dateTime = "2026:01:02 03:04:" + (second < 10 ? "0" : "") + "\(second)"
      (facts.exposureTime, facts.iso) = (exposure, 100)
      return BracketGrouping.Candidate(facts: facts, size: PixelSize(width: 4, height: 4), pattern: "rggb")
    }
    let exposures = [0.01, 0.02, 0.04, 0.01, 0.02, nil, 0.04, 0.01, 0.01, 0.02]
    let all = exposures.enumerated().map { candidate($0 * 2, $1) }
    let runs = grouping.series(among: all)
    #expect(Set(runs.flatMap { $0 }) == Set(all.indices.filter { exposures[$0] != nil }), "\(runs)")
    for bracket in grouping.brackets(among: all) { #expect(runs.contains { $0.sorted() == bracket }) }
    // What comes later changes only the last run.
    for count in 1..<all.count {
      let before = grouping.series(among: Array(all.prefix(count)))
      #expect(Array(runs.prefix(max(0, before.count - 1))) == Array(before.dropLast()), "after \(count)")
    }
  }

  @Test("What was delivered before a crash is noted, not done again", arguments: [true, false])
  func recovery(wasDelivered: Bool) throws {
    try write("a.dng")
    let first = try #require(try run().first)
    let picture = output.appending(Array("a.jpg".utf8))
    do {
      let journal = try Journal(writing: output)
      try journal.database.run("UPDATE shots SET state = 'waiting', pending = 'photo'")
      if !wasDelivered { picture.withCString { _ = unlink($0) } }
    }
    let inode = Self.inode(picture)
    let second = try run()
    #expect(second.count == 1 && second[0].isRecovered == wasDelivered && second[0].job.status == .written)
    #expect(picture.digest == first.job.outputSHA256)
    if wasDelivered { #expect(Self.inode(picture) == inode, "the picture was made again") }
    #expect(try run().isEmpty)
  }

  private static func inode(_ path: FilePath) -> UInt {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? UInt(status.st_ino) : 0
  }

  @Test("A changed file is made anew, and may take the place of what its name made before")
  func replaced() throws {
    try write("a.dng")
    let first = try #require(try run().first)
    usleep(20_000)
    try write("a.dng", exposure: 0.5)
    let second = try run()
    #expect(second.map(\.job.status) == [.written], "\(second.compactMap(\.job.message))")
    #expect(second[0].shot == first.shot)
  }

  @Test("Parts that a dead process left are removed, others are not")
  func parts() throws {
    let dead = Process()
    dead.executableURL = URL(fileURLWithPath: "/bin/true")
    try dead.run()
    dead.waitUntilExit()
    let names = [
      ".a.jpg.\(dead.processIdentifier)-77.part", ".b.jpg.\(getpid())-77.part", ".c.part", "d.\(getpid())-1.part",
    ]
    for name in names { try Data().write(to: folder.url.appendingPathComponent("out/\(name)")) }
    output.removeAbandonedParts()
    let left = try FileManager.default.contentsOfDirectory(atPath: output.string).sorted()
    #expect(left == names.dropFirst().sorted())
  }

  @Test func filesComeToRest() throws {
    let name = Array("x.dng".utf8)
    let path = input.appending(name).string
    _ = FileManager.default.createFile(atPath: path, contents: Data([1]))
    var settling = Settling()
    #expect(settling.consider(name, in: input) == nil, "it has just been changed")
    #expect(settling.settled(in: input).isEmpty)
    let old = Date(timeIntervalSinceNow: -60)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    var other = Settling()
    #expect(other.consider(name, in: input)?.size == 1, "it has rested for long")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    #expect(FilePath(path).isBeingWritten)
    #expect(other.consider(name, in: input) == nil, "somebody may still write to it")
    try handle.close()
    #expect(!FilePath(path).isBeingWritten)
    #expect(other.consider(Array("none".utf8), in: input) == nil)
  }

  @Test("Prepared memory is what the first shot takes")
  func prepared() throws {
    let pool = MemoryPool()
    let kind = ProcessingTimes.Key(size: .mp12, prioritization: .balanced)
    var memory = try PreparedMemory(kind, source: nil, mosaics: 1, in: pool)
    let bytes = PhotoSize.mp12.dimensions.area * MemoryLayout<UInt16>.stride
    #expect(memory.bytes == pool.retainedBytes && memory.bytes >= bytes)
    do {
      let mosaic = Image<UInt16>(uninitialized: PhotoSize.mp12.dimensions, in: pool)
      #expect(pool.retainedBytes <= memory.bytes - bytes, "it comes from what was set aside")
      withExtendedLifetime(mosaic) {}
    }
    #expect(pool.retainedBytes == memory.bytes)
    let other = ProcessingTimes.Key(size: .mp48, prioritization: .balanced)
    let uses = [kind, kind, other].map { memory.use($0) }
    #expect(uses == [true, true, false], "each shot has settings of its own")
    #expect(try PreparedMemory(nil, source: nil, mosaics: 1, in: MemoryPool()).bytes == 0)
  }

  @Test("Listeners hear the last line at once, and every new one")
  func socket() throws {
    let path = folder.url.appendingPathComponent("s").path
    let first = try ReadinessSocket(FilePath(path))
    first.say("one")
    let taken = #expect(throws: JobFailure.self) { try ReadinessSocket(FilePath(path)) }
    #expect(taken?.status == .cannotCreate)
    let client = Process()
    let heard = Pipe()
    client.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    client.arguments = [
      "-c",
      """
      import socket, sys
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f = s.makefile()
      for _ in range(2): print(f.readline().strip(), flush=True)
      """, path,
    ]
    client.standardOutput = heard
    try client.run()
    var lines = ""
    while !lines.contains("one\n") {
      let more = heard.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the listener heard nothing")
      lines += String(decoding: more, as: UTF8.self)
    }
    first.say("two")
    client.waitUntilExit()
    lines += String(decoding: heard.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(lines == "one\ntwo\n")
  }
}
