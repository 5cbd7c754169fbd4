public import Foundation

/// What a finished command left.
public struct CommandOutcome: Sendable {
  /// The exit code, or the number of the signal that ended the process.
  public let code: Int32
  /// All that went to standard output.
  public let output: Data
  /// All that went to standard error, as text.
  public let errors: String
}

/// Runs the built command as a process of its own.
public enum CommandRunner {
  /// The folder that holds the built products: the test bundle lies in it.
  public static var products: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The built command.
  public static var command: URL { products.appendingPathComponent("duo-process") }

  /// Starts the command; the caller waits for it.
  public static func start(
    _ arguments: [String], in folder: URL, output: URL, errors: URL
  ) throws -> Process {
    let process = Process()
    process.executableURL = command
    process.arguments = arguments
    process.currentDirectoryURL = folder
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    return process
  }

  /// Runs the command to its end.
  public static func run(_ arguments: [String], in folder: URL) throws -> CommandOutcome {
    let logs = try TemporaryFolder()
    let output = logs.url.appendingPathComponent("out")
    let errors = logs.url.appendingPathComponent("err")
    let process = try start(arguments, in: folder, output: output, errors: errors)
    process.waitUntilExit()
    return CommandOutcome(
      code: process.terminationStatus, output: try Data(contentsOf: output),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// A folder of its own for one test; removed when let go.
public final class TemporaryFolder: Sendable {
  /// Where the folder is.
  public let url: URL

  /// Makes the folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("duo-process-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Names of everything inside, hidden files too, sorted.
  public var contents: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }
}

/// The folder of real camera files, when the environment names one.
public enum RealData {
  /// The folder that `DUO_REAL_DATA` names; `nil` when it is not set.
  public static var folder: URL? {
    ProcessInfo.processInfo.environment["DUO_REAL_DATA"].map { URL(fileURLWithPath: $0) }
  }
  /// Whether tests over real files can run.
  public static var isAvailable: Bool { folder != nil }
}
