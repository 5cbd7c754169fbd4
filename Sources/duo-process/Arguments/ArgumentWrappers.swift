// The surface of swift-argument-parser, as far as it is used here: `@Option`, `@Flag`, `@Argument`, `@OptionGroup`,
// so that the real package can take this folder's place without a change to the commands.

/// Where a wrapper keeps its value while a command is parsed and run. One thread only.
final class ArgumentBox<Value> {
  var value: Value?
  var isSet = false

  init(_ value: Value?) { self.value = value }

  func take() -> Value {
    guard let value else { preconditionFailure("read an argument before it was parsed") }
    return value
  }
}

/// `--name VALUE`, `--name=VALUE`, `-n VALUE`.
@propertyWrapper
struct Option<Value>: ArgumentSource {
  private let box: ArgumentBox<Value>
  private let convert: (ArgumentWord) -> Value?
  private var shape: ArgumentDefinition

  var wrappedValue: Value {
    get { box.take() }
    nonmutating set { box.value = newValue }
  }

  init(wrappedValue: Value, short: Character? = nil, value: String = "VALUE", help: String)
  where Value: ExpressibleByArgument {
    box = ArgumentBox(wrappedValue)
    convert = Value.init(argument:)
    shape = Self.shape(
      short, value, help, Value.allValueStrings, required: false, defaultText: defaultText(of: wrappedValue))
  }

  init<Wrapped: ExpressibleByArgument>(short: Character? = nil, value: String = "VALUE", help: String)
  where Value == Wrapped? {
    box = ArgumentBox(.some(nil))
    // Not the bare result: a word that is no value must not pass for "no value given".
    convert = { Wrapped(argument: $0).map(Optional.some) }
    shape = Self.shape(short, value, help, Wrapped.allValueStrings, required: false, defaultText: nil)
  }

  init(short: Character? = nil, value: String = "VALUE", help: String) where Value: ExpressibleByArgument {
    box = ArgumentBox(nil)
    convert = Value.init(argument:)
    shape = Self.shape(short, value, help, Value.allValueStrings, required: true, defaultText: nil)
  }

  func definition(label: String) -> ArgumentDefinition {
    var definition = shape
    definition.name = dashed(label)
    return definition
  }

  func accept(_ word: ArgumentWord?) -> Bool {
    guard let word, let value = convert(word) else { return false }
    box.value = value
    box.isSet = true
    return true
  }

  var isSet: Bool { box.isSet }

  private static func shape(
    _ short: Character?, _ value: String, _ help: String, _ allowed: [String], required: Bool, defaultText: String?
  ) -> ArgumentDefinition {
    ArgumentDefinition(
      kind: .option, name: "", short: short, valueName: value, help: help, allowed: allowed, isRepeating: false,
      isRequired: required, defaultText: defaultText)
  }
}

/// `--name VALUE` that may be given several times.
@propertyWrapper
struct Options<Element: ExpressibleByArgument>: ArgumentSource {
  private let box = ArgumentBox<[Element]>([])
  private let valueName: String
  private let help: String

  var wrappedValue: [Element] { box.take() }

  init(value: String, help: String) {
    valueName = value
    self.help = help
  }

  func definition(label: String) -> ArgumentDefinition {
    ArgumentDefinition(
      kind: .option, name: dashed(label), short: nil, valueName: valueName, help: help,
      allowed: Element.allValueStrings, isRepeating: true, isRequired: false, defaultText: nil)
  }

  func accept(_ word: ArgumentWord?) -> Bool {
    guard let word, let value = Element(argument: word) else { return false }
    box.value?.append(value)
    box.isSet = true
    return true
  }

  var isSet: Bool { box.isSet }
}

/// `--name`, off unless given.
@propertyWrapper
struct Flag: ArgumentSource {
  private let box = ArgumentBox<Bool>(false)
  private let short: Character?
  private let help: String

  var wrappedValue: Bool { box.take() }

  init(short: Character? = nil, help: String) {
    self.short = short
    self.help = help
  }

  func definition(label: String) -> ArgumentDefinition {
    ArgumentDefinition(
      kind: .flag, name: dashed(label), short: short, valueName: "", help: help, allowed: [], isRepeating: true,
      isRequired: false, defaultText: nil)
  }

  func accept(_ word: ArgumentWord?) -> Bool {
    guard word == nil else { return false }
    box.value = true
    box.isSet = true
    return true
  }

  var isSet: Bool { box.isSet }
}

/// Words that belong to no option: files and folders.
@propertyWrapper
struct Arguments<Element: ExpressibleByArgument>: ArgumentSource {
  private let box = ArgumentBox<[Element]>([])
  private let valueName: String
  private let help: String

  var wrappedValue: [Element] { box.take() }

  init(value: String, help: String) {
    valueName = value
    self.help = help
  }

  func definition(label: String) -> ArgumentDefinition {
    ArgumentDefinition(
      kind: .argument, name: dashed(label), short: nil, valueName: valueName, help: help, allowed: [],
      isRepeating: true, isRequired: false, defaultText: nil)
  }

  func accept(_ word: ArgumentWord?) -> Bool {
    guard let word, let value = Element(argument: word) else { return false }
    box.value?.append(value)
    box.isSet = true
    return true
  }

  var isSet: Bool { box.isSet }
}

/// Options that several commands share.
protocol ParsableArguments {
  init()
}

/// Puts the options of a group among a command's own.
@propertyWrapper
struct OptionGroup<Group: ParsableArguments> {
  let wrappedValue: Group

  init() { wrappedValue = Group() }
}

private func defaultText<Value: ExpressibleByArgument>(of value: Value) -> String? {
  if let named = value as? any RawRepresentable<String> { return named.rawValue }
  if let text = value as? any CustomStringConvertible { return text.description }
  return nil
}
