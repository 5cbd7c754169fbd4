import Glibc
public import TIFFTags

extension Recipe {
  /// Files larger than this are no recipes, bytes.
  private static let largestFile = 1 << 20

  /// Takes over all keys of a JSON file; what it does not say stays.
  ///
  /// - Throws: no input (66) when the file cannot be read; usage (64) when it is not JSON, when a key is unknown, or
  ///   when a value is not acceptable. The message names file, key, finding and expectation.
  public mutating func apply(file: FilePath) throws(JobFailure) {
    guard let bytes = file.contents(atMost: Self.largestFile) else {
      throw JobFailure(.noInput, "\(file.string) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard bytes.count < Self.largestFile, let json = JSONValue(parsing: bytes) else {
      throw JobFailure(.usage, "\(file.string) is no JSON; a recipe is one object, without comments")
    }
    guard case .object = json else {
      throw JobFailure(.usage, "\(file.string) holds \(json.shown), expected an object of recipe keys")
    }
    try apply(json, under: "", from: file.string)
  }

  /// Takes over `key=value`, as of `--set`. The value is JSON, or else a word.
  ///
  /// - Throws: usage (64).
  public mutating func apply(assignment: String) throws(JobFailure) {
    guard let equals = assignment.firstIndex(of: "="), equals != assignment.startIndex else {
      throw JobFailure(.usage, "--set “\(assignment)” is no assignment, expected key=value")
    }
    let text = String(assignment[assignment.index(after: equals)...])
    let value = JSONValue(parsing: Array(text.utf8)) ?? .string(text)
    try apply(value, under: String(assignment[..<equals]), from: "--set")
  }

  mutating func apply(_ value: JSONValue, under name: String, from source: String) throws(JobFailure) {
    if let key = RecipeKey.all.first(where: { $0.name == name }) {
      if value == .null { return }
      guard key.read(&self, value) else {
        throw JobFailure(.usage, "\(source): \(name) is \(value.shown), expected \(key.expected)")
      }
      return
    }
    let prefix = name.isEmpty ? "" : name + "."
    guard RecipeKey.all.contains(where: { $0.name.hasPrefix(prefix) }) else {
      throw JobFailure(.usage, "\(source): there is no key “\(name)”; the nearest is “\(Self.nearest(to: name))”")
    }
    guard case .object(let members) = value else {
      throw JobFailure(.usage, "\(source): \(name) is \(value.shown), expected an object")
    }
    for (member, value) in members.sorted(by: { $0.key < $1.key }) {
      try apply(value, under: prefix + member, from: source)
    }
  }

  /// The known key that is the fewest edits away; a last part that fits (`quality`) counts as near.
  private static func nearest(to name: String) -> String {
    RecipeKey.all.map(\.name).min { distance($0, name) < distance($1, name) } ?? ""
  }

  private static func distance(_ key: String, _ name: String) -> Int {
    let last = key.split(separator: ".").last.map(String.init) ?? key
    let given = Array(name.lowercased())
    return min(edits(Array(key.lowercased()), given), edits(Array(last.lowercased()), given))
  }

  /// Levenshtein 1966, "Binary codes capable of correcting deletions, insertions, and reversals".
  private static func edits(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let replaced = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }

  /// Names of the keys that are said, in the order of ``RecipeKey/all``.
  public var saidKeys: [String] { RecipeKey.all.filter { $0.write(self) != nil }.map(\.name) }

  /// The recipe as a JSON object of the keys that are said.
  public var json: JSONValue {
    var members: [String: JSONValue] = [:]
    for key in RecipeKey.all {
      guard let value = key.write(self) else { continue }
      let parts = key.name.split(separator: ".").map(String.init)
      if parts.count == 1 {
        members[parts[0]] = value
      } else {
        var inner: [String: JSONValue] = [:]
        if case .object(let known)? = members[parts[0]] { inner = known }
        inner[parts[1]] = value
        members[parts[0]] = .object(inner)
      }
    }
    return .object(members)
  }
}

extension Recipe: Encodable {
  /// Writes ``json``.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension FilePath {
  /// The first `limit` bytes; `nil` when the file cannot be read, with `errno` set.
  func contents(atMost limit: Int) -> [UInt8]? {
    let descriptor = withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var filled = 0
    while filled < limit {
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + filled, limit - filled) }
      if count < 0 { return nil }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }
}
