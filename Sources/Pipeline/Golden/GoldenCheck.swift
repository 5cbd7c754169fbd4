import ImageCore
public import TIFFTags

/// Makes every case anew and holds it against its golden.
///
/// It never writes a golden. Whatever is missing (golden, input, decoder, comparison) fails its case.
public struct GoldenCheck: Sendable {
  private let suite: GoldenSuite
  private let production: GoldenProduction
  /// Name and version of the program that is checked.
  public let version: String
  private let lanes: GoldenLanes

  /// Prepares a check.
  ///
  /// - Parameters:
  ///   - folder: candidates are written here, beside a file about each; what earlier checks left of a case is replaced.
  ///   - jobs: threads in all.
  /// - Throws: no input (66) when the program cannot be run, cannot create (73) when the folder cannot be made or is
  ///   that of the goldens.
  public init(
    _ suite: GoldenSuite, tool: GoldenTool, candidates folder: FilePath, jobs: Int
  ) throws(JobFailure) {
    try folder.makeFolder()
    guard let resolved = folder.resolved else {
      throw JobFailure(.cannotCreate, "\(folder.string) cannot be made")
    }
    guard !GoldenFiles.isSame(resolved, suite.goldens) else {
      throw JobFailure(.cannotCreate, "\(folder.string) holds the goldens; name another folder for candidates")
    }
    self.suite = suite
    lanes = GoldenLanes(count: max(1, jobs))
    production = GoldenProduction(suite: suite, tool: tool, folder: resolved)
    version = try tool.version(in: suite.folder)
  }

  /// - Parameter finished: called once a case, in the order of `cases`, never from two threads at once.
  /// - Returns: the results in the order of `cases`.
  public func run(
    _ cases: [GoldenCase], finished: @escaping @Sendable (GoldenResult) -> Void = { _ in }
  ) -> [GoldenResult] {
    lanes.run(cases, by: production, finished: finished) { (item, production, result) throws(JobFailure) in
      try check(item, production, into: &result)
    }
  }

  private func check(
    _ item: GoldenCase, _ production: GoldenProduction, into result: inout GoldenResult
  ) throws(JobFailure) {
    let about = production.folder.appending(Array("\(item.name).json".utf8))
    GoldenFiles.remove(about)
    GoldenFiles.remove(production.folder.appending(Array(item.fileName.utf8)))
    let sources = try production.sources(of: item)
    let product = try production.make(item)
    result.candidate = product.file
    result.warnings = product.warnings
    guard let digest = GoldenFiles.digest(product.file) else {
      throw JobFailure(.noInput, "the candidate \(product.file.string) cannot be read")
    }
    result.candidateDigest = digest
    let provenance = GoldenProvenance(
      name: item.name, tool: version, steps: item.steps.map(\.json), resolved: product.resolved, inputs: sources,
      file: item.fileName, sha256: digest, metadata: try metadata(of: product.file))
    let golden = GoldenFiles.digest(result.golden)
    defer { remember(provenance, result, golden: golden, at: about) }
    guard let golden else {
      result.reasons.append("there is no golden: record it, or approve this candidate")
      return
    }
    result.reasons += try mismatches(item, sources: sources, golden: golden)
    if golden == digest {
      result.verdict = result.reasons.isEmpty ? .same : .failed
      return
    }
    let comparison = try GoldenComparer(tolerance: item.tolerance, ignoredMetadata: item.ignoredMetadata).compare(
      golden: result.golden, candidate: product.file)
    result.comparison = comparison
    result.reasons += comparison.complaints
    if !result.reasons.isEmpty {
      result.verdict = .failed
    } else {
      result.verdict = comparison.arePixelsEqual ? .same : .changed
      if comparison.arePixelsEqual { result.reasons = ["other bytes, equal pixels and metadata"] }
    }
  }

  private func metadata(of candidate: FilePath) throws(JobFailure) -> [String: String] {
    do { return try GoldenMetadata.read(candidate) } catch {
      throw JobFailure(error.status, "the candidate cannot be read: \(error.message)")
    }
  }

  /// What does not fit between the case, its inputs and what is known of the golden; a golden without its file of
  /// provenance is none.
  private func mismatches(
    _ item: GoldenCase, sources: [GoldenProvenance.Source], golden: String
  ) throws(JobFailure) -> [String] {
    let path = suite.provenance(of: item)
    guard let json = try GoldenFiles.json(path) else {
      return ["\(path.string) is missing: nobody knows where the golden comes from"]
    }
    let recorded = try GoldenProvenance(json, at: path.string)
    var lines: [String] = []
    if recorded.sha256 != golden { lines.append("the golden is not the file that was recorded (its digest differs)") }
    if recorded.steps != item.steps.map(\.json) {
      lines.append("the case says something else than when it was recorded")
    }
    let known = Dictionary(recorded.inputs.map { ($0.path, $0.sha256) }) { first, _ in first }
    for source in sources where known[source.path] != source.sha256 {
      lines.append("the input \(source.path) is not the one that the golden was recorded from")
    }
    for source in recorded.inputs where !sources.contains(where: { $0.path == source.path }) {
      lines.append("the golden was recorded from \(source.path) too")
    }
    return lines
  }

  /// Writes down what was seen, for ``GoldenApproval``. Without this file the candidate cannot be approved, so that a
  /// failure to write it needs no report of its own.
  private func remember(_ provenance: GoldenProvenance, _ result: GoldenResult, golden: String?, at path: FilePath) {
    let candidate = GoldenCandidate(provenance: provenance, verdict: result.verdict.rawValue, golden: golden)
    try? GoldenFiles.write(candidate.json, to: path)
  }
}
