public import Develop
import Glibc
public import ImageCore

/// What a chain did, for the report.
public struct ChainResult: Sendable, Codable {
  public var sourceSize: PixelSize
  public var size: PixelSize?
  public var resolved: DevelopReport?
  /// What the sensor's colour filter array was taken to be, and why; `nil` for pictures.
  public var cfa: CFAFinding?
  /// How the size came about: `full`, `binned 2x2`, `scaled`; `nil` where it is never a question.
  public var sizing: String?
  /// One line; several warnings are parted by semicolons.
  public var warning: String?
  /// Seconds of each stage, in order.
  public var stages: [Stage] = []

  public struct Stage: Sendable, Codable, Hashable {
    public let name: String
    public let seconds: Double
  }

  public init(sourceSize: PixelSize, resolved: DevelopReport? = nil) {
    self.sourceSize = sourceSize
    self.resolved = resolved
  }

  /// Adds a warning to those there are.
  mutating func warn(_ text: String?) {
    guard let text else { return }
    warning = warning.map { "\($0); \(text)" } ?? text
  }
}

/// Cuts elapsed time into named stages.
struct StageClock {
  private(set) var stages: [ChainResult.Stage] = []
  private var last = Self.now()

  mutating func mark(_ name: String) {
    let now = Self.now()
    stages.append(ChainResult.Stage(name: name, seconds: now - last))
    last = now
  }

  /// Seconds since some fixed moment.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
