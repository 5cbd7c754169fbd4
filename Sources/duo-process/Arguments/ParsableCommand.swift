/// What a command is called and says about itself.
struct CommandConfiguration {
  var name: String
  var abstract: String
  var discussion = ""
  /// Worked examples: the command line and what it does.
  var examples: [(line: String, meaning: String)] = []
}

/// A subcommand: parsed from words, checked, run.
protocol ParsableCommand: ParsableArguments {
  static var configuration: CommandConfiguration { get }
  /// Checks what the words alone can tell.
  func validate() throws(UsageError)
  /// Does the work; the result is the process's exit code.
  func run() -> Int32
}

extension ParsableCommand {
  func validate() throws(UsageError) {}
}

/// The command line was not understood: exit code 64 (EX_USAGE).
struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// One option or argument of a parsed value.
private struct Slot {
  let definition: ArgumentDefinition
  let source: any ArgumentSource
}

private protocol AnyOptionGroup {
  var group: any ParsableArguments { get }
}

extension OptionGroup: AnyOptionGroup {
  fileprivate var group: any ParsableArguments { wrappedValue }
}

private func slots(of arguments: any ParsableArguments) -> [Slot] {
  Mirror(reflecting: arguments).children.flatMap { child -> [Slot] in
    if let group = child.value as? any AnyOptionGroup { return slots(of: group.group) }
    guard let label = child.label, let source = child.value as? any ArgumentSource else { return [] }
    return [Slot(definition: source.definition(label: label), source: source)]
  }
}

extension ParsableCommand {
  /// Everything the command accepts, in declaration order.
  static var definitions: [ArgumentDefinition] { slots(of: Self()).map(\.definition) }

  /// Parses words (without the command's own name).
  static func parse(_ words: [ArgumentWord]) throws(UsageError) -> Self {
    let command = Self()
    try fill(slots(of: command), from: words)
    try command.validate()
    return command
  }

  private static func fill(_ slots: [Slot], from words: [ArgumentWord]) throws(UsageError) {
    var index = 0
    var onlyArguments = false
    while index < words.count {
      let word = words[index]
      index += 1
      let text = word.text
      if onlyArguments || text == "-" || !text.hasPrefix("-") {
        try acceptArgument(word, slots)
      } else if text == "--" {
        onlyArguments = true
      } else {
        let (slot, inlineValue) = try find(word, slots)
        try accept(slot, inlineValue, words, &index)
      }
    }
    for slot in slots where slot.definition.isRequired && !slot.source.isSet {
      throw UsageError("\(configuration.name) needs \(slot.definition.display)")
    }
  }

  private static func acceptArgument(_ word: ArgumentWord, _ slots: [Slot]) throws(UsageError) {
    guard let slot = slots.first(where: { $0.definition.kind == .argument }) else {
      throw UsageError("\(configuration.name) takes no argument “\(word.text)”")
    }
    guard slot.source.accept(word) else {
      throw UsageError("“\(word.text)” is not a valid \(slot.definition.valueName)")
    }
  }

  private static func accept(
    _ slot: Slot, _ inlineValue: ArgumentWord?, _ words: [ArgumentWord], _ index: inout Int
  ) throws(UsageError) {
    let definition = slot.definition
    if definition.kind == .flag {
      guard inlineValue == nil else { throw UsageError("--\(definition.name) takes no value") }
      _ = slot.source.accept(nil)
      return
    }
    if slot.source.isSet && !definition.isRepeating {
      throw UsageError("--\(definition.name) is given twice")
    }
    var value = inlineValue
    if value == nil {
      guard index < words.count else { throw UsageError("--\(definition.name) needs a \(definition.valueName)") }
      value = words[index]
      index += 1
    }
    guard slot.source.accept(value) else {
      let expected =
        definition.allowed.isEmpty ? "a \(definition.valueName)" : definition.allowed.joined(separator: ", ")
      throw UsageError(
        "--\(definition.name): “\(value?.text ?? "")” is not \(definition.allowed.isEmpty ? "" : "one of ")\(expected)"
      )
    }
  }

  private static func find(_ word: ArgumentWord, _ slots: [Slot]) throws(UsageError) -> (Slot, ArgumentWord?) {
    if word.bytes.starts(with: Array("--".utf8)) {
      let body = word.bytes.dropFirst(2)
      let equals = body.firstIndex(of: UInt8(ascii: "="))
      let name = String(decoding: body[..<(equals ?? body.endIndex)], as: UTF8.self)
      if let slot = slots.first(where: { $0.definition.answers(to: name) }) {
        return (slot, equals.map { ArgumentWord(Array(body[($0 + 1)...])) })
      }
      let near = slots.map(\.definition.name).first { $0.hasPrefix(name) || name.hasPrefix($0) }
      let hint = near.map { " (did you mean --\($0)?)" } ?? ""
      throw UsageError("unknown option --\(name)\(hint); see duo-process \(configuration.name) --help")
    }
    let letter = word.text.dropFirst().first
    guard let slot = slots.first(where: { $0.definition.short != nil && $0.definition.short == letter }) else {
      throw UsageError("unknown option \(word.text); see duo-process \(configuration.name) --help")
    }
    let rest = Array(word.bytes.dropFirst(2))
    return (slot, rest.isEmpty ? nil : ArgumentWord(rest))
  }
}

extension ArgumentDefinition {
  /// Whether `--name` means this option.
  func answers(to name: String) -> Bool { kind != .argument && (self.name == name || aliases.contains(name)) }

  /// How the option is written in help and messages.
  var display: String {
    switch kind {
    case .argument: isRepeating ? "\(valueName)…" : valueName
    case .flag: (short.map { "-\($0), " } ?? "") + "--\(name)"
    case .option: (short.map { "-\($0), " } ?? "") + "--\(name) \(valueName)"
    }
  }
}
