/// A completion script for fish: a file `duo-process.fish` in `~/.config/fish/completions`, or sourced.
enum FishCompletion {
  static func script(_ commands: [CommandDescription]) -> String {
    let head = """
      # fish completion for duo-process, made by: duo-process completions fish
      function __duo_process_count --description 'How many words come before the one that is completed'
          set -l words (commandline -opc)
          test (count $words) -eq $argv[1]
      end
      function __duo_process_command --description 'Whether the command line begins with a command'
          set -l words (commandline -opc)
          set -e words[1]
          set -l wanted (string split ' ' -- $argv[1])
          test (count $words) -ge (count $wanted); or return 1
          set -l last (count $wanted)
          set -l first $words[1..$last]
          test "$first" = "$wanted"
      end
      """
    var lines = [head]
    for word in commands.firstWords {
      let abstract = commands.first(named: word)?.configuration.abstract ?? word
      lines.append(
        "complete -c duo-process -f -n '__duo_process_count 1' -a '\(word)' -d '\(quoted(abstract))'")
    }
    for option in CommandDescription.everywhere {
      lines.append(
        "complete -c duo-process -f -n '__duo_process_count 1' \(names(option)) -d '\(quoted(option.help))'")
    }
    for word in commands.groups {
      for second in commands.secondWords(after: word) {
        let abstract = commands.first(named: "\(word) \(second)")?.configuration.abstract ?? second
        lines.append(
          "complete -c duo-process -f -n '__duo_process_command \(word); and __duo_process_count 2' -a '\(second)' "
            + "-d '\(quoted(abstract))'")
      }
    }
    for command in commands { lines += entry(command) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ command: CommandDescription) -> [String] {
    let start = "complete -c duo-process -n '__duo_process_command \"\(command.name)\"'"
    var lines = command.options.map { option in
      "\(start) \(names(option))\(value(option)) -d '\(quoted(option.help))'"
    }
    switch command.argument?.offered {
    case .files: break  // what fish does by itself
    case .words(let words): lines.append("\(start) -f -a '\(words.joined(separator: " "))'")
    case .nothing, nil: lines.append("\(start) -f")
    }
    return lines
  }

  private static func names(_ option: ArgumentDefinition) -> String {
    let short = option.short.map { ["-s \($0)"] } ?? []
    return (short + ([option.name] + option.aliases).map { "-l \($0)" }).joined(separator: " ")
  }

  private static func value(_ option: ArgumentDefinition) -> String {
    guard option.kind == .option else { return "" }
    switch option.offered {
    case .files: return " -r -F"
    case .words(let words): return " -x -a '\(words.joined(separator: " "))'"
    case .nothing: return " -x"
    }
  }

  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
