public import TIFFTags

/// Writes goldens that are not there yet. What it writes counts as recorded, never as passed.
public struct GoldenRecorder: Sendable {
  /// What becomes of goldens that are there.
  public enum Existing: Sendable, Hashable {
    /// They stay as they are.
    case keep
    /// They are written anew when their new bytes are those that were approved among the candidates of this folder.
    case update(approvedIn: FilePath)
  }

  private let suite: GoldenSuite
  private let production: GoldenProduction
  private let version: String
  private let lanes: GoldenLanes
  private let existing: Existing

  /// Prepares to record; `folder` is for files under way.
  ///
  /// - Throws: no input (66) when the program cannot be run, cannot create (73) when a folder cannot be made.
  public init(
    _ suite: GoldenSuite, tool: GoldenTool, existing: Existing, workFolder folder: FilePath, jobs: Int
  ) throws(JobFailure) {
    try suite.goldens.makeFolder()
    try folder.makeFolder()
    guard let resolved = folder.resolved else { throw JobFailure(.cannotCreate, "\(folder.string) cannot be made") }
    self.suite = suite
    self.existing = existing
    lanes = GoldenLanes(count: max(1, jobs))
    production = GoldenProduction(suite: suite, tool: tool, folder: resolved)
    version = try tool.version(in: suite.folder)
  }

  /// - Parameter finished: called once a case, in the order of `cases`, never from two threads at once.
  public func run(
    _ cases: [GoldenCase], finished: @escaping @Sendable (GoldenResult) -> Void = { _ in }
  ) -> [GoldenResult] {
    lanes.run(cases, by: production, finished: finished) { (item, production, result) throws(JobFailure) in
      try record(item, production, into: &result)
    }
  }

  private func record(
    _ item: GoldenCase, _ production: GoldenProduction, into result: inout GoldenResult
  ) throws(JobFailure) {
    let isThere = result.golden.exists && suite.provenance(of: item).exists
    if isThere, existing == .keep {
      result.verdict = .kept
      return
    }
    let sources = try production.sources(of: item)
    let product = try production.make(item)
    defer { GoldenFiles.remove(product.file) }
    result.warnings = product.warnings
    guard let digest = GoldenFiles.digest(product.file) else {
      throw JobFailure(.noInput, "\(product.file.string) cannot be read")
    }
    result.candidateDigest = digest
    if isThere, case .update(let folder) = existing { try requireApproval(of: digest, for: item, in: folder) }
    let provenance = GoldenProvenance(
      name: item.name, tool: version, steps: item.steps.map(\.json), resolved: product.resolved, inputs: sources,
      file: item.fileName, sha256: digest, metadata: try GoldenMetadata.read(product.file))
    // A golden that cannot be compared with would only fail later.
    let comparison = try GoldenComparer(tolerance: .identical, ignoredMetadata: []).compare(
      golden: product.file, candidate: product.file)
    guard comparison.arePixelsEqual else { throw JobFailure(.badData, "the result does not equal itself") }
    try GoldenFiles.copy(product.file, to: result.golden)
    try GoldenFiles.write(provenance.json, to: suite.provenance(of: item))
    result.verdict = .recorded
  }

  private func requireApproval(of digest: String, for item: GoldenCase, in folder: FilePath) throws(JobFailure) {
    let path = folder.appending(Array("\(item.name).json".utf8))
    let candidate = try GoldenFiles.json(path).map { json throws(JobFailure) in
      try GoldenCandidate(json, at: path.string)
    }
    guard let candidate, candidate.isApproved, candidate.provenance.sha256 == digest else {
      throw JobFailure(
        .cannotCreate, "a golden is there and this result was not approved: golden check, look, golden approve")
    }
  }
}
