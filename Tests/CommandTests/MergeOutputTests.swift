import Foundation
import TestSupport
import Testing

@Suite("merge: what it writes and what it refuses, as scripts see it")
struct MergeOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> CommandOutcome {
    try CommandRunner.run(arguments, in: folder.url)
  }

  private func synth(_ name: String, _ options: String...) throws -> String {
    let made = try CommandRunner.run(
      ["synth", "-o", name, "--size", "192x144", "--white", "16383", "--no-truth"] + options, in: folder.url)
    try #require(made.code == 0, "\(made.errors)")
    return name
  }

  private func bracket() throws -> [String] {
    try [-2, 0, 2].map { try synth("f\($0).dng", "--ev", "\($0)") }
  }

  private func merge(_ frames: [String], _ options: String...) throws -> CommandOutcome {
    try CommandRunner.run(["merge"] + frames + options, in: folder.url)
  }

  /// Largest and smallest of a TIFF's 32-bit samples, as our own reader of pictures finds them by way of a crop.
  private func floats(_ name: String) throws -> [Float] {
    let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
    func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
    let directory = number(4, 4)
    var (offset, length) = (0, 0)
    for index in 0..<number(directory, 2) {
      let entry = directory + 2 + 12 * index
      let (tag, type, count) = (number(entry, 2), number(entry + 2, 2), number(entry + 4, 4))
      let size = type == 3 ? 2 : 4
      func value(_ i: Int) -> Int { number((size * count <= 4 ? entry + 8 : number(entry + 8, 4)) + size * i, size) }
      if tag == 273 { offset = value(0) }
      if tag == 279 { length = (0..<count).reduce(0) { $0 + value($1) } }
    }
    return stride(from: offset, to: offset + length, by: 4).map { Float(bitPattern: UInt32(number($0, 4))) }
  }

  @Test("--float makes a DNG of numbers that develops as the one of counts does")
  func floatDNG() throws {
    let frames = try bracket()
    for (name, options) in [("counts.dng", [String]()), ("floats.dng", ["--float"])] {
      let merged = try CommandRunner.run(["merge"] + frames + ["-o", name] + options, in: folder.url)
      try #require(merged.code == 0, "\(merged.errors)")
      let developed = try run("develop", name, "-o", "\(name).tif", "--bits", "16")
      try #require(developed.code == 0, "\(developed.errors)")
    }
    let info = try run("info", "floats.dng", "--json")
    #expect(String(decoding: info.output, as: UTF8.self).contains("32"))
    let (a, b) = (
      try Data(contentsOf: folder.url.appendingPathComponent("counts.dng.tif")),
      try Data(contentsOf: folder.url.appendingPathComponent("floats.dng.tif"))
    )
    try #require(a.count == b.count)
    // Most samples are within a few 16-bit codes; bytes alone tell little, so samples are compared.
    var far = 0
    for index in stride(from: a.count - 192 * 144 * 6, to: a.count - 1, by: 2) {
      let (p, q) = (Int(a[index]) | Int(a[index + 1]) << 8, Int(b[index]) | Int(b[index + 1]) << 8)
      if abs(p - q) > 256 { far += 1 }
    }
    #expect(far < 192 * 144 * 3 / 100, "\(far) samples differ")
  }

  @Test("Scene light goes on beyond white: TIFF by --float or by bits and encoding, EXR by itself")
  func sceneLight() throws {
    let frames = try bracket()
    for options in [["--float"], ["--bits", "32", "--encoding", "scene"]] {
      let merged = try CommandRunner.run(
        ["merge"] + frames + ["-o", "scene.tif", "--overwrite"] + options, in: folder.url)
      try #require(merged.code == 0, "\(merged.errors)")
      let light = try floats("scene.tif")
      #expect(light.count == 192 * 144 * 3)
      let peak = try #require(light.max())
      // Two stops below the reference the lamp may be four times its white.
      #expect(peak > 2 && peak < 4.6, "the lamp has \(peak)")
    }
    let refused = try merge(frames, "-o", "scene8.tif", "--encoding", "scene", "--bits", "8")
    #expect(refused.code == 64 && refused.errors.contains("beyond white"), "\(refused.errors)")
    let exr = try merge(frames, "-o", "scene.exr")
    // 69: the library is not there.
    #expect(exr.code == 0 || exr.code == 69, "\(exr.errors)")
  }

  @Test("Frames that make no bracket: code 65, one line, and nothing written")
  func refusals() throws {
    let frames = try bracket()
    let other = try synth("other.dng", "--scene", "dead-leaves", "--ev", "1")
    let dark = try synth("dark.dng", "--scene", "flat", "--ev", "-20")
    let lamps = try [12, 13, 14].map { try synth("lamp\($0).dng", "--ev", "\($0)") }
    let quad = try synth("quad.dng", "--cfa", "quad-rggb")
    let cases: [(frames: [String], says: String)] = [
      ([frames[0], frames[1], other], "other.dng shows another scene"),
      ([frames[0], frames[1], dark], "dark.dng is black or saturated all over"),
      (lamps, "lamp12.dng is black or saturated all over"),
      ([frames[0], quad], "quad.dng has the pixel pattern"),
    ]
    let before = folder.contents
    for (frames, says) in cases {
      let outcome = try merge(frames, "-o", "out.dng")
      #expect(outcome.code == 65, "\(frames): \(outcome.errors)")
      #expect(outcome.errors.contains(says), "\(frames): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
    #expect(folder.contents == before)
  }

  @Test("A clipped lamp is measured by the short frame; without EXIF the pixels tell the exposures")
  func lampAndMissingFacts() throws {
    var bare: [String] = []
    for frame in try bracket() {
      bare.append("\(frame).png")
      let made = try run("develop", frame, "-o", "\(frame).png", "--bits", "16", "--strip", "--tone", "linear")
      try #require(made.code == 0, "\(made.errors)")
    }
    let merged = try merge(bare, "-o", "bare.tif", "--float", "--json")
    try #require(merged.code == 0, "\(merged.errors)")
    #expect(merged.errors.contains("exposure facts are missing"), "\(merged.errors)")
    let peak = try #require(try floats("bare.tif").max())
    #expect(peak > 1.5, "the lamp has \(peak)")
  }
}
