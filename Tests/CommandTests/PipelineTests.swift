import Foundation
import TestSupport
import Testing

/// Commands joined by pipes make what one command makes, and behave well when a neighbour does not.
@Suite("Pipelines")
struct PipelineTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func shell(_ script: String) throws -> ShellOutcome { try Shell.run(script, in: folder.url) }

  private func synth(_ name: String, _ options: String = "--size 96x64") throws {
    let outcome = try shell("\"$duo\" synth -o \(name) --no-truth \(options)")
    try #require(outcome.code == 0, "\(outcome.errors)")
  }

  /// The last stage turns the upright picture, one command the stored pixels: what the tag asks for comes on top. The
  /// size is that of the result, so that one command bins too.
  @Test(arguments: [
    ("--size 96x64 --cfa quad-rggb", "--rotation 90"),
    ("--size 97x64 --cfa quad-gbrg --orientation 6 --iso 800", "--rotation 180"),
    ("--size 96x64 --cfa quad-rggb --orientation 2", "--rotation 270 --mirroring on"),
    ("--size 384x256 --cfa quad-rggb --declared-cfa rggb", "--rotation 90"),
    ("--size 192x126 --cfa nona-rggb", "--rotation 90"),
  ])
  func stagesJoinedByPipesMakeWhatOneCommandMakes(capture: String, turn: String) throws {
    try synth("q.dng", capture)
    let outcome = try shell(
      """
      set -o pipefail
      cat q.dng | "$duo" bin - -o - | "$duo" develop - -o - --format tiff |
        "$duo" transform - --aspect-ratio 16:9 --rotate 90 -o out.jpg --json > report || exit
      size=$(sed 's/.*"size":{"height":\\([0-9]*\\),"width":\\([0-9]*\\)}.*/\\2x\\1/' report)
      "$duo" develop q.dng --size "$size" --aspect-ratio 16:9 \(turn) -o one.jpg && cmp out.jpg one.jpg
      """)
    #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
  }

  @Test func sixteenBitsGoThroughWhole() throws {
    try synth("a.dng")
    let outcome = try shell(
      """
      set -o pipefail
      "$duo" develop a.dng -o - --format tiff --bits 16 --deflate | "$duo" transform - -o - --format png > piped.png &&
        "$duo" develop a.dng -o one.png --bits 16 && cmp piped.png one.png
      """)
    #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
  }

  @Test(arguments: [("tiff", "49 49 2a 00"), ("png", "89 50 4e 47"), ("jpeg", "ff d8 ff")])
  func picturesGoToStandardOutput(format: String, magic: String) throws {
    try synth("a.dng")
    let outcome = try shell("cat a.dng | \"$duo\" develop - -o - --format \(format) | head -c 4 | od -An -tx1")
    #expect(outcome.output.contains(magic), "\(outcome.output) \(outcome.errors)")
  }

  @Test func capturesGoToStandardOutput() throws {
    try synth("a.dng", "--size 96x64 --cfa quad-rggb")
    let outcome = try shell(
      """
      set -o pipefail
      "$duo" synth -o - --cfa quad-rggb --size 96x64 | cmp - a.dng &&
        "$duo" remosaic - -o - < a.dng | "$duo" transform - -o - --rotation 180 | "$duo" info - --json
      """)
    #expect(outcome.code == 0 && outcome.output.contains("\"cfa\":\"BGGR\""), "\(outcome.output) \(outcome.errors)")
  }

  @Test func aReaderThatGoesAwayIsNoMishap() throws {
    try synth("a.dng", "--size 400x300")
    let picture = try shell(
      "mkdir tmp; TMPDIR=$PWD/tmp \"$duo\" develop a.dng -o - --format tiff | head -c 1 > /dev/null; echo ${PIPESTATUS[0]}; ls -A tmp"
    )
    #expect(picture.output == "141\n" && picture.errors.isEmpty, "\(picture.output) \(picture.errors)")
    // A pipe whose reading end is closed for certain.
    let report = try shell(
      "mkfifo p; (exec 3< p) & exec 4> p; wait; \"$duo\" info a.dng --json >&4; echo $?; \"$duo\" --help >&4; echo $?"
    )
    #expect(report.output == "141\n141\n" && report.errors.isEmpty, "\(report.output) \(report.errors)")
  }

  @Test func emptyClosedAndDoubledInputsAreRefused() throws {
    try synth("a.dng")
    for (script, code, words) in [
      (": | \"$duo\" develop - -o x.jpg", 65, "is empty"),
      ("\"$duo\" develop - -o x.jpg < /dev/null", 65, "is empty"),
      ("\"$duo\" develop - -o x.jpg <&-", 66, "standard input"),
      ("\"$duo\" develop a.dng -o - >&-", 74, "standard output"),
      ("\"$duo\" develop - - -o out < a.dng", 64, "once"),
      ("\"$duo\" batch --files-from - - -o out < a.dng", 64, "once"),
      ("head -c 500 a.dng | \"$duo\" develop - -o x.jpg", 65, "standard input"),
    ] {
      let outcome = try shell(script)
      #expect(
        Int(outcome.code) == code && outcome.errors.contains(words), "\(script): \(outcome.code) \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(script): \(outcome.errors)")
    }
    #expect(folder.contents == ["a.dng"])
  }

  @Test(.enabled(if: Shell.has("script"), "script(1) is not installed"))
  func terminalsAreRefusedWithAHint() throws {
    try synth("a.dng")
    let input = try shell("script -qec '\"'\"$duo\"'\" develop - -o x.jpg; echo code $?' /dev/null")
    #expect(input.output.contains("is a terminal") && input.output.contains("code 64"), "\(input.output)")
    let output = try shell("script -qec '\"'\"$duo\"'\" develop a.dng -o -; echo code $?' /dev/null")
    #expect(output.output.contains("is a terminal") && output.output.contains("code 64"), "\(output.output)")
  }

  @Test func slowAndShortWritesArrive() throws {
    try synth("a.dng")
    let outcome = try shell(
      """
      (head -c 100 a.dng; sleep 0.05; tail -c +101 a.dng | head -c 4000; sleep 0.05; tail -c +4101 a.dng) |
        "$duo" develop - -o slow.png && "$duo" develop a.dng -o one.png && cmp slow.png one.png
      """)
    #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
  }

  @Test func standardInputHasANameInAFolder() throws {
    try synth("a.dng")
    #expect(try shell("cat a.dng | \"$duo\" develop - -o out/ && \"$duo\" transform - -o out/ < a.dng").code == 0)
    #expect(try shell("ls out").output == "stdin\nstdin.jpg\n")
  }
}
