import Develop
import HDRMerge
import PhotoFiles
public import RawFiles

/// The exit codes of the command: sysexits(3) where one fits.
public enum ExitStatus: Int32, Sendable, Hashable, Codable {
  case success = 0
  /// Some inputs failed, others were written.
  case someFailed = 1
  /// All of several inputs failed.
  case allFailed = 2
  /// The command line was not understood.
  case usage = 64
  /// Input data bad or truncated.
  case badData = 65
  /// Input missing or unreadable.
  case noInput = 66
  /// A codec that the input needs is not available.
  case unavailable = 69
  /// An output exists or cannot be created.
  case cannotCreate = 73
  /// Writing failed: disk full, device error.
  case ioError = 74
  case interrupted = 130
  /// Whoever read standard output is gone, as when a shell ends a program by SIGPIPE. Nothing is said.
  case brokenPipe = 141
  case terminated = 143
}

extension ExitStatus {
  /// The code of a run: the specific one for a single input, 0, 1 or 2 for several.
  public static func of(failures: [ExitStatus], among total: Int) -> ExitStatus {
    guard let first = failures.first else { return .success }
    if total == 1 { return first }
    return failures.count == total ? .allFailed : .someFailed
  }
}

/// Why one input did not become an output. The message is one line, names finding and remedy, but not the file.
public struct JobFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The exit code that the failure leads to.
  public let status: ExitStatus
  /// One line: what was found and what to do.
  public let message: String

  /// A failure; line breaks in the message become spaces.
  public init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The message.
  public var description: String { message }

  init(_ error: RawReadError) {
    let status: ExitStatus =
      switch error.category {
      case .missing: .noInput
      case .badData: .badData
      case .codecUnavailable: .unavailable
      case .usage: .usage
      }
    self.init(status, error.description)
  }

  init(_ error: PhotoFileError) {
    let status: ExitStatus =
      switch error.category {
      case .missing: .noInput
      case .badData: .badData
      case .codecUnavailable: .unavailable
      case .cannotCreate: .cannotCreate
      case .io: .ioError
      case .usage: .usage
      }
    self.init(status, error.description)
  }

  /// A failure to read, for callers outside a chain.
  public init(reading error: RawReadError) { self.init(error) }

  /// - Parameter names: of the frames, in the order in which the error counts them.
  init(_ error: MergeError, names: [String]) {
    let culprit = error.frame.map { "\(names[$0]) " } ?? ""
    let isUsage: Bool =
      switch error {
      case .tooFewFrames, .noSuchReference: true
      default: false
      }
    self.init(isUsage ? .usage : .badData, culprit + error.description)
  }

  init(_ error: DevelopError) {
    self.init(.badData, error.description)
  }
}
