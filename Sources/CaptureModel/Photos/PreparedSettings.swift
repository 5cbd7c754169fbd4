/// Keeps book of settings: what was prepared for, what was used.
///
/// Preparing sets resources aside for coming shots. The settings that were prepared cannot be used for the shot itself;
/// new ones with equal values match what was prepared.
public struct PreparedSettings: Sendable, Hashable {
  /// What is prepared, and the bytes that one shot of it takes.
  public private(set) var reserved: [PhotoSettings.Values: Int] = [:]
  private var used: Set<Int> = []

  /// Nothing is prepared.
  public init() {}

  /// Bytes to keep: one shot of the largest prepared kind is under way at a time.
  public var reservedBytes: Int { reserved.values.max() ?? 0 }

  /// Takes the place of whatever was prepared before.
  ///
  /// - Throws: when the settings were used or prepared before, or break a rule of `capability`.
  public mutating func prepare(
    _ settings: [PhotoSettings], capability: PhotoCapability
  ) throws(CaptureError) {
    var fresh: [PhotoSettings.Values: Int] = [:]
    var taken = used
    for one in settings {
      guard taken.insert(one.identifier).inserted else { throw .settingsUsedTwice(identifier: one.identifier) }
      fresh[one.values] = try ResolvedPhotoSettings(one, capability: capability).memory
    }
    used = taken
    reserved = fresh
  }

  /// Uses settings for a shot.
  ///
  /// - Returns: whether what was prepared matches, so that the shot finds its memory ready.
  /// - Throws: when the settings were used or prepared before.
  public mutating func use(_ settings: PhotoSettings) throws(CaptureError) -> Bool {
    guard used.insert(settings.identifier).inserted else {
      throw .settingsUsedTwice(identifier: settings.identifier)
    }
    return reserved[settings.values] != nil
  }
}

/// How long photos of a kind take to be made, learnt from those that were.
public struct ProcessingTimes: Sendable, Hashable {
  /// What takes a time of its own.
  public struct Key: Sendable, Hashable, Codable {
    /// The size made.
    public let size: PhotoSize
    /// The prioritization used.
    public let prioritization: PhotoQualityPrioritization
    /// A kind of photo.
    public init(size: PhotoSize, prioritization: PhotoQualityPrioritization) {
      self.size = size
      self.prioritization = prioritization
    }
  }

  /// The last so many runs count: the machine may be slower today than it was.
  public static let memory = 32
  private var runs: [Key: [Double]] = [:]

  /// Nothing is known yet.
  public init() {}

  /// Takes note of a run; times that are no time are passed over.
  public mutating func record(seconds: Double, for key: Key) {
    guard seconds.isFinite, seconds >= 0 else { return }
    runs[key, default: []].append(seconds)
    if runs[key, default: []].count > Self.memory { runs[key]?.removeFirst() }
  }

  /// From the shortest to the longest of the last runs, seconds; `nil` when there was none.
  public func photoProcessingTimeRange(for key: Key) -> ClosedRange<Double>? {
    guard let times = runs[key], let shortest = times.min(), let longest = times.max() else { return nil }
    return shortest...longest
  }
}
