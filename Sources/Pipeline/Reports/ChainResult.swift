public import Develop
import Glibc
public import HDRMerge
public import ImageCore

/// What a chain did, for the report.
public struct ChainResult: Sendable, Encodable {
  /// Pixels or photosites of the input, as stored.
  public var sourceSize: PixelSize
  /// Pixels of the output, as stored; `nil` when none was made.
  public var size: PixelSize?
  /// The kind of file written, where the input decided it.
  public var format: OutputSettings.Format?
  /// Bits a sample written, where the input decided them.
  public var bits: Int?
  /// What developing settled on; `nil` for chains that do not develop.
  public var resolved: DevelopReport?
  /// Something that was left out or guessed; `nil` when all is as asked.
  public var warning: String?
  /// The files of a bracket, in the order in which ``merge`` counts them.
  public var frames: [String]?
  /// What merging a bracket settled on and found.
  public var merge: MergeReport?
  /// Seconds of each stage, in order.
  public var stages: [Stage] = []

  /// The time one stage took.
  public struct Stage: Sendable, Codable, Hashable {
    /// What the stage is called: `read`, `develop`, `transform`, `encode`.
    public let name: String
    /// Wall-clock seconds.
    public let seconds: Double
  }

  /// A result without an output so far.
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
