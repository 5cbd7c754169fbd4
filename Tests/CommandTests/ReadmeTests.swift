import Foundation
import TestSupport
import Testing

/// The pipelines of the README do what it says: each block is run on the fixtures.
@Suite("README")
struct ReadmeTests {
  /// Shell blocks below “Pipelines”, with the line before each.
  static let blocks: [String] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = (try? String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)) ?? ""
    let section = text.components(separatedBy: "\n## Pipelines\n").dropFirst().first ?? ""
    let body = section.components(separatedBy: "\n## ").first ?? ""
    return body.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }()

  static var fixtures: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures")
  }

  @Test func thereAreBlocks() { #expect(Self.blocks.count >= 4) }

  @Test(arguments: ReadmeTests.blocks)
  func block(script: String) throws {
    if script.contains("parallel ") && !Shell.has("parallel") {
      print("SKIPPED: GNU parallel is not installed; not run:\n\(script)")
      return
    }
    let folder = try TemporaryFolder()
    // Small captures by the names that the README uses; the shoot has a subfolder and names with spaces and line breaks.
    let prepare = try Shell.run(
      """
      f='\(Self.fixtures.path)'; mkdir -p shoot/'day 2'
      cp "$f/quad.dng" quad48.dng; cp "$f/bayer-held-portrait.dng" IMG_0001.dng
      cp "$f/bayer-upright.dng" shoot/; cp "$f/leaves.dng" $'shoot/day 2/two\\nlines.dng'
      """, in: folder.url)
    try #require(prepare.code == 0, "\(prepare.errors)")
    let outcome = try Shell.run(script, in: folder.url, options: ["-e", "-o", "pipefail"])
    #expect(outcome.code == 0, "\(script)\n\(outcome.output)\n\(outcome.errors)")
  }
}
