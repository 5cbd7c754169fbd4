import Glibc
public import TIFFTags

/// Where results go.
public enum Destination: Sendable, Hashable {
  case file(FilePath)
  case folder(FilePath)
  case standardOutput
}

/// One input with the output it becomes.
public struct PlannedJob: Sendable, Hashable {
  /// What is read.
  public let input: Input
  /// `nil` for standard output.
  public let output: FilePath?
}

/// Names every output before any work starts, and refuses when two would meet.
public struct OutputPlan: Sendable {
  /// Where results go.
  public var destination: Destination
  /// `{stem}`, `{name}`, `{op}`, `{ext}`, `{seq}` are replaced.
  public var template: String
  /// Stands for `{op}`.
  public var operation: String
  /// Stands for `{ext}`, without a dot.
  public var fileExtension: String

  /// The name of an output in a folder unless told otherwise.
  public static let defaultTemplate = "{stem}.{ext}"

  /// The template that leaves files their names.
  public static let sameName = "{name}"

  /// A plan; nothing is checked before ``jobs(for:)``.
  public init(
    destination: Destination, template: String = OutputPlan.defaultTemplate, operation: String, fileExtension: String
  ) {
    self.destination = destination
    self.template = template
    self.operation = operation
    self.fileExtension = fileExtension
  }

  /// - Throws: usage (64) when several inputs meet one file, or two inputs would be written to one name, also on a
  ///   file system that ignores case.
  public func jobs(for inputs: [Input]) throws(JobFailure) -> [PlannedJob] {
    switch destination {
    case .standardOutput:
      try requireOne(inputs, "standard output")
      return inputs.map { PlannedJob(input: $0, output: nil) }
    case .file(let path):
      try requireOne(inputs, path.string)
      return inputs.map { PlannedJob(input: $0, output: path) }
    case .folder(let folder):
      return try named(inputs, in: folder)
    }
  }

  private func requireOne(_ inputs: [Input], _ name: String) throws(JobFailure) {
    guard inputs.count <= 1 else {
      throw JobFailure(.usage, "\(inputs.count) inputs cannot become one output (\(name)); give a folder: -o DIR/")
    }
  }

  private func named(_ inputs: [Input], in folder: FilePath) throws(JobFailure) -> [PlannedJob] {
    var taken: [FoldedPath: Input] = [:]
    let sources = Dictionary(inputs.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var jobs: [PlannedJob] = []
    for (index, input) in inputs.enumerated() {
      let name = try name(for: input.nameSource, sequence: index + 1)
      let place = input.subfolder.isEmpty ? folder : folder.appending(input.subfolder)
      let path = place.appending(name)
      if let other = taken.updateValue(input, forKey: FoldedPath(path)) {
        throw JobFailure(
          .usage,
          "\(other.path.string) and \(input.shownName) would both become \(path.string); use --name with {name} or {seq}"
        )
      }
      // In place is allowed (with --overwrite); writing over what another job reads is not.
      if let victim = sources[path], victim != input {
        throw JobFailure(.usage, "\(input.shownName) would become \(path.string), which is an input itself")
      }
      jobs.append(PlannedJob(input: input, output: path))
    }
    return jobs
  }

  /// The name of one output; `sequence` counts from 1.
  ///
  /// - Throws: usage (64) when the template gives no file name.
  func name(for path: FilePath, sequence: Int) throws(JobFailure) -> [UInt8] {
    let name = expand(for: path, sequence: sequence)
    guard !name.isEmpty, !name.contains(UInt8(ascii: "/")), name != Array(".".utf8), name != Array("..".utf8) else {
      throw JobFailure(.usage, "--name gives “\(String(decoding: name, as: UTF8.self))”, which is no file name")
    }
    return name
  }

  private func expand(for path: FilePath, sequence: Int) -> [UInt8] {
    let digits = String(sequence)
    let values: [(key: String, value: [UInt8])] = [
      ("{stem}", path.stem), ("{name}", path.name), ("{op}", Array(operation.utf8)),
      ("{ext}", Array(fileExtension.utf8)),
      ("{seq}", Array((String(repeating: "0", count: max(0, 4 - digits.count)) + digits).utf8)),
    ]
    var result: [UInt8] = []
    var rest = Array(template.utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "{"), let match = values.first(where: { rest.starts(with: Array($0.key.utf8)) }) {
        result += match.value
        rest = rest.dropFirst(match.key.utf8.count)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

/// A path as a file system sees it that ignores case and Unicode normalisation.
enum FoldedPath: Hashable {
  /// Strings are equal when they are canonically equivalent.
  case text(String)
  case bytes([UInt8])

  init(_ path: FilePath) {
    if let text = String(validating: path.bytes, as: UTF8.self) {
      self = .text(text.lowercased())
    } else {
      self = .bytes(path.bytes.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 + 32 : $0 })
    }
  }
}

extension FilePath {
  /// Whether something of this name exists.
  public var exists: Bool {
    var status = stat()
    return withCString { stat($0, &status) } == 0
  }

  /// Whether this is a folder, or a name that ends in a slash and so means one.
  public var meansFolder: Bool {
    if bytes.last == UInt8(ascii: "/") { return true }
    var status = stat()
    return withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes the folder and those above it.
  func makeFolder() throws(JobFailure) {
    if bytes.isEmpty || exists { return }
    try folder.makeFolder()
    let result = withCString { mkdir($0, 0o777) }
    if result != 0 && errno != EEXIST {
      throw JobFailure(.cannotCreate, "\(string) cannot be created: \(String(cString: strerror(errno)))")
    }
  }
}
