/// A value that can be made from one command-line word.
protocol ExpressibleByArgument {
  /// `nil` when the word is not such a value.
  init?(argument: ArgumentWord)
  /// The words that are accepted, for help and messages; empty when there are too many to list.
  static var allValueStrings: [String] { get }
  /// What a shell offers for a word.
  static var completion: ValueCompletion { get }
}

extension ExpressibleByArgument {
  static var allValueStrings: [String] { [] }
  static var completion: ValueCompletion { allValueStrings.isEmpty ? .nothing : .words(allValueStrings) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue == String {
  init?(argument: ArgumentWord) { self.init(rawValue: argument.text) }
}

extension ExpressibleByArgument where Self: RawRepresentable & CaseIterable, RawValue == String {
  static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension String: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self = argument.text }
}

extension Int: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(argument.text) }
}

extension Double: ExpressibleByArgument {
  init?(argument: ArgumentWord) {
    guard let value = Double(argument.text), value.isFinite else { return nil }
    self = value
  }
}

/// What a shell offers when a value is to be completed.
enum ValueCompletion: Equatable {
  case nothing
  /// Names of files and folders.
  case files
  /// These words; others may be accepted too.
  case words([String])
}

/// One word of the command line, as the bytes the system passed: a file name need not be valid text.
struct ArgumentWord: Hashable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }

  /// The word as text; bytes that are no UTF-8 are replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// What one option, flag or argument of a command is called and accepts.
struct ArgumentDefinition {
  enum Kind { case flag, option, argument }

  var kind: Kind
  /// `output` for `--output`; the placeholder's name for an argument.
  var name = ""
  /// Other spellings that are accepted, without dashes.
  var aliases: [String] = []
  var short: Character?
  var valueName = ""
  var help: String
  var allowed: [String] = []
  var completion = ValueCompletion.nothing
  var isRepeating = false
  var isRequired = false
  var defaultText: String?
}

/// What a property wrapper offers to the parser.
protocol ArgumentSource {
  func definition(label: String) -> ArgumentDefinition
  /// Takes one word; flags take `nil`. False when the word is not an acceptable value.
  func accept(_ word: ArgumentWord?) -> Bool
  var isSet: Bool { get }
}

/// `skipExisting` → `skip-existing`.
func dashed(_ label: String) -> String {
  var result = ""
  for character in label.drop(while: { $0 == "_" }) {
    if character.isUppercase {
      result += "-" + character.lowercased()
    } else {
      result.append(character)
    }
  }
  return result
}
