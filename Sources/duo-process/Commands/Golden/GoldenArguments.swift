import FoundationEssentials
import Glibc
import Pipeline
import TIFFTags

/// What the commands below `golden` share.
struct GoldenArguments: ParsableArguments {
  @Arguments(value: "SUITE.json [CASE]", help: "The suite's file, then the cases meant; all unless some are named.")
  var words: [FilePath]
  @Flag(help: "Print one JSON object a line for each case.") var json: Bool

  func check() throws(UsageError) {
    if words.isEmpty { throw UsageError("name the suite's file") }
  }

  /// Names of the cases that were named.
  var names: [String] { words.dropFirst().map(\.string) }

  func suite() throws(JobFailure) -> GoldenSuite { try GoldenSuite(file: words[0]) }

  func cases(of suite: GoldenSuite) throws(JobFailure) -> [GoldenCase] { try suite.cases(named: names) }

  /// Prints a failure that keeps the suite from running at all; such runs end with 2, whatever the reason.
  static func cannotRun(_ command: String, _ failure: JobFailure) -> Int32 {
    Terminal.print(error: "duo-process \(command): \(failure.message)\n")
    return ExitStatus.allFailed.rawValue
  }
}

/// Which program makes the pictures.
struct GoldenToolOptions: ParsableArguments {
  @Option(value: "PROGRAM", help: "Another build of duo-process to make the pictures with; this one unless given.")
  var tool: FilePath?

  /// - Throws: no input (66) when there is no such program.
  func resolve() throws(JobFailure) -> GoldenTool {
    let path = tool ?? FilePath("/proc/self/exe")
    guard let resolved = path.resolved else {
      throw JobFailure(.noInput, "\(path.string) is no program: \(String(cString: strerror(errno)))")
    }
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    return GoldenTool(path: resolved, environment: environment.sorted())
  }
}

/// A folder for files under way; removed with what is in it.
final class WorkFolder {
  let path: FilePath

  /// - Throws: cannot create (73).
  init() throws(JobFailure) {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/duo-process-golden-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw JobFailure(.cannotCreate, "\(parent) takes no folder: \(String(cString: strerror(errno)))")
    }
    path = FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }
}
