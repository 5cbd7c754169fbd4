/// What a command declares, as data: help, manual pages and shell completions are made from it.
struct CommandDescription {
  let configuration: CommandConfiguration
  let definitions: [ArgumentDefinition]

  init<Command: ParsableCommand>(_ command: Command.Type) {
    configuration = command.configuration
    definitions = command.definitions + Self.everywhere
  }

  /// What every command takes, and the root command too.
  static let everywhere = [
    ArgumentDefinition(kind: .flag, name: "help", short: "h", help: "Show help."),
    ArgumentDefinition(kind: .flag, name: "version", help: "Print the version."),
  ]

  var name: String { configuration.name }
  /// `camera` and `list`.
  var words: [String] { name.split(separator: " ").map(String.init) }
  var options: [ArgumentDefinition] { definitions.filter { $0.kind != .argument } }
  var argument: ArgumentDefinition? { definitions.first { $0.kind == .argument } }
}

extension Array where Element == CommandDescription {
  /// First words, each once, in order.
  var firstWords: [String] {
    reduce(into: []) { words, command in
      if let word = command.words.first, !words.contains(word) { words.append(word) }
    }
  }

  /// Second words of the commands whose name begins with a word.
  func secondWords(after word: String) -> [String] {
    compactMap { $0.words.first == word && $0.words.count > 1 ? $0.words[1] : nil }
  }

  /// First words that a second one may follow.
  var groups: [String] { firstWords.filter { !secondWords(after: $0).isEmpty } }
}

extension ArgumentDefinition {
  /// All spellings with their dashes: `-o`, `--output`.
  var spellings: [String] {
    (short.map { ["-\($0)"] } ?? []) + ([name] + aliases).map { "--\($0)" }
  }

  /// What a shell offers as a value: what the type knows, else what the placeholder lists (`8|16|32`).
  var offered: ValueCompletion {
    if completion != .nothing { return completion }
    let listed = valueName.split(separator: "|").map(String.init).filter { word in
      word.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }
    }
    return listed.isEmpty || !valueName.contains("|") ? .nothing : .words(listed)
  }
}
