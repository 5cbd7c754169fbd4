/// The members of a JSON object, taken one by one, so that what is left over is known to be unknown.
struct JSONMembers {
  /// The file, and the place in it, for messages.
  private(set) var place: String
  private var rest: [String: JSONValue]

  /// - Throws: usage (64) when the value is no object.
  init(_ value: JSONValue, at place: String) throws(JobFailure) {
    guard case .object(let members) = value else {
      throw JobFailure(.usage, "\(place) is \(value.shown), expected an object")
    }
    self.place = place
    rest = members
  }

  /// The same members under a better name for messages.
  func renamed(_ place: String) -> JSONMembers {
    var copy = self
    copy.place = place
    return copy
  }

  /// Names of what was not taken yet.
  var names: Set<String> { Set(rest.keys) }

  /// Takes one member.
  ///
  /// - Parameters:
  ///   - expected: what the member accepts, for the message.
  ///   - read: `nil` when the value is not acceptable.
  /// - Returns: `nil` when there is no such member.
  /// - Throws: usage (64).
  mutating func take<Value>(
    _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JobFailure) -> Value? {
    guard let json = rest.removeValue(forKey: name), json != .null else { return nil }
    guard let value = read(json) else {
      throw JobFailure(.usage, "\(place): \(name) is \(json.shown), expected \(expected)")
    }
    return value
  }

  /// Takes one of an enumeration's names.
  mutating func take<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, as type: Value.Type
  ) throws(JobFailure) -> Value? {
    let names = Value.allCases.map(\.rawValue)
    return try take(name, names.joined(separator: ", ")) { json in
      json.word.flatMap { word in Value.allCases.first { $0.rawValue.lowercased() == word.lowercased() } }
    }
  }

  /// Takes what must be there.
  mutating func require<Value>(
    _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JobFailure) -> Value {
    guard let value = try take(name, expected, read) else {
      throw JobFailure(.usage, "\(place) has no \(name), expected \(expected)")
    }
    return value
  }

  /// - Throws: usage (64) when something is left.
  func finish() throws(JobFailure) {
    guard let unknown = rest.keys.min() else { return }
    throw JobFailure(.usage, "\(place): there is no key “\(unknown)” here")
  }
}

extension JSONValue {
  /// The truth of `true` and `false`.
  var flag: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// A time in seconds, not negative and not longer than a day.
  var seconds: Duration? {
    let longest = 86_400.0
    return number.flatMap { (0...longest).contains($0) ? .seconds($0) : nil }
  }
  /// The values of an array.
  var values: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
}
