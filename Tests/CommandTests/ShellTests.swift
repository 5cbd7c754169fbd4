import Foundation
import TestSupport
import Testing

/// Completions and manual pages are made from the same declarations as `--help`.
@Suite("Shells and manual pages")
struct ShellTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func shell(_ script: String) throws -> ShellOutcome { try Shell.run(script, in: folder.url) }

  /// What bash offers for a command line whose last word is being typed.
  private func offers(_ words: String...) throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try shell(
      """
      source <("$duo" completions bash)
      COMP_WORDS=(duo-process \(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      complete -p duo-process > /dev/null && _duo_process && printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Names of all commands, and for each the options that its help lists.
  private func commands() throws -> [(name: String, options: [String])] {
    let overview = try shell("\"$duo\" --help").output
    let table = overview.components(separatedBy: "Commands:\n").last?.components(separatedBy: "\n\n").first ?? ""
    let names = table.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .map { String($0).dropFirst(2).components(separatedBy: "  ")[0] }
    #expect(names.count > 10, "\(names)")
    return try names.map { name in
      let help = try shell("\"$duo\" \(name) --help")
      #expect(help.code == 0, "\(name): \(help.errors)")
      let lines = help.output.split(separator: "\n").filter { $0.hasPrefix("  -") }
      let words = lines.flatMap { $0.prefix(40).split(separator: " ").prefix(2) }
      let options = words.map { String($0).replacing(",", with: "") }.filter { $0.hasPrefix("-") }
      return (name, options)
    }
  }

  @Test func bashCompletesRealWords() throws {
    #expect(try offers("de") == ["develop"])
    #expect(try offers("camera", "re") == ["resolve", "replay"])
    #expect(try offers("develop", "--format", "t") == ["tiff"])
    #expect(try offers("develop", "--format", "=", "p") == ["png"])
    #expect(try offers("develop", "--rot") == ["--rotation", "--rotate"])
    #expect(try offers("transform", "--rotate", "") == ["apply", "keep", "0", "90", "180", "270"])
    #expect(try offers("camera", "direction", "--posture", "open") == ["open", "open-flipped"])
    #expect(try offers("develop", "--bits", "") == ["8", "10", "12", "16", "32"])
    #expect(try offers("completions", "") == ["bash", "zsh", "fish"])
    #expect(try offers("develop", "--quality", "").isEmpty)
    try Data().write(to: folder.url.appendingPathComponent("my file.dng"))
    #expect(try offers("develop", "my") == ["my file.dng"])
    #expect(try offers("develop", "--recipe", "my") == ["my file.dng"])
  }

  @Test func everyOptionOfEveryCommandIsInEveryScriptAndPage() throws {
    let scripts = try ["bash", "zsh", "fish"].map { try shell("\"$duo\" completions \($0)").output }
    for (name, options) in try commands() {
      #expect(!options.isEmpty, "\(name) has no options")
      let page = try shell("\"$duo\" man \(name)").output
      let bash =
        scripts[0].components(separatedBy: "    '\(name)')\n").last?.components(separatedBy: "esac ;;").first ?? ""
      let zsh =
        scripts[1].components(separatedBy: "    ('\(name)')\n").last?.components(separatedBy: " ;;").first ?? ""
      let fish = scripts[2].split(separator: "\n").filter { $0.contains("__duo_process_command \"\(name)\"") }
      for option in options {
        #expect(page.contains(option.replacing("-", with: "\\-") + "\\fR"), "\(name): \(option) is not in its page")
        #expect(bash.split(separator: " ").contains { $0.contains(option) }, "\(name): \(option) is not in bash")
        #expect(zsh.contains(")\(option)") || zsh.contains("*\(option)"), "\(name): \(option) is not in zsh")
        let short = option.hasPrefix("--") ? "-l \(option.dropFirst(2)) " : "-s \(option.dropFirst(1)) "
        #expect(fish.contains { $0.contains(short) }, "\(name): \(option) is not in fish")
      }
    }
  }

  @Test(
    "Each shell reads its script", arguments: ["bash", "zsh", "fish"])
  func syntax(program: String) throws {
    guard Shell.has(program) else {
      print("SKIPPED: \(program) is not installed, its completions are not checked")
      return
    }
    let outcome = try shell("\"$duo\" completions \(program) > script && \(program) -n script")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test(.enabled(if: Shell.has("fish"), "fish is not installed"))
  func fishCompletesRealWords() throws {
    let outcome = try shell(
      """
      "$duo" completions fish > duo-process.fish
      fish --no-config -c 'source duo-process.fish; complete -C "duo-process transform --rotate 2"; complete -C "duo-process camera lay"'
      """)
    #expect(
      outcome.output.contains("270") && outcome.output.contains("layout"), "\(outcome.output) \(outcome.errors)")
  }

  @Test(.enabled(if: Shell.has("groff"), "groff is not installed"))
  func manualPagesAreFreeOfWarnings() throws {
    let outcome = try shell(
      """
      for page in $("$duo" man --list); do
        "$duo" man $page > $page.1 && groff -ww -Tutf8 -man $page.1 > $page.txt || exit
      done
      grep -c 'lossless JPEG' duo-process-bin.txt
      """)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }
}
