import ImageCore

/// Frames of one exposure, which are averaged before they meet frames of other exposures.
struct ExposureGroup: Sendable, Hashable {
  /// The frame that the average shows.
  let leader: Int
  /// The others.
  let members: [Int]

  /// Frames count together.
  var count: Int { members.count + 1 }

  /// Stops within which two exposures are one: lamps flicker, shutters vary.
  private static let sameExposure = 0.15
  /// Factor within which the noise of two frames is one.
  private static let sameNoise = 1.3

  /// The groups of two and more among frames that are ordered by exposure.
  ///
  /// The leader is the reference where the group has it, else a frame that needs no interpolation.
  static func find(_ frames: [SourceFrame], _ placements: [FramePlacement], reference: Int) -> [ExposureGroup] {
    var result: [ExposureGroup] = []
    var first = 0
    while first < frames.count {
      var end = first + 1
      while end < frames.count, areAlike(frames[first], frames[end]) { end += 1 }
      let group = Array(first..<end)
      if group.count > 1 {
        let leader =
          group.contains(reference)
          ? reference
          : group.first {
            if case .cells = placements[$0] { return true }
            return false
          } ?? group[group.count / 2]
        result.append(ExposureGroup(leader: leader, members: group.filter { $0 != leader }))
      }
      first = end
    }
    return result
  }

  /// Whether two frames differ in neither light nor noise worth a word.
  static func areAlike(_ a: SourceFrame, _ b: SourceFrame) -> Bool {
    // Frames with response curves of their own are not in proportion to light.
    guard a.response == nil, b.response == nil,
      abs(Elementary.log2(a.exposure / b.exposure)) < sameExposure
    else { return false }
    let (p, q) = (NoiseModel(a), NoiseModel(b))
    let light: Float = 0.1
    let ratio = Double(p.variance(light) / q.variance(light))
    return ratio < sameNoise && ratio > 1 / sameNoise
  }
}
