public import Develop
import Glibc
public import HDRMerge
public import ImageCore

/// What a chain did, for the report.
public struct ChainResult: Sendable, Codable {
  public var sourceSize: PixelSize
  public var size: PixelSize?
  public var resolved: DevelopReport?
  public var warning: String?
  /// The files of a bracket, in the order in which ``merge`` counts them.
  public var frames: [String]?
  /// What merging a bracket settled on and found.
  public var merge: MergeReport?
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
