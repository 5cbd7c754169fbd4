import TIFFTags

/// One picture that is watched: what makes it, of what, and how far it may stray.
public struct GoldenCase: Sendable, Hashable {
  /// Letters, digits, `.`, `_`, `-`; unique in the suite, also where case does not count. Files are named by it.
  public var name: String
  /// Paths relative to the suite's file.
  public var inputs: [String]
  /// What is done, in order; each step after the first takes what the one before wrote.
  public var steps: [GoldenStep]
  /// How far the result may lie from the golden.
  public var tolerance: GoldenTolerance
  /// Tags that may differ, by their names in reports: `IFD0.306`.
  public var ignoredMetadata: Set<String>
  /// Seconds after which the case has failed.
  public var timeout: Double
  /// Why the case exists; for readers of reports.
  public var note: String?

  /// Long enough for a 48MP capture at the best quality on a slow core, seconds.
  public static let defaultTimeout = 600.0

  /// The name of the file that the last step writes.
  public var fileName: String { "\(name).\(steps.last?.fileExtension ?? "")" }
}

/// One run of the command.
public struct GoldenStep: Sendable, Hashable {
  /// Commands that turn files into one file.
  public enum Chain: String, Sendable, Hashable, CaseIterable {
    case develop, bin, remosaic, merge, fuse, transform, batch, synth
  }

  /// Which command.
  public var chain: Chain
  /// Its options as on the command line. `{1}` stands for the first input, `{2}` for the second …; inputs that are not
  /// so named follow the options.
  public var options: [String]
  /// Settings in place of a file; `nil` for none.
  public var recipe: JSONValue?
  /// Ending of the file written, without a dot.
  public var fileExtension: String
}

extension GoldenStep {
  /// Options that decide where results go, or whether: the runner's own.
  static let reserved: Set<String> = [
    "-o", "--output", "--json", "--dry-run", "--overwrite", "--skip-existing", "--resume", "--name", "--help", "-h",
  ]

  /// The words of the command line.
  ///
  /// - Parameters:
  ///   - inputs: of this step.
  ///   - recipe: where ``recipe`` was written.
  ///   - threads: for the step, unless its options say another number.
  func words(inputs: [String], recipe path: String?, output: String, threads: Int) -> [String] {
    var named: Set<Int> = []
    var words = [chain.rawValue]
    for option in options {
      var word = option
      for index in inputs.indices where word == "{\(index + 1)}" {
        word = inputs[index]
        named.insert(index)
      }
      words.append(word)
    }
    if let path { words += ["--recipe", path] }
    if !options.contains("--jobs") { words += ["--jobs", "\(threads)"] }
    if chain != .synth { words.append("--json") }
    if chain == .batch {
      // It writes into folders, and its format is told apart from the name.
      let path = FilePath(output)
      if let format = OutputSettings.Format(fileExtension: fileExtension) { words += ["--format", format.rawValue] }
      words += ["--output", path.folder.string + "/", "--name", String(decoding: path.name, as: UTF8.self)]
    } else {
      words += ["--output", output]
    }
    let positional = inputs.indices.filter { !named.contains($0) }.map { inputs[$0] }
    return words + (positional.isEmpty ? [] : ["--"] + positional)
  }

  /// The step as it is written into provenance, to notice when a suite says something else.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "chain": .string(chain.rawValue), "options": .array(options.map { .string($0) }),
      "format": .string(fileExtension),
    ]
    if let recipe { members["recipe"] = recipe }
    return .object(members)
  }
}
