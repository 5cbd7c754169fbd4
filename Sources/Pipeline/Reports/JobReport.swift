/// What became of one input.
public struct JobReport: Sendable, Encodable {
  /// The fate of an input.
  public enum Status: String, Sendable, Encodable {
    case written
    /// The output was there already.
    case skipped
    case failed
    /// Not written because the run is a rehearsal.
    case planned
  }

  /// The input's name, as shown in messages.
  public var path: String
  /// Whether an output was written, and if not, why not.
  public var status: Status
  /// The exit code this input alone would give: 0, or that of the failure.
  public var code: Int32
  /// The failure in one line; `nil` without one.
  public var message: String?
  /// The name of the chain that the input went through.
  public var chain: String
  /// The output's path; `nil` for standard output.
  public var output: String?
  /// SHA-256 of the written file in lower-case hexadecimal; `nil` when it was not asked for or nothing was written.
  public var outputSHA256: String?
  /// Every setting of the run, defaults included.
  public var recipe: Recipe
  /// What the chain did; `nil` when it failed or did not run.
  public var result: ChainResult?
  /// Why an output that was made before is made again, after its name; `nil` when it is not.
  public var again: String?
  /// Highest memory of the process so far, bytes.
  public var peakMemory: Int?
}

extension JobReport {
  func failed(_ failure: JobFailure) -> JobReport {
    var copy = self
    copy.status = .failed
    copy.code = failure.status.rawValue
    copy.message = failure.message
    copy.result = nil
    return copy
  }
}
