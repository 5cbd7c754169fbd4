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
  /// What the sensor's colour filter array was taken to be, and why; `nil` for pictures.
  public var cfa: CFAFinding?
  /// The largest correction that made the photosites of clusters equal, as a share of the signal; `nil` when none was
  /// needed.
  public var siteGains: Double?
  /// The name of the method that gave photosites new colours; `nil` for chains that do not.
  public var method: String?
  /// How the size came about; `nil` where it is never a question.
  public var sizing: Sizing?
  /// How pixels were laid, and by which facts of the capture.
  public var applied: AppliedTransform?
  /// What was left out or guessed, in one line; several warnings are parted by semicolons. `nil` when all is as asked.
  public var warning: String?
  /// The files of a bracket, in the order in which ``merge`` counts them.
  public var frames: [String]?
  /// What merging a bracket settled on and found.
  public var merge: MergeReport?
  /// What fusing a shot settled on and found.
  public var fuse: FuseReport?
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

  /// The same stages; what comes is counted from now on.
  var resumed: StageClock {
    var clock = self
    clock.last = Self.now()
    return clock
  }

  /// Seconds since some fixed moment.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
