/// A completion script for bash 4 and newer; it needs no other package.
enum BashCompletion {
  static func script(_ commands: [CommandDescription]) -> String {
    """
    # bash completion for duo-process, made by: duo-process completions bash
    _duo_process() {
      local cur=${COMP_WORDS[COMP_CWORD]} option= command=${COMP_WORDS[1]} options= words= files=
      # An option and its value come as three words when they are joined by an equals sign.
      if [[ $cur == "=" ]]; then
        option=${COMP_WORDS[COMP_CWORD-1]} cur=
      elif [[ ${COMP_WORDS[COMP_CWORD-1]} == "=" ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
      else
        option=${COMP_WORDS[COMP_CWORD-1]}
      fi
      COMPREPLY=()
      if (( COMP_CWORD == 1 )); then
        words='\((commands.firstWords + ["--help", "--version"]).joined(separator: " "))'
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
      fi
      case $command in
    \(commands.groups.map { group($0, commands) }.joined(separator: "\n"))
      esac
      case $command in
    \(commands.map(entry).joined(separator: "\n"))
      esac
      if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
      elif [[ $cur == -* && $files != value ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
      elif [[ -n $files ]]; then
        compopt -o filenames 2> /dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      fi
    }
    complete -F _duo_process duo-process

    """
  }

  private static func group(_ word: String, _ commands: [CommandDescription]) -> String {
    """
        \(word))
          if (( COMP_CWORD == 2 )); then
            words='\((commands.secondWords(after: word) + ["--help"]).joined(separator: " "))'
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
            return
          fi
          [[ ${COMP_WORDS[2]} == -* ]] || command="\(word) ${COMP_WORDS[2]}" ;;
    """
  }

  private static func entry(_ command: CommandDescription) -> String {
    var lines = [
      "    '\(command.name)')", "      options='\(command.options.flatMap(\.spellings).joined(separator: " "))'",
    ]
    switch command.argument?.offered {
    case .files: lines.append("      files=argument")
    case .words(let words): lines.append("      [[ $cur == -* ]] || words='\(words.joined(separator: " "))'")
    case .nothing, nil: break
    }
    lines.append("      case $option in")
    for option in command.options where option.kind == .option {
      let effect =
        switch option.offered {
        case .files: "files=value words="
        case .words(let words): "words='\(words.joined(separator: " "))'"
        case .nothing: "return"
        }
      lines.append("        \(option.spellings.joined(separator: "|"))) \(effect) ;;")
    }
    return (lines + ["      esac ;;"]).joined(separator: "\n")
  }
}
