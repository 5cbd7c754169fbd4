import Foundation
import TestSupport
import Testing

/// A watched folder `in`, its output `out`, and what batch makes of the same files in `batch`.
final class WatchBench: Sendable {
  let folder: TemporaryFolder
  var input: URL { folder.url.appendingPathComponent("in") }
  var output: URL { folder.url.appendingPathComponent("out") }
  var sample: URL { folder.url.appendingPathComponent("sample.dng") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: input, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    let made = try CommandRunner.run(
      ["synth", "-o", "sample.dng", "--size", "192x128", "--no-truth"], in: folder.url)
    try #require(made.code == 0, "\(made.errors)")
  }

  /// A running watch and its streams.
  struct Running {
    let process: Process
    let output: URL
    let log: URL
    var errors: String { (try? String(decoding: Data(contentsOf: log), as: UTF8.self)) ?? "" }
  }

  func start(_ options: [String]) throws -> Running {
    let name = UUID().uuidString
    let (out, log) = (
      folder.url.appendingPathComponent("\(name).out"), folder.url.appendingPathComponent("\(name).log")
    )
    let process = try CommandRunner.start(
      ["watch", "in", "-o", "out"] + options, in: folder.url, output: out, errors: log)
    return Running(process: process, output: out, log: log)
  }

  func run(_ options: [String]) throws -> CommandOutcome {
    try CommandRunner.run(["watch", "in", "-o", "out"] + options, in: folder.url)
  }

  /// Puts copies of the sample into the watched folder, each whole at once.
  func drop(_ names: [String], of file: URL? = nil) throws {
    for name in names {
      let hidden = input.appendingPathComponent(".\(UUID().uuidString)")
      try FileManager.default.copyItem(at: file ?? sample, to: hidden)
      // Files that are there at the start rest until they are a second old.
      let old = Date(timeIntervalSinceNow: -60)
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: hidden.path)
      try FileManager.default.moveItem(at: hidden, to: input.appendingPathComponent(name))
    }
  }

  func synth(_ name: String, size: String) throws {
    let made = try CommandRunner.run(
      ["synth", "-o", "in/\(name)", "--size", size, "--no-truth", "--overwrite"], in: folder.url)
    try #require(made.code == 0, "\(made.errors)")
  }

  func batch(_ options: [String]) throws {
    let made = try CommandRunner.run(["batch", "in", "-o", "batch", "--overwrite"] + options, in: folder.url)
    try #require(made.code == 0, "\(made.errors)")
  }

  /// Names of what is in the output folder, but for the journal and the folder of proxies.
  var outputs: [String] { names(output).filter { !$0.hasPrefix(".duo-process.sqlite") && $0 != "proxies" } }
  var proxies: [String] { names(output.appendingPathComponent("proxies")) }
  var journalExists: Bool { names(output).contains(".duo-process.sqlite-wal") }

  private func names(_ folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  func modified(_ name: String) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: output.appendingPathComponent(name).path)[.modificationDate]
      as? Date
  }

  /// Just these finals, each byte for byte what batch made, and no proxies.
  func expectFinals(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(outputs == expected && proxies.isEmpty, "\(outputs) \(proxies)", sourceLocation: sourceLocation)
    for name in expected {
      let ours = try? Data(contentsOf: output.appendingPathComponent(name))
      let theirs = try Data(contentsOf: folder.url.appendingPathComponent("batch").appendingPathComponent(name))
      #expect(ours == theirs, "\(name) differs from batch's", sourceLocation: sourceLocation)
    }
  }

  /// Waits for something that another process does.
  func wait(_ what: String, until condition: () -> Bool) throws {
    let patience = 60.0
    let end = Date(timeIntervalSinceNow: patience)
    while !condition() {
      try #require(Date() < end, "\(what): not within \(patience) s")
      usleep(10_000)
    }
  }

  /// The objects of JSON Lines; with `isCut` the last line may be incomplete.
  static func lines(_ data: Data, isCut: Bool = false) throws -> [[String: Any]] {
    var lines = data.split(separator: UInt8(ascii: "\n"))
    if isCut, data.last != UInt8(ascii: "\n") { lines = lines.dropLast() }
    return try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]) }
  }
}
