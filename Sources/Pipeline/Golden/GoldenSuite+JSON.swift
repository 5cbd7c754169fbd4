import ImageCore
public import TIFFTags

extension GoldenSuite {
  /// Files larger than this are no suites, bytes.
  private static let largestFile = 1 << 24
  /// Of the file's layout.
  private static let version = 1
  private static let defaultFolder = "goldens"

  /// Reads a suite. Unknown keys are refused, so that a misspelt limit cannot pass for none.
  ///
  /// - Throws: no input (66) when the file cannot be read, usage (64) when it is no suite.
  public init(file: FilePath) throws(JobFailure) {
    guard let bytes = file.contents(atMost: Self.largestFile) else {
      throw JobFailure(.noInput, "\(file.string) cannot be read")
    }
    guard bytes.count < Self.largestFile, let json = JSONValue(parsing: bytes) else {
      throw JobFailure(.usage, "\(file.string) is no JSON; a suite is one object, without comments")
    }
    try self.init(json, file: file)
  }

  init(_ json: JSONValue, file: FilePath) throws(JobFailure) {
    var members = try JSONMembers(json, at: file.string)
    let version = try members.require("version", "\(Self.version)", \.whole)
    guard version == Self.version else {
      throw JobFailure(.usage, "\(file.string) has version \(version), this program reads version \(Self.version)")
    }
    name = try members.take("name", "text", \.text) ?? String(decoding: file.stem, as: UTF8.self)
    folder = file.folder
    let goldens = try members.take("goldens", "a folder", \.text) ?? Self.defaultFolder
    self.goldens = goldens.hasPrefix("/") ? FilePath(goldens) : file.folder.appending(Array(goldens.utf8))
    let tolerance = try members.tolerance() ?? .standard
    let ignored = try members.take("ignoreMetadata", "an array of tag names", \.texts) ?? []
    let items = try members.require("cases", "an array of cases", \.values)
    try members.finish()
    cases = []
    var taken: Set<String> = []
    for (index, item) in items.enumerated() {
      let one = try GoldenCase(item, at: "\(file.string): case \(index + 1)", tolerance, Set(ignored))
      guard taken.insert(one.name.lowercased()).inserted else {
        throw JobFailure(.usage, "\(file.string): there are two cases “\(one.name)”")
      }
      cases.append(one)
    }
    guard !cases.isEmpty else { throw JobFailure(.usage, "\(file.string) has no cases: it would prove nothing") }
  }
}

extension GoldenCase {
  fileprivate init(
    _ json: JSONValue, at place: String, _ tolerance: GoldenTolerance, _ ignored: Set<String>
  ) throws(JobFailure) {
    var members = try JSONMembers(json, at: place)
    name = try members.require("name", "letters, digits, . _ -") { json in
      json.text.flatMap { Self.isName($0) ? $0 : nil }
    }
    members = members.renamed("\(place) (\(name))")
    inputs = try members.take("inputs", "an array of paths", \.texts) ?? []
    let steps = try members.take("steps", "an array of steps", \.values)
    if let steps {
      self.steps = []
      for (index, step) in steps.enumerated() {
        var inner = try JSONMembers(step, at: "\(place) (\(name)): step \(index + 1)")
        self.steps.append(try GoldenStep(&inner, source: self.steps.last?.fileExtension ?? inputs.first?.ending))
        try inner.finish()
      }
      guard !steps.isEmpty else { throw JobFailure(.usage, "\(place) (\(name)) has no steps") }
    } else {
      self.steps = [try GoldenStep(&members, source: inputs.first?.ending)]
    }
    self.tolerance = try members.tolerance() ?? tolerance
    ignoredMetadata = ignored.union(try members.take("ignoreMetadata", "an array of tag names", \.texts) ?? [])
    timeout =
      try members.take("timeout", "seconds above 0") { json in json.number.flatMap { $0 > 0 ? $0 : nil } }
      ?? Self.defaultTimeout
    note = try members.take("note", "text", \.text)
    try members.finish()
    guard !inputs.isEmpty || self.steps[0].chain == .synth else {
      throw JobFailure(.usage, "\(place) (\(name)) has no inputs")
    }
  }

  private static func isName(_ text: String) -> Bool {
    let longest = 120
    return !text.isEmpty && text.utf8.count <= longest && !text.hasPrefix(".")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

extension GoldenStep {
  /// - Parameter source: ending of the file it reads, which `transform` keeps.
  fileprivate init(_ members: inout JSONMembers, source: String?) throws(JobFailure) {
    guard let chain = try members.take("chain", as: Chain.self) else {
      let names = Chain.allCases.map(\.rawValue).joined(separator: ", ")
      throw JobFailure(.usage, "\(members.place) has no chain, expected one of \(names)")
    }
    self.chain = chain
    options = try members.take("options", "an array of words", \.texts) ?? []
    if let word = options.first(where: { Self.reserved.contains(String($0.prefix { $0 != "=" })) }) {
      throw JobFailure(.usage, "\(members.place): \(word) is decided by golden, leave it out")
    }
    recipe = try members.take("recipe", "an object of recipe keys") { json in
      if case .object = json { json } else { nil }
    }
    let format = try members.take("format", as: OutputSettings.Format.self)
    if let format {
      fileExtension = format.fileExtension
    } else {
      switch chain {
      case .bin, .remosaic, .merge, .synth: fileExtension = OutputSettings.Format.dng.fileExtension
      case .develop, .batch, .fuse: fileExtension = OutputSettings.Format.png.fileExtension
      case .transform: fileExtension = source ?? OutputSettings.Format.png.fileExtension
      }
    }
  }
}

extension JSONMembers {
  /// Takes `grade`: the name of a grade, or an object of limits.
  fileprivate mutating func tolerance() throws(JobFailure) -> GoldenTolerance? {
    let grades = "identical, rounding, invisible or an object of limits"
    guard let json = try take("grade", grades, { $0 }) else { return nil }
    if let name = json.text, let grade = GoldenTolerance(named: name) { return grade }
    guard case .object(let limits) = json else {
      throw JobFailure(.usage, "\(place): grade is \(json.shown), expected \(grades)")
    }
    var result = ComparisonThresholds()
    for (key, value) in limits.sorted(by: { $0.key < $1.key }) {
      guard let limit = GoldenLimit.all.first(where: { $0.key == key }) else {
        let known = GoldenLimit.all.map(\.key).joined(separator: ", ")
        throw JobFailure(.usage, "\(place): there is no limit “\(key)”, only \(known)")
      }
      guard let number = value.number, number >= 0 else {
        throw JobFailure(.usage, "\(place): \(key) is \(value.shown), expected a number from 0")
      }
      result[keyPath: limit.path] = number
    }
    guard !result.isEmpty else { throw JobFailure(.usage, "\(place): a grade without limits would pass anything") }
    return .custom(result)
  }
}

extension JSONValue {
  /// The text of a string.
  var text: String? { if case .string(let value) = self { value } else { nil } }
  /// The texts of an array of strings.
  var texts: [String]? {
    guard let values else { return nil }
    let texts = values.compactMap(\.text)
    return texts.count == values.count ? texts : nil
  }
}

extension String {
  /// What follows the last dot, in lower case.
  fileprivate var ending: String { FilePath(self).fileExtension }
}
