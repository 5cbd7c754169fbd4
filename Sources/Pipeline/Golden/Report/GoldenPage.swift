import ImageCore
public import TIFFTags

/// The HTML report of a check: one file that loads nothing from anywhere.
public struct GoldenPage: Sendable {
  private let suite: String
  private let tool: String
  private let results: [GoldenResult]

  /// A page; pictures are read when it is written.
  ///
  /// - Parameter tool: name and version of the program that was checked.
  public init(suite: String, tool: String, results: [GoldenResult]) {
    self.suite = suite
    self.tool = tool
    self.results = results
  }

  /// Writes the page. Pictures that cannot be read are left out; the page says so.
  ///
  /// - Throws: cannot create (73) or an I/O error (74).
  public func write(to path: FilePath) throws(JobFailure) {
    try GoldenFiles.write(Array(html.utf8), to: path)
  }

  /// The text of the page.
  public var html: String {
    ReportTemplate.page(title: suite, tool: tool, sides: ("golden", "candidate"), cases: results.map(Self.data))
  }

  private static func data(_ result: GoldenResult) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(result.item.name), "verdict": .string(result.verdict.rawValue),
      "grade": .string(result.item.tolerance.name), "reasons": .array(result.reasons.map { .string($0) }),
      "warnings": .array(result.warnings.map { .string($0) }),
      "findings": ReportTemplate.rows(result.comparison?.findings ?? [], result.comparison?.comparison),
      "tags": .array((result.comparison?.tags ?? []).map(ReportTemplate.tag)), "commands": .array(commands(result)),
    ]
    if let note = result.item.note { members["note"] = .string(note) }
    members.merge(pictures(result)) { own, _ in own }
    return .object(members)
  }

  private static func pictures(_ result: GoldenResult) -> [String: JSONValue] {
    let pictures = ReportPictures()
    let isGolden = result.golden.exists
    if let candidate = result.candidate, isGolden {
      let areEqual = result.verdict == .same || (result.comparison?.arePixelsEqual ?? (result.candidateDigest != nil))
      if let members = try? pictures.members(golden: result.golden, candidate: candidate, areEqual: areEqual) {
        return members
      }
    }
    if let candidate = result.candidate, !isGolden,
      let members = try? pictures.members(only: candidate, named: "candidate", caption: "There is no golden yet.")
    {
      return members
    }
    let caption = "There is no candidate: this is the golden."
    return (try? pictures.members(only: result.golden, named: "golden", caption: caption)) ?? [:]
  }

  /// The steps as one would type them in the suite's folder.
  private static func commands(_ result: GoldenResult) -> [JSONValue] {
    var inputs = result.item.inputs
    return result.item.steps.enumerated().map { index, step in
      let isLast = index == result.item.steps.count - 1
      let output = isLast ? result.item.fileName : "step\(index + 1).\(step.fileExtension)"
      let recipe = step.recipe == nil ? nil : "recipe\(index + 1).json"
      let words = step.words(inputs: inputs, recipe: recipe, output: output, threads: 1)
      inputs = [output]
      return .string((["duo-process"] + words).map(quoted).joined(separator: " "))
    }
  }

  private static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: ":"),
        UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    return plain && !word.isEmpty
      ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
