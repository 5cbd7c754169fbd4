public import Foundation

/// What a script left.
public struct ShellOutcome: Sendable {
  /// The exit code.
  public let code: Int32
  /// Standard output as text.
  public let output: String
  /// Standard error as text.
  public let errors: String
}

/// Runs scripts in which the built command is `$duo` and, by the name of `duo-process`, on the path.
public enum Shell {
  /// Runs a script with bash to its end; standard input is empty.
  ///
  /// - Parameter options: of bash, before `-c`.
  public static func run(_ script: String, in folder: URL, options: [String] = []) throws -> ShellOutcome {
    let logs = try TemporaryFolder()
    let output = logs.url.appendingPathComponent("out")
    let errors = logs.url.appendingPathComponent("err")
    for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = options + ["-c", "duo='\(CommandRunner.command.path)'; " + script]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = CommandRunner.products.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return ShellOutcome(
      code: process.terminationStatus, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }

  /// Whether a program is installed.
  public static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains { folder in
      FileManager.default.isExecutableFile(atPath: "\(folder)/\(program)")
    }
  }
}
