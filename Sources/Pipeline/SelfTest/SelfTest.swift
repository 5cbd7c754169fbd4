public import ImageCore
public import TIFFTags

/// Runs every stage on small synthetic captures and compares what comes out with what is known to be right: the bytes of
/// stages that promise the same bits everywhere, and the errors of stages that promise a bound.
public struct SelfTest: Sendable {
  /// What is checked of a stage.
  enum Promise: Sendable, Hashable {
    /// The same bytes on every machine, for any number of threads.
    case bits
    /// A number that is not above this.
    case atMost(Double)
    /// A number that is not below this.
    case atLeast(Double)
  }

  /// One stage.
  struct Stage: Sendable {
    /// Of what is made; with ``Promise/bits`` it has a line in ``ExpectedDigests``.
    let name: String
    let promise: Promise
    /// What the number is, with its unit; empty for bits.
    var unit = ""
    let run: @Sendable (SelfTestInputs, Resources) throws(JobFailure) -> Outcome
  }

  /// What a stage made.
  struct Outcome: Sendable {
    var bytes: StageBytes?
    var value: Double?

    init(_ bytes: StageBytes) { self.bytes = bytes }
    init(_ value: Double, _ bytes: StageBytes? = nil) {
      self.value = value
      self.bytes = bytes
    }
  }

  /// What is said of one stage.
  public struct Result: Sendable, Hashable, Encodable {
    /// Of the stage.
    public let stage: String
    /// Whether it kept its promise.
    public let passed: Bool
    /// The beginning of the SHA-256 of what it made; `nil` when it makes nothing but a number.
    public let digest: String?
    /// What the digest should be; `nil` where only a number is promised.
    public let expected: String?
    /// The number that is bounded.
    public let value: Double?
    /// Its bound.
    public let limit: Double?
    /// What the number is.
    public let unit: String?
    /// Why the stage could not be run.
    public let message: String?
  }

  /// Where encoded files wait to be read again.
  public var spoolFolder: FilePath

  /// A test of all stages.
  public init(spoolFolder: FilePath = SpoolFile.usualFolder) { self.spoolFolder = spoolFolder }

  /// The names of all stages, in the order in which they run.
  public static var stageNames: [String] { stages.map(\.name) }

  static let stages = ExactStages.all + FileStages.all + BoundedStages.all

  /// Runs the stages whose names begin with one of `prefixes`, all when there are none.
  ///
  /// - Parameter finished: hears of each result as soon as it is there.
  /// - Returns: whether every stage kept its promise.
  /// - Complexity: about a second on one thread.
  public func run(
    _ prefixes: [String] = [], resources: Resources, finished: (Result) -> Void
  ) -> Bool {
    let inputs = SelfTestInputs(spoolFolder: spoolFolder)
    var passed = true
    for stage in Self.stages where prefixes.isEmpty || prefixes.contains(where: { stage.name.hasPrefix($0) }) {
      let result = stage.result(inputs, resources)
      passed = passed && result.passed
      finished(result)
    }
    return passed
  }
}

extension SelfTest.Stage {
  fileprivate func result(_ inputs: SelfTestInputs, _ resources: Resources) -> SelfTest.Result {
    let outcome: SelfTest.Outcome
    do throws(JobFailure) { outcome = try run(inputs, resources) } catch { return result(nil, error.message) }
    return result(outcome, nil)
  }

  private func result(_ outcome: SelfTest.Outcome?, _ message: String?) -> SelfTest.Result {
    let digest = outcome?.bytes?.digest
    let expected = ExpectedDigests.all[name]
    let (passed, limit): (Bool, Double?) =
      switch promise {
      case .bits: (digest != nil && digest == expected, nil)
      case .atMost(let limit): ((outcome?.value).map { $0 <= limit } ?? false, limit)
      case .atLeast(let limit): ((outcome?.value).map { $0 >= limit } ?? false, limit)
      }
    return SelfTest.Result(
      stage: name, passed: passed, digest: digest, expected: promise == .bits ? expected ?? "unknown" : nil,
      value: outcome?.value, limit: limit, unit: unit.isEmpty ? nil : unit, message: message)
  }
}
