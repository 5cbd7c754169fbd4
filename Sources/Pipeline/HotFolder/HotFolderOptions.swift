public import TIFFTags

/// How a hot folder is run.
public struct HotFolderOptions: Sendable {
  /// Where files arrive.
  public var input: FilePath
  /// Where pictures, proxies and the journal are put.
  public var output: FilePath
  /// What arriving shots become.
  public var settings: ShotSettings
  /// Names of pictures, as ``OutputPlan/template``; `{seq}` counts arrivals.
  public var template = OutputPlan.defaultTemplate
  /// A light proxy at once, the final when nothing happens or when it is wanted; else the finished picture at once.
  public var isDeferred = false
  /// Lower what asks for quality to balanced in a rapid series, unless it is deferred.
  public var prioritizesFastCapture = true
  /// What happens when a picture is there that this folder did not make.
  public var existing = ExistingOutput.refuse
  /// Failed shots are tried anew, whatever failed.
  public var retriesFailures = false
  /// Ends when nothing has happened for so many seconds; `nil` never. At 0 what is there is finished, then it ends.
  public var idleExit: Double?
  /// Threads used in all.
  public var jobs = 1
  /// Shots are not started while those under way are expected to need more than this together, bytes.
  public var maxMemory: Int
  /// The name written into the Software tag.
  public var software: String

  /// Options of these settings.
  public init(input: FilePath, output: FilePath, settings: ShotSettings, maxMemory: Int, software: String) {
    self.input = input
    self.output = output
    self.settings = settings
    self.maxMemory = maxMemory
    self.software = software
  }

  /// Deferred finals are begun after nothing has happened for so long, seconds: as in a replay.
  static let idleAfter = 1.0
  /// How much less urgent the threads of deferred finals are: they take what others leave (nice(1)).
  static let niceness: Int32 = 15
  /// A failure to write is tried again after these times, seconds: a disk may have room again, a share come back.
  static let retryDelays = [0.5, 2.0]
}
