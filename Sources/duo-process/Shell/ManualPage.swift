/// Manual pages in the man macros of roff (groff_man(7)).
enum ManualPage {
  /// The page of one command.
  static func text(_ command: CommandDescription) -> String {
    let configuration = command.configuration
    var lines = head("duo-process-" + command.words.joined(separator: "-"), configuration.abstract)
    lines += [".SH SYNOPSIS", ".B " + escaped("duo-process \(command.name)"), ".RI [ options ]"]
    if let argument = command.argument { lines.append(".I " + escaped(argument.display)) }
    lines += [".SH DESCRIPTION", paragraph(configuration.abstract)]
    if !configuration.discussion.isEmpty { lines += [".PP", paragraph(configuration.discussion)] }
    if let argument = command.argument {
      lines += [".SH ARGUMENTS", ".TP", ".I " + escaped(argument.display), paragraph(help(argument))]
    }
    lines.append(".SH OPTIONS")
    for option in command.options { lines += entry(option) }
    if !configuration.examples.isEmpty { lines.append(".SH EXAMPLES") }
    for example in configuration.examples {
      lines += [".TP", ".B " + escaped(example.line), paragraph(example.meaning)]
    }
    lines += [".SH EXIT STATUS", "See", ".BR duo\\-process (1)."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of the command as a whole.
  static func overview(
    _ commands: [CommandDescription], abstract: String, exitCodes: [(code: String, meaning: String)]
  )
    -> String
  {
    var lines = head("duo-process", abstract)
    lines += [".SH SYNOPSIS", ".B duo\\-process", ".I COMMAND", ".RI [ options ]", ".I FILE\\[u2026]"]
    lines += [".SH DESCRIPTION", paragraph(abstract), ".SH COMMANDS"]
    for command in commands {
      lines += [".TP", ".B " + escaped(command.name), paragraph(command.configuration.abstract)]
    }
    lines.append(".SH OPTIONS")
    for option in CommandDescription.everywhere { lines += entry(option) }
    lines.append(".SH EXIT STATUS")
    for (code, meaning) in exitCodes { lines += [".TP", ".B " + escaped(code), paragraph(meaning)] }
    lines.append(".SH SEE ALSO")
    let pages = commands.map { ".BR " + escaped("duo-process-" + $0.words.joined(separator: "-")) + " (1)" }
    lines += pages.dropLast().map { $0 + "," } + pages.suffix(1)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func head(_ name: String, _ abstract: String) -> [String] {
    [
      ".TH \"\(escaped(name.uppercased()))\" 1 \"\" \"\(escaped(DuoProcess.software))\" \"User Commands\"",
      ".SH NAME", escaped(name) + " \\- " + escaped(abstract),
    ]
  }

  private static func entry(_ option: ArgumentDefinition) -> [String] {
    let spellings = option.spellings.map { "\\fB" + escaped($0) + "\\fR" }.joined(separator: ", ")
    let value = option.kind == .option ? " \\fI" + escaped(option.valueName) + "\\fR" : ""
    return [".TP", spellings + value, paragraph(help(option))]
  }

  private static func help(_ definition: ArgumentDefinition) -> String {
    var text = definition.help
    if !definition.allowed.isEmpty { text += " (\(definition.allowed.joined(separator: ", ")))" }
    if let value = definition.defaultText { text += " Default: \(value)." }
    return text
  }

  /// A line of text that is no request.
  private static func paragraph(_ text: String) -> String {
    let line = escaped(text)
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// Dashes stay dashes that can be copied, and all else is ASCII, whatever the device.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      case "\n": result += " "
      default:
        if scalar.isASCII {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }
      }
    }
    return result
  }
}
