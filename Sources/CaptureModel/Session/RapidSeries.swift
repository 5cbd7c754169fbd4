/// Whether presses follow each other faster than photos can be made at the quality asked for.
public struct RapidSeries: Sendable, Hashable {
  private var last: Duration?

  /// Nothing was pressed yet.
  public init() {}

  /// Takes note of a press.
  ///
  /// - Returns: the time since the press before; `nil` for the first.
  public mutating func press(at time: Duration) -> Duration? {
    defer { last = time }
    return last.map { time - $0 }
  }

  /// Whether the rate could not hold.
  ///
  /// - Parameters:
  ///   - gap: since the press before; `nil` for the first, which is never of a series.
  ///   - stage: the longest stage of a photo at the quality asked for; `nil` when it is not known.
  public static func isRapid(gap: Duration?, stage: Duration?) -> Bool {
    guard let gap, let stage else { return false }
    return gap < stage
  }
}
