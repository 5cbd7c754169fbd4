import ImageCore
import TIFFTags

extension GoldenResult {
  /// The result as an object of a report.
  public var json: JSONValue {
    var members: [String: JSONValue] = [
      "case": .string(item.name), "verdict": .string(verdict.rawValue), "code": .number(verdict.isFailure ? 1 : 0),
      "grade": .string(item.tolerance.name), "reasons": .array(reasons.map { .string($0) }),
      "warnings": .array(warnings.map { .string($0) }), "golden": .string(golden.string),
      "seconds": .number((seconds * 1000).rounded() / 1000),
      "steps": .array(item.steps.map(\.json)),
    ]
    if let candidate { members["candidate"] = .string(candidate.string) }
    if let candidateDigest { members["candidateSHA256"] = .string(candidateDigest) }
    if let note = item.note { members["note"] = .string(note) }
    if let comparison {
      members["pixelsEqual"] = .bool(comparison.arePixelsEqual)
      members["findings"] = .array(comparison.findings.map(Self.object))
      members["metadata"] = .array(
        comparison.tags.map { tag in
          .object([
            "name": .string(tag.name), "golden": tag.golden.map { .string($0) } ?? .null,
            "candidate": tag.candidate.map { .string($0) } ?? .null,
          ])
        })
      if let worst = comparison.comparison?.maxAbs, let x = worst.x, let y = worst.y {
        members["worst"] = .object(["x": .number(Double(x)), "y": .number(Double(y))])
      }
    }
    return .object(members)
  }

  /// A finding; JSON has no infinity, so that the PSNR of equal pictures is a word.
  private static func object(_ finding: ComparisonVerdict.Finding) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(finding.name), "limit": .number(finding.limit), "within": .bool(finding.isWithin),
    ]
    if let value = finding.value { members["value"] = value.isFinite ? .number(value) : .string("infinite") }
    return .object(members)
  }
}
