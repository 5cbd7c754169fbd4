import HDRMerge
import ImageCore
import TIFFTags

/// What fusing made, and all that is to be said about it.
struct FusedShot {
  /// The result as a photo; the merged light where the gate did not open.
  let photo: RawPhoto
  /// The file whose moment, facts and metadata the result has.
  let reference: FilePath
  let report: FuseReport
  /// What merging the base frames found; `nil` when there was one.
  let merge: MergeReport?
  let cfa: CFAFinding?
  let siteGains: Double?
  let warnings: [String]
  let sourceMap: Image<UInt8>
  let ghostMap: Image<UInt8>

  /// Stops of light above the reference's white.
  var headroom: Double { merge?.headroom ?? 0 }
}
