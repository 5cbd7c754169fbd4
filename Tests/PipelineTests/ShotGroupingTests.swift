import Foundation
import ImageCore
import Pipeline
import TIFFTags
import TestSupport
import Testing

@Suite("Which files are frames of one shot")
struct ShotGroupingTests {
  private static let full = PixelSize(width: 8064, height: 6048)
  private static let binned = PixelSize(width: 4032, height: 3024)

  private func frame(
    _ stem: String, _ size: PixelSize, second: Int? = 0, model: String = "A"
  ) -> ShotGrouping.Candidate {
    var facts = CaptureFacts()
    facts.model = model
    facts.exposureTime = 0.01
    facts.iso = 100
    facts.dateTime = second.map { "2026:01:02 03:04:\($0 < 10 ? "0" : "")\($0)" }
    return ShotGrouping.Candidate(facts: facts, size: size, clusterSide: size == Self.full ? 2 : 1, stem: stem)
  }

  private func groups(_ candidates: [ShotGrouping.Candidate]) -> [ShotGrouping.Group] {
    ShotGrouping().groups(among: candidates)
  }

  @Test("By time: one full-resolution frame and those of half its sides, in any order")
  func byTime() {
    let first = [frame("1", Self.full), frame("2", Self.binned), frame("3", Self.binned, second: 1)]
    #expect(groups(first) == [.init(detail: 0, base: [1, 2])])
    #expect(groups(first.reversed()) == [.init(detail: 2, base: [0, 1])])
    let later = [frame("4", Self.binned, second: 9), frame("5", Self.full, second: 10)]
    #expect(groups(first + later) == [.init(detail: 0, base: [1, 2]), .init(detail: 4, base: [3])])
  }

  @Test("The next full-resolution frame begins the next shot")
  func series() {
    let frames = (0..<3).flatMap { (second: Int) -> [ShotGrouping.Candidate] in
      let names = ["d\(second)", "b\(second)", "c\(second)"]
      return names.map { frame($0, $0.hasPrefix("d") ? Self.full : Self.binned, second: second) }
    }
    let expected = [0, 3, 6].map { ShotGrouping.Group(detail: $0, base: [$0 + 1, $0 + 2]) }
    #expect(groups(frames) == expected)
  }

  @Test("Full-resolution frames alone within a second are a shot; Bayer frames alone are none")
  func alone() {
    let quads = (0..<3).map { frame("\($0)", Self.full, second: $0 / 2) }
    #expect(groups(quads) == [.init(detail: nil, base: [0, 1, 2])])
    #expect(groups((0..<3).map { frame("\($0)", Self.full, second: 3 * $0) }).isEmpty)
    #expect(groups((0..<3).map { frame("\($0)", Self.binned) }).isEmpty)
  }

  @Test("Another camera, another ratio, or no time keep frames apart")
  func apart() {
    #expect(groups([frame("1", Self.full), frame("2", Self.binned, model: "B")]).isEmpty)
    #expect(groups([frame("1", Self.full), frame("2", PixelSize(width: 4032, height: 2268))]).isEmpty)
    #expect(groups([frame("1", Self.full, second: nil), frame("2", Self.binned, second: nil)]).isEmpty)
  }

  @Test("Names say more than times")
  func byName() {
    let frames = [
      frame("IMG_1-detail", Self.full), frame("IMG_1-base-1", Self.binned, second: 30),
      frame("IMG_2_48MP", Self.full), frame("IMG_2_12MP", Self.binned), frame("IMG_1-base-2", Self.binned),
    ]
    #expect(groups(frames) == [.init(detail: 0, base: [1, 4]), .init(detail: 2, base: [3])])
  }

  @Test("A list of frames is written and read again")
  func list() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.url.appendingPathComponent("a.shot.json").path)
    for list in [
      ShotManifest(detail: "d.dng", base: ["a.dng", "b c.dng"], reference: "b c.dng"),
      ShotManifest(detail: nil, base: ["a.dng", "b.dng"]),
    ] {
      let file = try AtomicFile(path, existing: .overwrite)
      try list.write(to: file.descriptor)
      try file.commit()
      #expect(try ShotManifest(path) == list)
    }
    #expect(ShotManifest.isNamedSo(path) && !ShotManifest.isNamedSo(FilePath("x/.shot.json")))
    let shot = ShotManifest(detail: "d.dng", base: ["a.dng"]).shot(in: FilePath("x"))
    #expect(shot.detail == FilePath("x/d.dng") && shot.files == [FilePath("x/d.dng"), FilePath("x/a.dng")])
  }

  @Test(
    "What is no list is refused with its name",
    arguments: [
      "", "[]", "{}", #"{"detail": "a.dng"}"#, #"{"base": ["a.dng"]}"#, #"{"detail": [1], "base": ["a"]}"#,
      #"{"detail": "a", "base": []}"#, #"{"detail": "a", "base": [[1]]}"#, #"{"frames": ["a"], "base": ["b"]}"#,
      #"{"frames": ["a"], "colour": "b"}"#, #"{"detail": "a", "base": ["b"], "reference": "c"}"#,
    ])
  func refused(text: String) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("a.shot.json")
    try text.write(to: url, atomically: true, encoding: .utf8)
    let failure = #expect(throws: JobFailure.self) { try ShotManifest(FilePath(url.path)) }
    #expect(failure?.status == .usage && failure?.message.contains("a.shot.json") == true, "\(text): \(failure!)")
  }
}
