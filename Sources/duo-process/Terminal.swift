import Glibc
import Pipeline
import Synchronization

/// Text to the standard streams, whole strings at a time.
enum Terminal {
  static func print(_ text: String) { write(text, to: STDOUT_FILENO) }
  static func print(error text: String) { write(text, to: STDERR_FILENO) }

  /// Writes all of it. Nobody to read standard output any more ends the process quietly; a report that cannot be
  /// written for another reason ends it with 74. What cannot be told on standard error is lost.
  static func write(_ text: String, to descriptor: Int32) {
    let isWritten = Array(text.utf8).withUnsafeBytes { StreamIO.writeAll($0, to: descriptor) }
    guard !isWritten, descriptor == STDOUT_FILENO else { return }
    if errno == EPIPE { TemporaryFiles.shared.end(with: .brokenPipe) }
    print(error: "duo-process: standard output cannot be written: \(String(cString: strerror(errno)))\n")
    TemporaryFiles.shared.end(with: .ioError)
  }
}

extension Terminal {
  /// The text with control characters written out, so that a file's name cannot break a line.
  static func oneLine(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      default: scalar.value < 0x20 || scalar.value == 0x7F ? "\\x" + String(scalar.value, radix: 16) : String(scalar)
      }
    }.joined()
  }
}

/// How far a run is, on standard error.
enum ProgressStyle: String, CaseIterable, ExpressibleByArgument {
  case auto, plain, json, none
}

final class ProgressLine: Sendable {
  private struct State {
    var done = 0
    var failed = 0
  }

  private let style: ProgressStyle
  private let total: Int
  private let started: Double
  private let state = Mutex(State())
  private static let barWidth = 24

  init(_ style: ProgressStyle, total: Int, quiet: Bool) {
    let terminal = isatty(STDERR_FILENO) == 1
    self.style =
      switch style {
      case .auto: terminal && !quiet && total > 1 ? .auto : .none
      default: style
      }
    self.total = total
    started = Self.seconds()
  }

  /// Counts one more finished input and shows it.
  func step(failed: Bool) {
    let now = state.withLock { state in
      state.done += 1
      if failed { state.failed += 1 }
      return state
    }
    switch style {
    case .none: break
    case .plain: Terminal.print(error: "\(now.done)/\(total)\n")
    case .json: Terminal.print(error: "{\"done\":\(now.done),\"failed\":\(now.failed),\"total\":\(total)}\n")
    case .auto: Terminal.print(error: "\r\u{1B}[K" + bar(now.done) + (now.done == total ? "\n" : ""))
    }
  }

  /// Makes room for a message on a terminal that shows a bar.
  func clear() { if style == .auto { Terminal.print(error: "\r\u{1B}[K") } }

  private func bar(_ done: Int) -> String {
    let filled = Self.barWidth * done / max(1, total)
    let rate = Double(done) / max(1e-6, Self.seconds() - started)
    let left = Int(Double(total - done) / max(1e-6, rate))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.barWidth - filled)
    return "[\(bar)] \(done)/\(total)  \((rate * 10).rounded() / 10)/s  \(left / 60)m\(left % 60)s left"
  }

  private static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
