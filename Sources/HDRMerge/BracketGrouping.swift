public import ImageCore

/// Finds the brackets among captures by what their files record.
///
/// Frames of a bracket follow each other within seconds, come from one camera in one mode at one aperture and focal
/// length, and differ in exposure; an exposure that comes again begins the next bracket. Where the camera says that it
/// took a frame as one of a bracket (EXIF ExposureMode 2) that is believed: two frames are enough, the step may be
/// small or large, and the recorded bias tells exposures apart when it is there.
public struct BracketGrouping: Sendable, Hashable {
  /// What is known of one file without decoding it.
  public struct Candidate: Sendable, Hashable {
    /// What the file records.
    public var facts: CaptureFacts
    /// Pixels of the sensor's active area.
    public var size: PixelSize
    /// The filter array's name.
    public var pattern: String

    /// - Parameters: see the properties.
    public init(facts: CaptureFacts, size: PixelSize, pattern: String) {
      (self.facts, self.size, self.pattern) = (facts, size, pattern)
    }
  }

  /// Seconds from the end of one exposure to the next start; recorded times are whole seconds.
  public var largestGap = 3.0
  /// Stops between neighbouring exposures of a bracket.
  public var smallestStep = 0.3
  /// The same where the camera says that it brackets: a third of a stop, less what times are rounded by.
  public var smallestTaggedStep = 0.2
  /// Seconds from one frame to the next where the camera says that it brackets: it may write slowly.
  public var largestTaggedGap = 10.0
  /// Stops between neighbouring exposures of a bracket, at most.
  public var largestStep = 4.5
  /// More frames than this are a burst, not a bracket.
  public var mostFrames = 9

  /// The usual limits.
  public init() {}

  /// The brackets, each as indices into `candidates` in the order given; what belongs to none is left out.
  public func brackets(among candidates: [Candidate]) -> [[Int]] {
    let timed = candidates.indices.filter {
      Self.second(candidates[$0].facts) != nil && exposure(candidates[$0]) != nil
    }
    let ordered = timed.sorted { a, b in
      (Self.second(candidates[a].facts)!, a) < (Self.second(candidates[b].facts)!, b)
    }
    var groups: [[Int]] = []
    for index in ordered {
      if let group = groups.last, continues(group.map { candidates[$0] }, candidates[index]) {
        groups[groups.count - 1].append(index)
      } else {
        groups.append([index])
      }
    }
    return groups.filter { isBracket($0.map { candidates[$0] }) }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  func continues(_ group: [Candidate], _ next: Candidate) -> Bool {
    let isTagged = next.facts.isAutoBracket == true
    guard let last = group.last, group.count < mostFrames, last.size == next.size, last.pattern == next.pattern,
      last.facts.make == next.facts.make, last.facts.model == next.facts.model,
      (last.facts.isAutoBracket == true) == isTagged,
      isTagged || last.facts.fNumber == next.facts.fNumber, last.facts.focalLength == next.facts.focalLength,
      let before = Self.second(last.facts), let now = Self.second(next.facts)
    else { return false }
    let gap = isTagged ? largestTaggedGap : largestGap
    guard Double(now - before) <= gap + (last.facts.exposureTime ?? 0) else { return false }
    guard let level = exposure(next) else { return false }
    let step = isTagged ? smallestTaggedStep : smallestStep
    return group.allSatisfy { exposure($0).map { abs($0 - level) >= step } ?? false }
  }

  /// Two frames are a bracket only when the camera says that they were exposed apart on purpose.
  private func isBracket(_ group: [Candidate]) -> Bool {
    guard group.count >= 2 else { return false }
    if group.allSatisfy({ $0.facts.isAutoBracket == true }) { return true }
    let levels = group.compactMap { exposure($0) }.sorted()
    guard zip(levels, levels.dropFirst()).allSatisfy({ $1 - $0 <= largestStep }) else { return false }
    let biases = group.compactMap(\.facts.exposureBias)
    return group.count >= 3 || Set(biases).count == group.count
  }

  /// Stops of light: time x sensitivity, at one aperture; of a frame that is tagged as one of a bracket the aperture
  /// counts too, and where times are missing the bias alone.
  func exposure(_ candidate: Candidate) -> Double? {
    let facts = candidate.facts
    let isTagged = facts.isAutoBracket == true
    guard let time = facts.exposureTime, time > 0, let iso = facts.iso, iso > 0 else {
      return isTagged ? facts.exposureBias : nil
    }
    let stops = Elementary.log2(time * iso)
    guard isTagged, let aperture = facts.fNumber, aperture > 0 else { return stops }
    return stops - 2 * Elementary.log2(aperture)
  }

  /// Seconds since some fixed moment, for `YYYY:MM:DD HH:MM:SS`.
  public static func second(_ facts: CaptureFacts) -> Int? {
    guard let text = facts.dateTime else { return nil }
    let fields = text.split { ":- T".contains($0) }.prefix(6).map { Int($0.prefix { $0.isNumber }) ?? -1 }
    guard fields.count == 6, fields.allSatisfy({ $0 >= 0 }), (1...12).contains(fields[1]),
      (1...31).contains(fields[2])
    else { return nil }
    // Days by the proleptic Gregorian calendar, years that begin in March.
    let year = fields[1] > 2 ? fields[0] : fields[0] - 1
    let month = (fields[1] + 9) % 12
    let day = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + fields[2] - 1
    return ((day * 24 + fields[3]) * 60 + fields[4]) * 60 + fields[5]
  }
}
