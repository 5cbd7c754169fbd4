import HDRMerge
public import ImageCore

/// Tells which captures of a folder are frames of one shot, by what their files record and are called.
///
/// A shot is one full-resolution frame and one or more of half its sides, or several full-resolution quad frames.
public struct ShotGrouping: Sendable, Hashable {
  /// What is known of one file without decoding it.
  public struct Candidate: Sendable, Hashable {
    /// What the file records.
    public var facts: CaptureFacts
    /// Pixels of the active area.
    public var size: PixelSize
    /// Photosites on a side of a cluster; 1 for Bayer arrays, `nil` for linear pictures and other arrays.
    public var clusterSide: Int?
    /// The file's name without its extension.
    public var stem: String

    /// - Parameters: see the properties.
    public init(facts: CaptureFacts, size: PixelSize, clusterSide: Int?, stem: String) {
      (self.facts, self.size, self.clusterSide, self.stem) = (facts, size, clusterSide, stem)
    }
  }

  /// One shot, as indices into the candidates.
  public struct Group: Sendable, Hashable {
    /// The full-resolution frame; `nil` when all are.
    public var detail: Int?
    /// The others; all when there is no ``detail``.
    public var base: [Int]

    /// - Parameters: see the properties.
    public init(detail: Int?, base: [Int]) { (self.detail, self.base) = (detail, base) }
  }

  /// Seconds from the end of one frame to the next start; recorded times are whole seconds.
  public var largestGap = 2.0
  /// The same for full-resolution frames alone, where nothing but time tells a shot from a series of shots.
  public var largestGapOfEqual = 1.0
  /// Frames of a shot at most.
  public var mostFrames = 16
  /// Names of one shot's files are alike up to one of these words after a separator.
  public var words = ["detail", "base", "frame", "48mp", "12mp"]

  /// The usual limits.
  public init() {}

  /// The shots, by names first and by time then; what belongs to none is left out.
  public func groups(among candidates: [Candidate]) -> [Group] {
    var found: [Group] = []
    var named: [String: [Int]] = [:]
    for index in candidates.indices {
      if let key = key(candidates[index].stem) { named[key, default: []].append(index) }
    }
    for members in named.values {
      if let group = shot(members, candidates), group.detail != nil || members.count > 1 { found.append(group) }
    }
    let taken = Set(found.flatMap { [$0.detail].compactMap { $0 } + $0.base })
    found += series(candidates, without: taken).compactMap { shot($0, candidates) }
    return found.sorted { ($0.detail ?? $0.base[0]) < ($1.detail ?? $1.base[0]) }
  }

  /// What is common to the names of a shot; `nil` when the name has none of the words.
  private func key(_ stem: String) -> String? {
    let lower = Array(stem.lowercased().utf8)
    let separators = Array("-_. ".utf8)
    let ends = lower.indices.filter { at in
      guard separators.contains(lower[at]) else { return false }
      return words.contains { lower[(at + 1)...].starts(with: $0.utf8) }
    }
    return ends.first.map { String(decoding: lower[..<$0], as: UTF8.self) }
  }

  /// Runs of frames that follow each other; a frame that does not fit the run begins the next.
  private func series(_ candidates: [Candidate], without taken: Set<Int>) -> [[Int]] {
    let timed = candidates.indices.filter {
      !taken.contains($0) && BracketGrouping.second(candidates[$0].facts) != nil
    }
    let ordered = timed.sorted { a, b in
      (BracketGrouping.second(candidates[a].facts)!, a) < (BracketGrouping.second(candidates[b].facts)!, b)
    }
    var runs: [[Int]] = []
    for index in ordered {
      if let run = runs.last, continues(run.map { candidates[$0] }, candidates[index]) {
        runs[runs.count - 1].append(index)
      } else {
        runs.append([index])
      }
    }
    return runs
  }

  private func continues(_ run: [Candidate], _ next: Candidate) -> Bool {
    guard let last = run.last, run.count < mostFrames, sameCamera(last, next),
      let before = BracketGrouping.second(last.facts), let now = BracketGrouping.second(next.facts)
    else { return false }
    let largest = max(last.size.area, run.map(\.size.area).max() ?? 0)
    let isEqual = run.allSatisfy { $0.size == next.size }
    let gap = isEqual && (next.clusterSide ?? 1) > 1 ? largestGapOfEqual : largestGap
    guard Double(now - before) <= gap + (last.facts.exposureTime ?? 0) else { return false }
    if isEqual { return true }
    // One frame of full resolution a shot.
    let details = run.count { $0.size.area == largest }
    let hasBase = run.contains { $0.size.area < largest }
    if next.size.area == largest { return !hasBase || details == 0 }
    if next.size.area > largest { return true }
    return details == 1
  }

  private func sameCamera(_ a: Candidate, _ b: Candidate) -> Bool {
    a.facts.make == b.facts.make && a.facts.model == b.facts.model && a.facts.focalLength == b.facts.focalLength
  }

  /// The shot that frames make; `nil` when they make none.
  func shot(_ members: [Int], _ candidates: [Candidate]) -> Group? {
    guard members.count > 1, let largest = members.map({ candidates[$0].size.area }).max() else { return nil }
    let full = members.filter { candidates[$0].size.area == largest }
    let rest = members.filter { candidates[$0].size.area < largest }
    if rest.isEmpty {
      let isQuad = full.allSatisfy {
        candidates[$0].clusterSide == 2 && candidates[$0].size == candidates[full[0]].size
      }
      return isQuad ? Group(detail: nil, base: full.sorted()) : nil
    }
    guard full.count == 1, Set(rest.map { candidates[$0].size }).count == 1,
      Self.isHalf(candidates[rest[0]].size, of: candidates[full[0]].size)
    else { return nil }
    return Group(detail: full[0], base: rest.sorted())
  }

  /// Crops of the two modes differ by some clusters.
  private static func isHalf(_ small: PixelSize, of large: PixelSize) -> Bool {
    let tolerance = 0.03
    func fits(_ a: Int, _ b: Int) -> Bool { abs(2 * Double(a) / Double(b) - 1) < tolerance }
    return fits(small.width, large.width) && fits(small.height, large.height)
  }
}
