import Pipeline

/// The shells that completions are made for.
enum CompletionShell: String, CaseIterable, ExpressibleByArgument {
  case bash, zsh, fish
}

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "completions", abstract: "Print a completion script for a shell.",
    discussion: "Commands, options and the words that options accept; the script runs nothing when it is used.",
    examples: [
      ("source <(duo-process completions bash)", "for this session, and in ~/.bashrc for all"),
      ("duo-process completions zsh > ~/.zfunc/_duo-process", "a folder of zsh's fpath"),
      ("duo-process completions fish > ~/.config/fish/completions/duo-process.fish", "for fish"),
    ])

  @Arguments(value: "SHELL", help: "The shell.") var shells: [CompletionShell]

  func validate() throws(UsageError) {
    guard shells.count == 1 else { throw UsageError("name one shell: bash, zsh or fish") }
  }

  func run() -> Int32 {
    let commands = DuoProcess.descriptions
    for shell in shells {
      switch shell {
      case .bash: Terminal.print(BashCompletion.script(commands))
      case .zsh: Terminal.print(ZshCompletion.script(commands))
      case .fish: Terminal.print(FishCompletion.script(commands))
      }
    }
    return ExitStatus.success.rawValue
  }
}

struct ManCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "man", abstract: "Print a manual page.",
    examples: [
      ("duo-process man develop | man -l -", "read one"),
      ("duo-process man > ~/.local/share/man/man1/duo-process.1", "keep the one about the whole"),
      ("duo-process man --list", "the names of all pages"),
    ])

  @Arguments(value: "COMMAND", help: "The command that the page is about; the whole unless given.")
  var command: [String]
  @Flag(help: "Print the names of all pages, one a line, instead.") var list: Bool

  func run() -> Int32 {
    let commands = DuoProcess.descriptions
    if list {
      let names = ["duo-process"] + commands.map { "duo-process-" + $0.words.joined(separator: "-") }
      Terminal.print(names.joined(separator: "\n") + "\n")
      return ExitStatus.success.rawValue
    }
    // A page's name is accepted as well as a command's: `duo-process-camera-list`, `camera list`.
    let asked = command.joined(separator: " ")
    if asked.isEmpty || asked == "duo-process" {
      Terminal.print(ManualPage.overview(commands, abstract: DuoProcess.abstract, exitCodes: DuoProcess.exitCodes))
      return ExitStatus.success.rawValue
    }
    let found = commands.first { [$0.name, "duo-process-" + $0.words.joined(separator: "-")].contains(asked) }
    guard let found else { return Self.fail(JobFailure(.usage, "there is no command “\(asked)”")) }
    Terminal.print(ManualPage.text(found))
    return ExitStatus.success.rawValue
  }
}
