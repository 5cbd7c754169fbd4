public import TIFFTags

/// Makes a candidate the golden, after a check has seen exactly this candidate beside exactly this golden.
public struct GoldenApproval: Sendable {
  private let suite: GoldenSuite
  private let folder: FilePath

  /// - Parameter folder: where `golden check --output` left the candidates.
  public init(_ suite: GoldenSuite, candidates folder: FilePath) {
    self.suite = suite
    self.folder = folder
  }

  /// Replaces the golden of one case.
  ///
  /// - Throws: no input (66) when there is no candidate that a check has seen; bad data (65) when candidate, golden,
  ///   case or inputs are not what the check saw.
  public func approve(_ item: GoldenCase) throws(JobFailure) {
    let about = folder.appending(Array("\(item.name).json".utf8))
    let picture = folder.appending(Array(item.fileName.utf8))
    guard let json = try GoldenFiles.json(about) else {
      throw JobFailure(.noInput, "no check has seen a candidate of it; run golden check --output \(folder.string)")
    }
    var candidate = try GoldenCandidate(json, at: about.string)
    guard let digest = GoldenFiles.digest(picture) else {
      throw JobFailure(.noInput, "the candidate \(picture.string) is gone; run golden check again")
    }
    guard candidate.provenance.name == item.name, candidate.provenance.sha256 == digest else {
      throw JobFailure(.badData, "the candidate is not the file that the check saw; run golden check again")
    }
    guard GoldenFiles.digest(suite.golden(of: item)) == candidate.golden else {
      throw JobFailure(.badData, "the golden is not the one that the check saw; run golden check again")
    }
    guard candidate.provenance.steps == item.steps.map(\.json) else {
      throw JobFailure(.badData, "the case says something else than when it was checked; run golden check again")
    }
    for input in candidate.provenance.inputs where GoldenFiles.digest(suite.input(input.path)) != input.sha256 {
      throw JobFailure(.badData, "the input \(input.path) is not the one that the check read; run golden check again")
    }
    try suite.goldens.makeFolder()
    try GoldenFiles.copy(picture, to: suite.golden(of: item))
    try GoldenFiles.write(candidate.provenance.json, to: suite.provenance(of: item))
    candidate.isApproved = true
    candidate.golden = digest
    try GoldenFiles.write(candidate.json, to: about)
  }
}
