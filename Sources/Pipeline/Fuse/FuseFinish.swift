import Develop
import HDRMerge
import ImageCore
import TIFFTags

/// The last stages of a fusion: photo → DNG or developed picture.
struct FuseFinish {
  let develop: DevelopChain
  let output: Recipe.Output
  /// The file whose metadata are carried over; `nil` for none.
  let source: FilePath?
  /// Whether light above white is brought into the range of a picture.
  let spreadsLight: Bool

  /// Stops of light above the reference's white that are worth a local tone: exposures differed.
  static let leastHeadroom = 0.1

  /// - Parameter size: of the full-resolution frame, for the report.
  func finish(
    _ photo: RawPhoto, size: PixelSize, into descriptor: Int32, resources: Resources, clock: StageClock
  ) throws(JobFailure) -> ChainResult {
    var clock = clock
    guard develop.output.format != .dng else {
      var result = ChainResult(sourceSize: size)
      result.warn(
        try DNGEncoder(output, software: develop.software).encode(
          photo, metadataFrom: source, into: descriptor, resources: resources))
      clock.mark("encode")
      result.size = photo.pixels.size
      result.stages = clock.stages
      return result
    }
    var photo = photo
    if spreadsLight && develop.develop.rendering == .picture && develop.develop.tone == .standard {
      photo = LocalTone.compressed(photo, resources: resources)
      clock.mark("tone")
    }
    var result = try develop.render(
      ReadCapture(photo: photo), metadataFrom: source, into: descriptor, resources: resources, clock: clock)
    result.sourceSize = size
    return result
  }
}
