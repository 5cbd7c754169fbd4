public import CaptureModel

/// What became of a shot at one stage: one line of the report.
public struct ShotReport: Sendable, Encodable {
  /// The shot's number, in order of arrival.
  public let shot: Int
  /// `photo`, `proxy` or `final`.
  public let stage: String
  /// What a batch reports.
  public var job: JobReport
  /// Why it is less than what was asked for, in the capture model's words.
  public var reasons: [ResolvedPhotoSettings.Reason] = []
  /// From the arrival of its (last) file to this moment, seconds.
  public var latency: Double
  /// CPU seconds of this stage, where one thread did all of it.
  public var cpuSeconds: Double?
  /// Whether memory was set aside for just this kind of shot.
  public var isPrepared = false
  /// How often it was tried.
  public var attempt = 1
  /// Whether it was delivered before a crash and only noted now.
  public var isRecovered = false

  private enum Key: String, CodingKey {
    case shot, stage, reasons, latency, cpuSeconds, prepared, attempt, recovered
  }

  /// All members beside those of the job.
  public func encode(to encoder: any Encoder) throws {
    try job.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(shot, forKey: .shot)
    try container.encode(stage, forKey: .stage)
    if !reasons.isEmpty { try container.encode(reasons, forKey: .reasons) }
    try container.encode(latency, forKey: .latency)
    try container.encodeIfPresent(cpuSeconds, forKey: .cpuSeconds)
    try container.encode(isPrepared, forKey: .prepared)
    if attempt > 1 { try container.encode(attempt, forKey: .attempt) }
    if isRecovered { try container.encode(isRecovered, forKey: .recovered) }
  }
}
