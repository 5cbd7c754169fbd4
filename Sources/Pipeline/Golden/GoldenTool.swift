import Glibc
public import TIFFTags

/// The program that makes candidates: each step runs in a process of its own, so that a crash is a failed case and not
/// the end of the check, and another build can be put to the test (`--tool`).
public struct GoldenTool: Sendable {
  /// Where the program is, from the root: steps run in the folder of the suite.
  public var path: FilePath
  /// `NAME=value`, for the program.
  public var environment: [String]

  /// A program; nothing is run yet.
  public init(path: FilePath, environment: [String]) {
    self.path = path
    self.environment = environment
  }

  /// What a finished process left.
  struct Outcome {
    enum End: Hashable {
      case exit(Int32)
      case signal(Int32)
      case timeout(Double)
      case notStarted(String)
    }

    var end: End
    var output: [UInt8] = []
    var errors: [UInt8] = []

    /// The end in words, with the last line of standard error; `nil` when all is well.
    var complaint: String? {
      let last =
        String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
      switch end {
      case .exit(0): return nil
      case .exit(let code): return "ended with \(code)\(last)"
      case .signal(let number): return "was ended by signal \(number)\(last)"
      case .timeout(let seconds): return "did not end within \(seconds) s"
      case .notStarted(let reason): return "cannot be started: \(reason)"
      }
    }
  }

  /// Name and version: the last word of `--version`, behind the program's name.
  ///
  /// - Throws: no input (66) when the program cannot be run.
  func version(in folder: FilePath) throws(JobFailure) -> String {
    let longest = 60.0
    let outcome = run(["--version"], in: folder, timeout: longest)
    if let complaint = outcome.complaint { throw JobFailure(.noInput, "\(path.string) \(complaint)") }
    let text = String(decoding: outcome.output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard let version = text.last else { throw JobFailure(.noInput, "\(path.string) --version says nothing") }
    return "duo-process \(version)"
  }

  /// Runs the program to its end.
  func run(_ words: [String], in folder: FilePath, timeout: Double) -> Outcome {
    guard let output = tmpfile() else { return Outcome(end: .notStarted(String(cString: strerror(errno)))) }
    defer { fclose(output) }
    guard let errors = tmpfile() else { return Outcome(end: .notStarted(String(cString: strerror(errno)))) }
    defer { fclose(errors) }
    var process: pid_t = 0
    let code = spawn(words, folder, output: fileno(output), errors: fileno(errors), &process)
    guard code == 0 else { return Outcome(end: .notStarted(String(cString: strerror(code)))) }
    let end = Self.wait(for: process, timeout: timeout)
    return Outcome(end: end, output: Self.bytes(fileno(output)), errors: Self.bytes(fileno(errors)))
  }

  private func spawn(
    _ words: [String], _ folder: FilePath, output: Int32, errors: Int32, _ process: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    // Signals as a shell would leave them: this program blocks some and ignores others.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    sigaddset(&usual, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // Paths of a suite start in its folder, and POSIX has no other way to start a process there.
    let enter = "cd -- \"$0\" && exec \"$@\""
    func copied(_ text: String) -> UnsafeMutablePointer<CChar>? { strdup(text) }
    let names = [folder, path].map { name in name.withCString { strdup($0) } }
    var arguments = [copied("sh"), copied("-c"), copied(enter)] + names + words.map(copied) + [nil]
    var variables = environment.map(copied) + [nil]
    defer { for text in arguments + variables { free(text) } }
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &variables)
  }

  /// Asks again and again, seldom enough to cost nothing beside a process that decodes pictures.
  private static func wait(for process: pid_t, timeout: Double) -> Outcome.End {
    let (shortest, longest): (useconds_t, useconds_t) = (500, 10_000)
    let started = StageClock.now()
    var pause = shortest
    var status: Int32 = 0
    while true {
      let done = waitpid(process, &status, WNOHANG)
      if done == process { break }
      if done < 0 && errno != EINTR { return .notStarted(String(cString: strerror(errno))) }
      if StageClock.now() - started > timeout {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        return .timeout(timeout)
      }
      usleep(pause)
      pause = min(longest, pause * 2)
    }
    // <sys/wait.h>: the low seven bits are the signal, the next byte the exit code.
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  private static func bytes(_ descriptor: Int32) -> [UInt8] {
    let largest = 1 << 22
    let size = min(largest, Int(lseek(descriptor, 0, SEEK_END)))
    guard size > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, size, 0) }
    return Array(bytes.prefix(max(0, count)))
  }
}
