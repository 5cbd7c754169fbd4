import Foundation
import TestSupport
import Testing

/// Names, lists, streams and signals, through a shell as scripts use them.
@Suite("Streams and names")
struct StreamTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let outcome = try CommandRunner.run(
      ["synth", "-o", "a.dng", "--scene", "chart", "--size", "96x64", "--no-truth"], in: folder.url)
    try #require(outcome.code == 0, "\(outcome.errors)")
  }

  /// Runs a script in which `$duo` is the command; its exit code and both streams as they are.
  private func shell(_ script: String) throws -> (code: Int32, output: String, errors: String) {
    let process = Process()
    let (out, err) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "duo='\(CommandRunner.command.path)'; " + script]
    process.currentDirectoryURL = folder.url
    process.standardOutput = out
    process.standardError = err
    try process.run()
    let output = out.fileHandleForReading.readDataToEndOfFile()
    let errors = err.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self)
    )
  }

  @Test func listsSeparatedByNULTakeNamesThatAreNoText() throws {
    let outcome = try shell(
      "name=$(printf 'n\\377\\nx.dng'); cp a.dng \"$name\"; printf '%s\\0' a.dng \"$name\" | \"$duo\" batch --files0-from - -o out"
    )
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try shell("test -f \"$(printf 'out/n\\377\\nx.jpg')\" && ls out | wc -l").output == "3\n")
  }

  @Test func listsByLineComeFromFiles() throws {
    let outcome = try shell(
      "cp a.dng 'b c.dng'; printf 'a.dng\\nb c.dng\\n' > list; \"$duo\" batch --files-from list -o out")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try shell("ls out").output == "a.jpg\nb c.jpg\n")
    #expect(try shell("\"$duo\" batch --files-from none -o out").code == 66)
  }

  @Test func aNameCannotBreakAMessageInTwo() throws {
    let outcome = try shell("\"$duo\" develop \"$(printf 'no\\nfile.dng')\" -o x.jpg")
    #expect(outcome.code == 66 && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }

  @Test func progressGoesToStandardErrorAndOnlyWhenAsked() throws {
    let quiet = try shell("cp a.dng b.dng; \"$duo\" batch a.dng b.dng -o one")
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet.errors)")
    let plain = try shell("\"$duo\" batch a.dng b.dng -o two --progress plain")
    #expect(plain.output.isEmpty && plain.errors == "1/2\n2/2\n", "\(plain.errors)")
    let json = try shell("\"$duo\" batch a.dng b.dng -o three --progress json")
    #expect(json.errors.hasSuffix("{\"done\":2,\"failed\":0,\"total\":2}\n"), "\(json.errors)")
  }

  @Test func reportsGoToStandardErrorWhenThePictureGoesOut() throws {
    let outcome = try shell("\"$duo\" develop a.dng -o - --format jpeg --json | head -c 3 | od -An -tx1")
    #expect(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines) == "ff d8 ff")
    #expect(outcome.errors.hasPrefix("{") && outcome.errors.hasSuffix("}\n"), "\(outcome.errors)")
  }

  @Test func infoReportsFailuresToo() throws {
    let outcome = try shell("\"$duo\" info --json a.dng none.dng 2> /dev/null")
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.code == 1 && lines.count == 2, "\(outcome.output)")
    #expect(lines.last?.contains("\"code\":66") == true)
  }

  @Test func aFullStreamIs74() throws {
    let outcome = try shell("\"$duo\" develop a.dng -o - --format tiff > /dev/full")
    #expect(outcome.code == 74, "\(outcome.errors)")
  }

  @Test("A file size limit is a write error", arguments: ["tif", "png", "jpg"])
  func limitedFilesAre74AndLeaveNothing(kind: String) throws {
    let options = "--quality 100 --full-chroma"
    let outcome = try shell("mkdir out; ulimit -f 1; \"$duo\" develop a.dng -o out/x.\(kind) \(options)")
    #expect(outcome.code == 74, "\(outcome.code) \(outcome.errors)")
    #expect(try shell("ls -A out").output.isEmpty)
  }

  @Test func interruptionIs130AndLeavesNothing() throws {
    let outcome = try shell(
      "\"$duo\" synth -o big.dng --size 4000x3000 --no-truth & pid=$!; sleep 0.3; kill -INT $pid; wait $pid")
    #expect(outcome.code == 130, "\(outcome.code) \(outcome.errors)")
    #expect(folder.contents == ["a.dng"])
  }

  @Test func theContactSheetIsAnOutputLikeOthers() throws {
    #expect(try shell("\"$duo\" batch a.dng -o out --contact-sheet sheet.jpg").code == 0)
    #expect(try shell("\"$duo\" batch a.dng -o two --contact-sheet sheet.jpg").code == 73)
    #expect(try shell("\"$duo\" batch a.dng -o three --contact-sheet a.dng").code == 64)
    #expect(try shell("ls").output == "a.dng\nout\nsheet.jpg\n")
  }

  @Test func aFolderIsTransformedFileByFile() throws {
    #expect(
      try shell("mkdir in && echo note > in/note.txt && cp a.dng in/ && \"$duo\" develop a.dng -o in/b.png").code == 0
    )
    let outcome = try shell("\"$duo\" transform in -o out --rotation 90")
    #expect(outcome.code == 0 && outcome.errors.contains("1 file is no picture"), "\(outcome.errors)")
    #expect(try shell("ls out").output == "a.dng\nb.png\n")
    #expect(try shell("\"$duo\" transform in/b.png -o in --rotation 90").code == 73)
    #expect(
      try shell("\"$duo\" transform in/b.png -o in --rotation 90 --overwrite && cmp in/b.png out/b.png").code == 0)
  }
}
