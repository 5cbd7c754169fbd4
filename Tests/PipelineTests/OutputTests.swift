import Foundation
import Glibc
import Pipeline
import TIFFTags
import TestSupport
import Testing

@Suite("Outputs are planned before any work")
struct OutputPlanTests {
  private func plan(_ names: [String], template: String = OutputPlan.defaultTemplate) throws -> [String] {
    let inputs = names.map { Input(path: FilePath($0)) }
    let plan = OutputPlan(
      destination: .folder(FilePath("out")), template: template, operation: "develop", fileExtension: "jpg")
    return try plan.jobs(for: inputs).map { $0.output?.string ?? "-" }
  }

  @Test func namesFollowTheTemplate() throws {
    #expect(try plan(["a/x.dng", "b/y.nef"]) == ["out/x.jpg", "out/y.jpg"])
    #expect(
      try plan(["a/x.dng"], template: "{seq}-{name}-{op}-{other}.{ext}") == ["out/0001-x.dng-develop-{other}.jpg"])
    #expect(try plan([".hidden"]) == ["out/.hidden.jpg"])
  }

  @Test(arguments: [
    ["a/x.dng", "b/x.dng"], ["x.orf", "x.ori"], ["X.dng", "x.dng"], ["x.dng", "x.dng"], ["É.dng", "e\u{301}.dng"],
  ])
  func collisionsAreRefused(names: [String]) {
    #expect(throws: JobFailure.self) { try plan(names) }
  }

  @Test(arguments: ["a/b.{ext}", "..", "", "."])
  func templatesThatNameNoFileAreRefused(template: String) {
    #expect(throws: JobFailure.self) { try plan(["x.dng"], template: template) }
  }

  @Test func bytesThatAreNoTextCollideOnlyWithThemselves() throws {
    let names: [[UInt8]] = [[0xFF, 0x61], [0xFE, 0x61], [0xFF, 0x41, 0x42]].map { $0 + Array(".dng".utf8) }
    let plan = OutputPlan(destination: .folder(FilePath("out")), operation: "develop", fileExtension: "jpg")
    let jobs = try plan.jobs(for: names.map { Input(path: FilePath(bytes: $0)) })
    #expect(jobs.compactMap { $0.output?.name } == names.map { $0.dropLast(4) + Array(".jpg".utf8) })
    #expect(throws: JobFailure.self) {
      try plan.jobs(for: ([names[0], [0xFF, 0x41] + Array(".dng".utf8)]).map { Input(path: FilePath(bytes: $0)) })
    }
  }

  @Test func noOutputIsAnotherJobsInput() throws {
    let inputs = ["x/a.jpg", "y/a.tif"].map { Input(path: FilePath($0)) }
    func plan(_ folder: String) -> OutputPlan {
      OutputPlan(
        destination: .folder(FilePath(folder)), template: "{stem}2.jpg", operation: "transform", fileExtension: "jpg")
    }
    #expect(try plan("x").jobs(for: [inputs[0]]).count == 1)
    let clash = [Input(path: FilePath("x/a.tif")), Input(path: FilePath("x/a2.jpg"))]
    #expect(throws: JobFailure.self) { try plan("x").jobs(for: clash) }
  }

  @Test func oneFileTakesOneInput() throws {
    let plan = OutputPlan(destination: .file(FilePath("x.jpg")), operation: "develop", fileExtension: "jpg")
    #expect(try plan.jobs(for: [Input(path: FilePath("a.dng"))]).count == 1)
    #expect(throws: JobFailure.self) { try plan.jobs(for: ["a", "b"].map { Input(path: FilePath($0)) }) }
  }

  @Test func foldersAreReadInTheOrderOfTheirBytes() throws {
    let folder = try TemporaryFolder()
    for name in ["b.dng", "a.dng", "B.dng", ".hidden.dng"] {
      try Data().write(to: folder.url.appendingPathComponent(name))
    }
    let below = folder.url.appendingPathComponent("below")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: false)
    try Data().write(to: below.appendingPathComponent("c.dng"))
    try FileManager.default.createSymbolicLink(
      at: below.appendingPathComponent("loop"), withDestinationURL: folder.url)
    let root = FilePath(folder.url.path)
    let flat = try InputScanner().inputs(of: [root]).map { String(decoding: $0.path.name, as: UTF8.self) }
    #expect(flat == ["B.dng", "a.dng", "b.dng"])
    let deep = try InputScanner(isRecursive: true).inputs(of: [root])
    #expect(deep.map { String(decoding: $0.path.name, as: UTF8.self) } == ["B.dng", "a.dng", "b.dng", "c.dng"])
    #expect(deep.last?.subfolder == Array("below".utf8))
  }

  @Test func listsAreSplitAtTheirSeparator() {
    let names = InputScanner.paths(inList: Array("a b\0c\nd\0".utf8), separator: 0)
    #expect(names == [FilePath("a b"), FilePath("c\nd")])
  }
}

@Suite("A file appears whole or not at all")
struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: FilePath { FilePath(folder.url.appendingPathComponent("x").path) }

  private func put(_ text: String, existing: ExistingOutput, commits: Bool = true) throws {
    let file = try AtomicFile(path, existing: existing)
    #expect(text.withCString { write(file.descriptor, $0, strlen($0)) } == text.utf8.count)
    if commits { try file.commit() }
  }

  private func content() -> String? {
    try? String(contentsOf: folder.url.appendingPathComponent("x"), encoding: .utf8)
  }

  @Test func nothingIsThereBeforeTheCommit() throws {
    try put("one", existing: .refuse, commits: false)
    #expect(folder.contents.isEmpty)
    try put("two", existing: .refuse)
    #expect(folder.contents == ["x"] && content() == "two")
  }

  @Test func anExistingFileSurvivesARefusal() throws {
    try put("one", existing: .refuse)
    #expect(throws: JobFailure.self) { try put("two", existing: .refuse) }
    #expect(content() == "one")
    try put("three", existing: .overwrite)
    #expect(folder.contents == ["x"] && content() == "three")
  }

  @Test func aMissingFolderIsAnError() {
    #expect(throws: JobFailure.self) {
      try AtomicFile(FilePath(folder.url.appendingPathComponent("no/x").path), existing: .refuse)
    }
  }
}
