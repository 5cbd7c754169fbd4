import HDRMerge
import ImageCore
import TIFFTags

/// The light of a shot's base frames as one photo.
struct FuseBase {
  let photo: RawPhoto
  /// `nil` when there was one frame only.
  let report: MergeReport?

  /// Merges the base frames, which are given up.
  ///
  /// To counts and not to ``MergeComposite``: a step's twelfth squared is 0.01 % of the darkest light's variance for eight
  /// equal frames of 1000 electrons, 1 % for six of ±2 EV, and the fused photo is counts of the same step again.
  ///
  /// - Throws: bad data (65) naming the frame that does not belong to the others.
  static func merged(
    _ frames: inout ShotFrames, _ options: MergeOptions, resources: Resources
  ) throws(JobFailure) -> FuseBase {
    defer { frames.base = [] }
    guard frames.base.count > 1 else { return FuseBase(photo: frames.base[0], report: nil) }
    var options = options
    options.reference = options.reference ?? frames.reference
    let names = frames.basePaths.map(\.string)
    do {
      let merged = try BracketMerger.merge(frames.base, options: options, resources: resources)
      return FuseBase(photo: merged.photo, report: merged.report)
    } catch {
      if let culprit = lonelyReference(error, frames.base, options, resources) {
        throw JobFailure(
          .badData, "\(names[culprit]) shows another scene than the other base frames: leave it out")
      }
      throw JobFailure(error, names: names)
    }
  }

  /// Whether it is the reference that does not belong to the others: then they agree with each other.
  private static func lonelyReference(
    _ error: MergeError, _ photos: [RawPhoto], _ options: MergeOptions, _ resources: Resources
  ) -> Int? {
    guard case .unrelated(let frame, _) = error, let reference = options.reference, photos.count > 2 else {
      return nil
    }
    let others = photos.indices.filter { $0 != reference }
    var retry = options
    retry.reference = others.firstIndex(of: frame)
    let agree = (try? BracketMerger.merge(others.map { photos[$0] }, options: retry, resources: resources)) != nil
    return agree ? reference : nil
  }
}
