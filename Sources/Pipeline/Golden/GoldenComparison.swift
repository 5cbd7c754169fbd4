public import ImageCore

/// How a candidate lies beside its golden.
public struct GoldenComparison: Sendable, Hashable {
  /// What was measured; `nil` when sizes or kinds differ, so that nothing could be.
  public var comparison: Comparison?
  /// Every limit with its value.
  public var findings: [ComparisonVerdict.Finding]
  /// Tags that differ and may not.
  public var tags: [GoldenTagDifference]
  /// Why the candidate fails, one line each; none when it is within its limits.
  public var complaints: [String]

  /// Whether every sample is equal.
  public var arePixelsEqual: Bool { comparison?.isIdentical ?? false }
}

extension GoldenComparison {
  /// Holds what was measured against a tolerance.
  ///
  /// - Parameter isRaw: see ``GoldenTolerance/limits(fullScale:isRaw:)``.
  init(_ comparison: Comparison, tolerance: GoldenTolerance, isRaw: Bool, tags: [GoldenTagDifference]) {
    let limits = tolerance.limits(fullScale: comparison.fullScale, isRaw: isRaw)
    let verdict = ComparisonVerdict(comparison, within: limits)
    self.comparison = comparison
    findings = verdict.findings
    self.tags = tags
    complaints = verdict.findings.filter { !$0.isWithin }.map(Self.complaint)
    if comparison.nonFinite.mismatched > 0 {
      complaints.append("\(comparison.nonFinite.mismatched) samples are a number in one of the two only")
    } else if !verdict.isWithin && complaints.isEmpty {
      complaints.append("the pictures differ")
    }
    complaints += tags.map { "metadata: \($0.description)" }
  }

  /// Pictures that cannot be laid over each other.
  init(incomparable reason: String, tags: [GoldenTagDifference]) {
    comparison = nil
    findings = []
    self.tags = tags
    complaints = [reason] + tags.map { "metadata: \($0.description)" }
  }

  private static func complaint(_ finding: ComparisonVerdict.Finding) -> String {
    guard let limit = GoldenLimit.all.first(where: { $0.option == finding.name }) else {
      return "\(finding.name) is outside \(finding.limit)"
    }
    let allowed = "allowed \(limit.isLeast ? "≥" : "≤") \(limit.text(finding.limit))"
    guard let value = finding.value else { return "\(limit.title) cannot be measured here, \(allowed)" }
    return "\(limit.title) is \(limit.text(value)), \(allowed)"
  }
}
