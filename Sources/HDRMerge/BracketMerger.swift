public import ImageCore

/// One picture made of an exposure bracket.
public struct MergeResult: Sendable {
  /// The reference with its pixels replaced: 16-bit counts, levels, noise and baseline exposure to match.
  public let photo: RawPhoto
  /// What was settled and found.
  public let report: MergeReport
  /// Where frames were left out, one pixel a cell of the filter array: 0 nothing, 255 all. `nil` unless asked for.
  public let ghostMap: Image<UInt8>?
}

/// Merges exposures of one scene in the sensor's own domain: Bayer, quad and other mosaics, or linear pictures.
///
/// Frames are brought into register with a reference, put on one scale by exposure ratios taken from the pixels, and
/// averaged sample by sample with the inverse of their variance. The result means the same as the reference does, with
/// less noise and with headroom above its white.
///
/// - Source: the references are at ``TileMerger`` and ``MotionTest``.
public enum BracketMerger {
  /// - Parameters:
  ///   - photos: two or more, in any order of exposure.
  /// - Returns: a photo of the reference's size, filter array and calibration.
  /// - Complexity: O(frames × pixels); besides the frames and the result, a few megabytes a thread.
  public static func merge(
    _ photos: [RawPhoto], options: MergeOptions = MergeOptions(), resources: Resources = Resources()
  ) throws(MergeError) -> MergeResult {
    let solved = try SolvedBracket(photos, options: options, resources: resources)
    let run = MergeRun(solved: solved, wantsGhostMap: options.wantsGhostMap, resources: resources)
    return run.result()
  }

  /// The merged light itself with its variance, not rounded to counts: for stages that go on computing.
  ///
  /// - Parameters:
  ///   - photos: one or more, of any exposures, equal ones among them; one alone gives its own light and noise model.
  /// - Returns: light of the size and filter array of the frames, on the reference's scale.
  /// - Complexity: as ``merge(_:options:resources:)``, and 8 bytes a sample for the result.
  public static func composite(
    _ photos: [RawPhoto], options: MergeOptions = MergeOptions(), resources: Resources = Resources()
  ) throws(MergeError) -> MergeComposite {
    let solved = try SolvedBracket(photos, options: options, fewest: 1, resources: resources)
    return MergeRun(solved: solved, wantsGhostMap: options.wantsGhostMap, resources: resources).composite()
  }
}
