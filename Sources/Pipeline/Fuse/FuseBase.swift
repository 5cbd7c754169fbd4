import HDRMerge
import ImageCore

/// The light of a shot's base frames as one photo.
struct FuseBase {
  let photo: RawPhoto
  /// `nil` when there was one frame only.
  let report: MergeReport?
  let ghostMap: Image<UInt8>?

  /// Merges the base frames, which are given up.
  ///
  /// - Throws: bad data (65) naming the frame that does not belong to the others.
  static func merged(
    _ frames: inout ShotFrames, _ options: MergeOptions, wantsGhostMap: Bool, resources: Resources
  ) throws(JobFailure) -> FuseBase {
    defer { frames.base = [] }
    guard frames.base.count > 1 else { return FuseBase(photo: frames.base[0], report: nil, ghostMap: nil) }
    var options = options
    options.reference = options.reference ?? frames.reference
    options.wantsGhostMap = wantsGhostMap
    let names = frames.basePaths.map(\.shortName)
    do {
      let merged = try BracketMerger.merge(frames.base, options: options, resources: resources)
      return FuseBase(photo: merged.photo, report: merged.report, ghostMap: merged.ghostMap)
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

  /// The map of a fusion with that of merging laid over it, where they have one grid: a cell of the merge is two base
  /// pixels wide, a pixel of the fusion's map four.
  func withGhosts(of fusion: Image<UInt8>) -> Image<UInt8> {
    guard let ghostMap, (ghostMap.width + 1) / 2 == fusion.width, (ghostMap.height + 1) / 2 == fusion.height else {
      return fusion
    }
    var result = fusion
    ghostMap.withRows { from in
      result.withMutableRows { to in
        for y in 0..<from.height {
          let (source, out) = (from.row(y), to.row(y / 2))
          for x in 0..<from.width { out[x / 2] = max(out[x / 2], source[x]) }
        }
      }
    }
    return result
  }
}
