import CVector
import Glibc
import Pipeline

/// The root command: finds the subcommand, answers `--help` and `--version`, turns usage errors into exit code 64.
enum DuoProcess {
  static let version = "0.1.0"
  static let software = "duo-process \(version)"

  private static var commands: [any ParsableCommand.Type] {
    [
      InfoCommand.self, DevelopCommand.self, BinCommand.self, RemosaicCommand.self, MergeCommand.self,
      FuseCommand.self, TransformCommand.self, BatchCommand.self, WatchCommand.self, FinishCommand.self,
      SynthCommand.self, SynthShotCommand.self, CameraCommand.self, CameraListCommand.self,
      CameraDirectionCommand.self, CameraResolveCommand.self, CameraLayoutCommand.self, CameraReplayCommand.self,
      GoldenCommand.self, GoldenRecordCommand.self, GoldenCheckCommand.self, GoldenApproveCommand.self,
      CompareCommand.self,
      SelfTestCommand.self, CompletionsCommand.self, ManCommand.self,
    ]
  }

  /// What all commands declare.
  static var descriptions: [CommandDescription] { commands.map { CommandDescription($0) } }

  static let abstract = "Develop, bin, remosaic, merge, fuse, turn, crop and synthesise high-resolution RAW captures."

  /// The exit codes of the process.
  static let exitCodes: [(code: String, meaning: String)] = [
    ("0", "done"), ("1", "some inputs failed"), ("2", "all failed"), ("64", "usage"), ("65", "bad data"),
    ("66", "no input"), ("69", "codec missing"), ("73", "output exists or cannot be created"), ("74", "write error"),
    ("130/143", "stopped by a signal"), ("141", "nobody reads standard output any more"),
  ]

  static func run(_ words: [ArgumentWord]) -> Int32 {
    // Before anything else: even reading options touches code that is compiled for newer CPUs.
    guard cpuFits else {
      Terminal.print(
        error: "duo-process: this CPU lacks AVX2/FMA (x86-64-v3); build with DUO_MARCH=x86-64 for it\n")
      return ExitStatus.unavailable.rawValue
    }
    guard let first = words.first?.text else {
      Terminal.print(error: overview)
      return ExitStatus.usage.rawValue
    }
    if first == "--version" {
      Terminal.print(version + "\n")
      return 0
    }
    if first == "--help" || first == "-h" || first == "help" {
      Terminal.print(overview)
      return 0
    }
    // A name of two words goes before one of a single word.
    let names = [words.prefix(2).map(\.text).joined(separator: " "), first]
    let found = names.lazy.compactMap { name in commands.first { $0.configuration.name == name } }.first
    guard let command = found else {
      Terminal.print(error: "duo-process: there is no command “\(first)”; see duo-process --help\n")
      return ExitStatus.usage.rawValue
    }
    return run(command, Array(words.dropFirst(command.configuration.name.split(separator: " ").count)))
  }

  private static func run<Command: ParsableCommand>(_ command: Command.Type, _ words: [ArgumentWord]) -> Int32 {
    let options = words.prefix { $0.text != "--" }.map(\.text)
    if options.contains("--help") || options.contains("-h") {
      Terminal.print(Help.text(of: command))
      return 0
    }
    if options.contains("--version") {
      Terminal.print(version + "\n")
      return 0
    }
    do {
      return try Command.parse(words).run()
    } catch {
      Terminal.print(error: "duo-process \(Command.configuration.name): \(error.message)\n")
      return ExitStatus.usage.rawValue
    }
  }

  private static var cpuFits: Bool {
    #if arch(x86_64) && !DUO_BASELINE
      cv_cpu_level() >= 3
    #else
      true
    #endif
  }

  private static var overview: String {
    var lines = [
      abstract, "",
      "Usage: duo-process COMMAND [options] FILE…", "",
      "Commands:",
    ]
    for command in commands { lines += Help.entry((command.configuration.name, command.configuration.abstract)) }
    lines +=
      ["", "Options:"] + Help.entry(("--version", "Print the version."))
      + Help.entry(("--help", "Show this text; with a command, its own."))
    lines += ["", "Exit codes:"] + exitCodes.flatMap { Help.entry(($0.code, $0.meaning)) }
    return lines.joined(separator: "\n") + "\n"
  }
}
