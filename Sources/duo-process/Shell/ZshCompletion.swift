/// A completion script for zsh: a file `_duo-process` in a folder of `fpath`, or sourced.
enum ZshCompletion {
  static func script(_ commands: [CommandDescription]) -> String {
    """
    #compdef duo-process
    # zsh completion for duo-process, made by: duo-process completions zsh
    _duo_process() {
      local context state line command=${words[2]}
      typeset -A opt_args
      local -a names
      if (( CURRENT == 2 )); then
        names=(
    \(commands.firstWords.map { described($0, commands.first(named: $0)) }.joined(separator: "\n"))
        )
        _describe -t commands command names
        compadd -- --help --version
        return
      fi
      shift words
      (( CURRENT-- ))
      case $command in
    \(commands.groups.map { group($0, commands) }.joined(separator: "\n"))
      esac
      case $command in
    \(commands.map(entry).joined(separator: "\n"))
      esac
    }
    if [[ ${funcstack[1]} == _duo-process ]]; then
      _duo_process "$@"
    else
      compdef _duo_process duo-process
    fi

    """
  }

  private static func described(_ word: String, _ command: CommandDescription?) -> String {
    "      '\(word):\(quoted(command?.configuration.abstract ?? word))'"
  }

  private static func group(_ word: String, _ commands: [CommandDescription]) -> String {
    let names = commands.secondWords(after: word).map { described($0, commands.first(named: "\(word) \($0)")) }
    return """
          (\(word))
            if (( CURRENT == 2 )); then
              names=(
      \(names.joined(separator: "\n"))
              )
              _describe -t commands command names
              return
            fi
            if [[ ${words[2]} != -* ]]; then
              command="\(word) ${words[2]}"
              shift words
              (( CURRENT-- ))
            fi ;;
      """
  }

  private static func entry(_ command: CommandDescription) -> String {
    var specs = command.options.flatMap(specs)
    if let argument = command.argument { specs.append("'*:\(quoted(argument.valueName)):\(action(argument))'") }
    return "    ('\(command.name)')\n      _arguments -S \\\n        \(specs.joined(separator: " \\\n        ")) ;;"
  }

  /// One line a spelling; one spelling excludes the others unless the option may be repeated.
  private static func specs(_ option: ArgumentDefinition) -> [String] {
    option.spellings.map { spelling in
      let excluded = option.isRepeating ? "*" : "(\(option.spellings.joined(separator: " ")))"
      let equals = option.kind == .option && spelling.hasPrefix("--") ? "=" : ""
      let value = option.kind == .option ? ":\(quoted(option.valueName)):\(action(option))" : ""
      return "'\(excluded)\(spelling)\(equals)[\(quoted(option.help))]\(value)'"
    }
  }

  private static func action(_ definition: ArgumentDefinition) -> String {
    switch definition.offered {
    case .files: "_files"
    case .words(let words): "(\(words.map(quoted).joined(separator: " ")))"
    case .nothing: " "
    }
  }

  /// For use in a specification within single quotes.
  private static func quoted(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "'": result += "'\\''"
      case ":", "[", "]", "\\": result += "\\" + String(character)
      default: result.append(character)
      }
    }
    return result
  }
}

extension Array where Element == CommandDescription {
  func first(named name: String) -> CommandDescription? { first { $0.name == name } }
}
