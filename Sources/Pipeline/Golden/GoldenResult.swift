public import TIFFTags

/// What became of a case.
public enum GoldenVerdict: String, Sendable, Hashable, CaseIterable {
  /// The same bytes, or equal pixels and equal metadata.
  case same
  /// Not the same, but within the case's tolerance.
  case changed
  /// Anything else, also whatever could not be compared.
  case failed
  /// The golden was written now: nothing was compared, nothing has passed.
  case recorded
  /// The golden was there already and was left alone.
  case kept

  /// Whether the verdict makes the run fail.
  public var isFailure: Bool { self == .failed }
}

/// A case with its verdict.
public struct GoldenResult: Sendable, Hashable {
  /// The case.
  public var item: GoldenCase
  /// What became of it.
  public var verdict: GoldenVerdict
  /// Why it failed, or what is worth knowing; one line each.
  public var reasons: [String]
  /// Warnings of the program that made the candidate.
  public var warnings: [String] = []
  /// `nil` when there was nothing to compare, or when the bytes are the same.
  public var comparison: GoldenComparison?
  /// Where the golden should be.
  public var golden: FilePath
  /// `nil` when none was made.
  public var candidate: FilePath?
  /// Of the candidate; `nil` when none was made.
  public var candidateDigest: String?
  /// Wall-clock seconds of making and comparing.
  public var seconds: Double

  /// A result that has still to be filled in.
  init(_ item: GoldenCase, golden: FilePath) {
    self.item = item
    self.golden = golden
    verdict = .failed
    reasons = []
    seconds = 0
  }
}

/// How many cases had which verdict.
public struct GoldenSummary: Sendable, Hashable {
  /// Cases by verdict; verdicts without a case are absent.
  public private(set) var counts: [GoldenVerdict: Int]

  /// Counts results.
  public init(_ results: [GoldenResult]) {
    counts = results.reduce(into: [:]) { $0[$1.verdict, default: 0] += 1 }
  }

  /// 0 when no case failed, else 1.
  public var status: ExitStatus { counts.contains { $0.key.isFailure && $0.value > 0 } ? .someFailed : .success }

  /// One line: `12 cases: 10 same, 1 changed, 1 failed`.
  public var text: String {
    let total = counts.values.reduce(0, +)
    let parts = GoldenVerdict.allCases.compactMap { verdict in counts[verdict].map { "\($0) \(verdict.rawValue)" } }
    return "\(total) case\(total == 1 ? "" : "s"): \(parts.joined(separator: ", "))"
  }
}
