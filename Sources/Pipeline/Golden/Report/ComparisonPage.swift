public import ImageCore
public import TIFFTags

/// The HTML report of two files beside each other: the page of golden suites with a single case.
public struct ComparisonPage: Sendable {
  private let left: FilePath
  private let right: FilePath
  private let comparison: Comparison
  private let verdict: ComparisonVerdict
  private let tool: String

  /// A page; pictures are read when it is written.
  ///
  /// - Parameters:
  ///   - comparison: what was measured.
  ///   - verdict: how it lies within its limits.
  ///   - tool: name and version of the program that writes the page.
  public init(
    _ left: FilePath, _ right: FilePath, _ comparison: Comparison, verdict: ComparisonVerdict, tool: String
  ) {
    (self.left, self.right, self.comparison, self.verdict, self.tool) = (left, right, comparison, verdict, tool)
  }

  /// Writes the page.
  ///
  /// - Throws: the failure to read one of the files again; cannot create (73) or an I/O error (74).
  public func write(to path: FilePath) throws(JobFailure) { try GoldenFiles.write(Array(try html().utf8), to: path) }

  func html() throws(JobFailure) -> String {
    let names = [left, right].map { String(decoding: $0.name, as: UTF8.self) }
    let tags = GoldenMetadata.differences(
      golden: try GoldenMetadata.read(left), candidate: try GoldenMetadata.read(right), ignoring: [])
    let word = comparison.isIdentical ? GoldenVerdict.same : verdict.isWithin ? .changed : .failed
    var members: [String: JSONValue] = [
      "name": .string("\(names[0]) | \(names[1])"), "verdict": .string(word.rawValue),
      "reasons": .array(comparison.notes.map { .string($0) }), "warnings": .array([]),
      "findings": ReportTemplate.rows(verdict.findings, comparison), "tags": .array(tags.map(ReportTemplate.tag)),
      "commands": .array([]),
    ]
    let pictures = try ReportPictures().members(golden: left, candidate: right, areEqual: comparison.isIdentical)
    members.merge(pictures) { own, _ in own }
    return ReportTemplate.page(title: "Two files", tool: tool, sides: ("left", "right"), cases: [.object(members)])
  }
}
