import FoundationEssentials

/// Any JSON (RFC 8259), for files whose keys are checked by hand.
public enum JSONValue: Sendable, Hashable, Codable {
  /// Absent on purpose.
  case null
  /// True or false.
  case bool(Bool)
  /// A finite number.
  case number(Double)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Values by name.
  case object([String: JSONValue])

  /// Reads a whole JSON text; `nil` when it is not one.
  init?(parsing bytes: [UInt8]) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else { return nil }
    self = value
  }

  /// Reads whichever kind the JSON has.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the kind that it is; whole numbers are written without a fraction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      if let whole = Int(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  /// As it is named in a message: the value itself where it is short.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .string(let value): "“\(value)”"
    case .array(let values): "[" + values.map(\.shown).joined(separator: ", ") + "]"
    case .object: "an object"
    }
  }

  /// The text of a string; a number as text, so that `90` and `"90"` mean the same.
  var word: String? {
    switch self {
    case .string(let value): value
    case .number(let value): Int(exactly: value).map(String.init)
    default: nil
    }
  }

  /// The number of a number.
  var number: Double? {
    guard case .number(let value) = self, value.isFinite else { return nil }
    return value
  }

  /// The number of a whole number.
  var whole: Int? { number.flatMap { Int(exactly: $0) } }
}
