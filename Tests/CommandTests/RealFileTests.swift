import Foundation
import TestSupport
import Testing

/// Files of real cameras, and files that broke other programs. Runs when `DUO_REAL_DATA` names their folder.
@Suite("Real files", .enabled(if: RealData.isAvailable, "DUO_REAL_DATA is not set"))
struct RealFileTests {
  let folder: TemporaryFolder
  let data: URL

  init() throws {
    folder = try TemporaryFolder()
    data = try #require(RealData.folder)
  }

  private func run(_ arguments: String...) throws -> CommandOutcome {
    try CommandRunner.run(arguments, in: folder.url)
  }

  @Test func brokenFilesAreRefusedInOneLine() throws {
    let broken = data.appendingPathComponent("broken")
    for name in try FileManager.default.contentsOfDirectory(atPath: broken.path).sorted() {
      let started = Date()
      let outcome = try run("develop", broken.appendingPathComponent(name).path, "-o", "x.jpg")
      #expect([65, 66, 69].contains(outcome.code), "\(name): \(outcome.code) \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(name): \(outcome.errors)")
      #expect(Date().timeIntervalSince(started) < 5, "\(name) takes too long")
    }
    #expect(folder.contents.isEmpty)
  }

  @Test func everyRawFileIsAPictureOrARefusalWithAReason() throws {
    let outcome = try run(
      "batch", data.appendingPathComponent("raw").path, data.appendingPathComponent("stacks").path, "-o", "out",
      "--json")
    #expect(outcome.code == 1, "\(outcome.errors)")
    for line in outcome.output.split(separator: UInt8(ascii: "\n")) {
      let report = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      let name = URL(fileURLWithPath: report["path"] as? String ?? "").lastPathComponent
      let isHeaderless = name.hasSuffix(".raw")
      let expected = isHeaderless ? 65 : 0
      #expect(report["code"] as? Int == expected, "\(name): \(report["message"] ?? "")")
    }
  }

  @Test func aRotationTagTurnsThePictureAndNothingElse() throws {
    let raw = data.appendingPathComponent("raw")
    let upright = raw.appendingPathComponent("skia-sample-1mp.dng").path
    let turned = raw.appendingPathComponent("skia-sample-1mp-rotated.dng").path
    #expect(try run("develop", upright, "-o", "a.png", "--strip").code == 0)
    #expect(try run("develop", turned, "-o", "b.png", "--strip").code == 0)
    #expect(try run("transform", "b.png", "-o", "c.png", "--rotation", "90", "--strip").code == 0)
    #expect(try run("transform", "a.png", "-o", "d.png", "--strip").code == 0)
    let files = try ["c.png", "d.png"].map { try Data(contentsOf: folder.url.appendingPathComponent($0)) }
    #expect(files[0] == files[1])
  }

  @Test(arguments: ["rggb", "grbg", "gbrg", "bggr"])
  func headerlessMosaicsNeedTheirLayout(cfa: String) throws {
    let path = data.appendingPathComponent("raw/isp-dsc-1339-768x512-\(cfa).raw").path
    let layout = ["--raw-cfa", cfa, "--raw-bits", "12"]
    let right = try CommandRunner.run(
      ["develop", path, "-o", "\(cfa).png", "--raw-size", "768x512"] + layout, in: folder.url)
    #expect(right.code == 0 && right.errors.isEmpty, "\(right.errors)")
    let wrong = try CommandRunner.run(
      ["develop", path, "-o", "no.png", "--raw-size", "768x513"] + layout, in: folder.url)
    #expect(wrong.code == 64, "\(wrong.code) \(wrong.errors)")
  }
}

@Suite("Disk full")
struct DiskFullTests {
  @Test func writeErrorsAre74AndLeaveNothing() throws {
    let folder = try TemporaryFolder()
    let small = folder.url.appendingPathComponent("small")
    try FileManager.default.createDirectory(at: small, withIntermediateDirectories: false)
    #expect(try CommandRunner.run(["synth", "-o", "a.dng", "--no-truth"], in: folder.url).code == 0)
    guard shell("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small.path) == 0 else {
      print("no right to mount a small file system: the disk-full test is skipped")
      return
    }
    defer { _ = shell("umount", small.path) }
    for name in ["x.tif", "x.png", "x.jpg"] {
      let outcome = try CommandRunner.run(
        ["develop", "a.dng", "-o", "small/\(name)", "--quality", "100", "--full-chroma"], in: folder.url)
      #expect(outcome.code == 74, "\(name): \(outcome.code) \(outcome.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: small.path).isEmpty)
  }

  private func shell(_ words: String...) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
