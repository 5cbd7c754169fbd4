import TIFFTags

/// Where a golden, or a candidate for one, comes from: the file NAME.json beside the picture.
///
/// There is no date in it: recording the same twice gives the same bytes. Version control knows when.
public struct GoldenProvenance: Sendable, Hashable {
  /// A file that was read.
  public struct Source: Sendable, Hashable {
    /// As the suite names it.
    public var path: String
    /// Lower-case hexadecimal.
    public var sha256: String
  }

  /// The name of the case.
  public var name: String
  /// Name and version of the program that made it.
  public var tool: String
  /// The steps of the suite, as they stood there.
  public var steps: [JSONValue]
  /// The recipe of each step with every default filled in, as the program reported it; `null` where it reported none.
  public var resolved: [JSONValue]
  /// Inputs, recipes and sidecars that were read, in the order of the suite.
  public var inputs: [Source]
  /// Name of the picture's file.
  public var file: String
  /// Of the picture's file, lower-case hexadecimal.
  public var sha256: String
  /// What the picture says besides its pixels, for people who read differences.
  public var metadata: [String: String]

  private static let version = 1

  var json: JSONValue {
    .object([
      "version": .number(Double(Self.version)), "case": .string(name), "tool": .string(tool), "steps": .array(steps),
      "resolved": .array(resolved),
      "inputs": .array(inputs.map { .object(["path": .string($0.path), "sha256": .string($0.sha256)]) }),
      "file": .string(file), "sha256": .string(sha256), "metadata": .object(metadata.mapValues { .string($0) }),
    ])
  }

  /// - Parameter extra: members that are not its own.
  init(_ json: JSONValue, at place: String, extra: Set<String> = []) throws(JobFailure) {
    var members = try JSONMembers(json, at: place)
    for name in extra { _ = try members.take(name, "", { $0 }) }
    let version = try members.require("version", "\(Self.version)", \.whole)
    guard version == Self.version else {
      throw JobFailure(.usage, "\(place) has version \(version), this program reads version \(Self.version)")
    }
    name = try members.require("case", "a name", \.text)
    tool = try members.require("tool", "a program", \.text)
    steps = try members.require("steps", "an array", \.values)
    resolved = try members.require("resolved", "an array", \.values)
    inputs = []
    for (index, input) in try members.require("inputs", "an array", \.values).enumerated() {
      var source = try JSONMembers(input, at: "\(place): input \(index + 1)")
      inputs.append(
        Source(
          path: try source.require("path", "a path", \.text), sha256: try source.require("sha256", "a digest", \.text)
        ))
      try source.finish()
    }
    file = try members.require("file", "a name", \.text)
    sha256 = try members.require("sha256", "a digest", \.text)
    metadata = try members.require("metadata", "an object of texts") { json in
      guard case .object(let entries) = json else { return nil }
      return entries.compactMapValues(\.text)
    }
    try members.finish()
  }

  init(
    name: String, tool: String, steps: [JSONValue], resolved: [JSONValue], inputs: [Source], file: String,
    sha256: String, metadata: [String: String]
  ) {
    self.name = name
    self.tool = tool
    self.steps = steps
    self.resolved = resolved
    self.inputs = inputs
    self.file = file
    self.sha256 = sha256
    self.metadata = metadata
  }
}

/// What a check knows of a candidate: the file NAME.json beside it. Without one, nothing can be approved.
struct GoldenCandidate: Sendable, Hashable {
  /// Where the candidate comes from.
  var provenance: GoldenProvenance
  /// What the check said.
  var verdict: String
  /// Digest of the golden that it was compared with; `nil` when there was none.
  var golden: String?
  /// Whether it was approved since.
  var isApproved = false

  private static let extra: Set<String> = ["verdict", "golden", "approved"]

  var json: JSONValue {
    guard case .object(var members) = provenance.json else { return provenance.json }
    members["verdict"] = .string(verdict)
    if let golden { members["golden"] = .string(golden) }
    if isApproved { members["approved"] = .bool(true) }
    return .object(members)
  }
}

extension GoldenCandidate {
  init(_ json: JSONValue, at place: String) throws(JobFailure) {
    provenance = try GoldenProvenance(json, at: place, extra: Self.extra)
    guard case .object(let members) = json, let verdict = members["verdict"]?.text else {
      throw JobFailure(.usage, "\(place) was not written by golden check")
    }
    self.verdict = verdict
    golden = members["golden"]?.text
    isApproved = members["approved"]?.flag ?? false
  }
}
