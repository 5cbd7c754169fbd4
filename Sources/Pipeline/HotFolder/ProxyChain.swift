import Develop
import ImageCore
import RawFiles
import TIFFTags

/// RAW file → a light picture at once: its colours and framing are the final's, its pixels are few.
///
/// Photosites of one colour are averaged over cells of the filter array before anything else is done, which is most of
/// what makes it light; the file itself must be read in full.
struct ProxyChain: FileChain {
  let name = "proxy"
  /// How the final is made.
  let final: DevelopChain

  /// Pixels of the longer side: at least this many, less than twice as many.
  static let side = 1008
  /// JPEG quality of a picture that is soon replaced.
  static let quality = 80

  func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    var clock = StageClock()
    var capture = try CaptureReader(options: final.raw).read(input, resources: resources)
    clock.mark("read")
    if (capture.photo.clusterSide ?? 1) > 1, let binned = try? capture.photo.binned(.mean, resources: resources) {
      capture.photo = binned
    }
    let size = capture.photo.pixels.size
    capture.photo = capture.photo.reduced(toSide: Self.side, resources: resources)
    clock.mark("reduce")
    var chain = final
    chain.maxDimensions = nil
    chain.develop.demosaic = .balanced
    chain.output = try OutputSettings(format: .jpeg, quality: Self.quality, strip: final.output.strip)
    let source = final.raw.headerless == nil ? input : nil
    var result = try chain.render(
      capture, metadataFrom: source, into: descriptor, resources: resources, clock: clock)
    result.sourceSize = size
    return result
  }
}
