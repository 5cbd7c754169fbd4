/// The text of `--help`.
enum Help {
  private static let column = 34
  private static let lineLength = 100

  static func text<Command: ParsableCommand>(of command: Command.Type) -> String {
    let configuration = command.configuration
    let definitions = command.definitions
    let arguments = definitions.filter { $0.kind == .argument }.map(\.display).joined(separator: " ")
    var lines = ["\(configuration.abstract)", "", "Usage: duo-process \(configuration.name) [options] \(arguments)"]
    if !configuration.discussion.isEmpty { lines += ["", configuration.discussion] }
    let positional = definitions.filter { $0.kind == .argument }
    if !positional.isEmpty { lines += ["", "Arguments:"] + positional.flatMap(entry) }
    lines += ["", "Options:"] + definitions.filter { $0.kind != .argument }.flatMap(entry)
    lines += entry(("--help", "Show this text."))
    if !configuration.examples.isEmpty {
      lines += ["", "Examples:"]
      for example in configuration.examples { lines += ["  \(example.line)", "      \(example.meaning)"] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ definition: ArgumentDefinition) -> [String] {
    var help = definition.help
    if !definition.aliases.isEmpty {
      help += " Also " + definition.aliases.map { "--\($0)" }.joined(separator: ", ") + "."
    }
    if !definition.allowed.isEmpty { help += " (\(definition.allowed.joined(separator: ", ")))" }
    if let value = definition.defaultText { help += " Default: \(value)." }
    return entry((definition.display, help))
  }

  /// A left column of names, a right one of wrapped text.
  static func entry(_ pair: (name: String, help: String)) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in pair.help.split(separator: " ") {
      if !current.isEmpty && current.count + word.count + 1 > lineLength - column {
        lines.append(current)
        current = ""
      }
      current += (current.isEmpty ? "" : " ") + word
    }
    lines.append(current)
    let indent = String(repeating: " ", count: column)
    let name = "  " + pair.name
    if name.count + 1 >= column { return [name] + lines.map { indent + $0 } }
    let first = name + String(repeating: " ", count: column - name.count) + lines[0]
    return [first] + lines.dropFirst().map { indent + $0 }
  }
}
