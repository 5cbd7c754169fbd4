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

  func put(_ new: Value) -> Bool {
    value = new
    isSet = true
    return true
  }
}

/// What all wrappers are made of.
protocol BoxedArgument: ArgumentSource {
  associatedtype Value
  var box: ArgumentBox<Value> { get }
  /// Everything but the name.
  var shape: ArgumentDefinition { get }
}

extension BoxedArgument {
  var isSet: Bool { box.isSet }

  func definition(label: String) -> ArgumentDefinition {
    var definition = shape
    definition.name = dashed(label)
    return definition
  }
}

/// `--name VALUE`, `--name=VALUE`, `-n VALUE`.
@propertyWrapper
struct Option<Value>: BoxedArgument {
  let box: ArgumentBox<Value>
  let shape: ArgumentDefinition
  private let convert: (ArgumentWord) -> Value?

  var wrappedValue: Value {
    get { box.take() }
    nonmutating set { box.value = newValue }
  }

  init(wrappedValue: Value, short: Character? = nil, value: String = "VALUE", help: String)
  where Value: ExpressibleByArgument {
    box = ArgumentBox(wrappedValue)
    convert = Value.init(argument:)
    shape = ArgumentDefinition(
      kind: .option, short: short, valueName: value, help: help, allowed: Value.allValueStrings,
      completion: Value.completion, defaultText: defaultText(of: wrappedValue))
  }

  init<Wrapped: ExpressibleByArgument>(
    short: Character? = nil, aliases: [String] = [], value: String = "VALUE", help: String
  ) where Value == Wrapped? {
    box = ArgumentBox(.some(nil))
    // Not the bare result: a word that is no value must not pass for "no value given".
    convert = { Wrapped(argument: $0).map(Optional.some) }
    shape = ArgumentDefinition(
      kind: .option, aliases: aliases, short: short, valueName: value, help: help, allowed: Wrapped.allValueStrings,
      completion: Wrapped.completion)
  }

  init(short: Character? = nil, value: String = "VALUE", help: String) where Value: ExpressibleByArgument {
    box = ArgumentBox(nil)
    convert = Value.init(argument:)
    shape = ArgumentDefinition(
      kind: .option, short: short, valueName: value, help: help, allowed: Value.allValueStrings,
      completion: Value.completion, isRequired: true)
  }

  func accept(_ word: ArgumentWord?) -> Bool { word.flatMap(convert).map(box.put) ?? false }
}

/// `--name VALUE` that may be given several times.
@propertyWrapper
struct Options<Element: ExpressibleByArgument>: BoxedArgument {
  let box = ArgumentBox<[Element]>([])
  let shape: ArgumentDefinition

  var wrappedValue: [Element] { box.take() }

  init(value: String, help: String) {
    shape = ArgumentDefinition(
      kind: .option, valueName: value, help: help, allowed: Element.allValueStrings, completion: Element.completion,
      isRepeating: true)
  }

  func accept(_ word: ArgumentWord?) -> Bool { box.append(word) }
}

/// Words that belong to no option: files and folders.
@propertyWrapper
struct Arguments<Element: ExpressibleByArgument>: BoxedArgument {
  let box = ArgumentBox<[Element]>([])
  let shape: ArgumentDefinition

  var wrappedValue: [Element] { box.take() }

  init(value: String, help: String) {
    shape = ArgumentDefinition(
      kind: .argument, valueName: value, help: help, allowed: Element.allValueStrings, completion: Element.completion,
      isRepeating: true)
  }

  func accept(_ word: ArgumentWord?) -> Bool { box.append(word) }
}

extension ArgumentBox {
  fileprivate func append<Element: ExpressibleByArgument>(_ word: ArgumentWord?) -> Bool where Value == [Element] {
    word.flatMap(Element.init(argument:)).map { put(take() + [$0]) } ?? false
  }
}

/// `--name`, off unless given.
@propertyWrapper
struct Flag: BoxedArgument {
  let box = ArgumentBox<Bool>(false)
  let shape: ArgumentDefinition

  var wrappedValue: Bool { box.take() }

  init(short: Character? = nil, help: String) {
    shape = ArgumentDefinition(kind: .flag, short: short, help: help, isRepeating: true)
  }

  func accept(_ word: ArgumentWord?) -> Bool { word == nil && box.put(true) }
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
