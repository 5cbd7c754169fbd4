public import Develop
public import ImageCore
import PhotoFiles
public import RawFiles
public import TIFFTags

/// RAW file → picture file. The only place that knows the order: read, settle the pattern, place, bin if that is enough,
/// develop, scale if that is needed, encode.
public struct DevelopChain: FileChain {
  /// What reports call it.
  public let name = "develop"
  /// How the file is read.
  public var raw: RawReadOptions
  /// How its pixels become a picture.
  public var develop: DevelopOptions
  /// How the picture is turned, mirrored and cropped.
  public var geometry: GeometryChoice
  /// The file it becomes.
  public var output: OutputSettings
  /// The largest picture asked for; `nil` for no limit.
  public var maxDimensions: PhotoDimensions?
  /// The name written into the Software tag.
  public var software: String

  /// A chain of these settings; nothing is read yet.
  public init(
    raw: RawReadOptions, develop: DevelopOptions, geometry: GeometryChoice, output: OutputSettings,
    maxDimensions: PhotoDimensions? = nil, software: String
  ) {
    self.raw = raw
    self.develop = develop
    self.geometry = geometry
    self.output = output
    self.maxDimensions = maxDimensions
    self.software = software
  }

  /// Runs the chain into an open file, which must be seekable.
  ///
  /// - Throws: bad data (65), no input (66), a missing codec (69), or an I/O error (74).
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    var clock = StageClock()
    let capture = try CaptureReader(options: raw).read(input, resources: resources)
    clock.mark("read")
    let source = raw.headerless == nil ? input : nil
    return try render(capture, metadataFrom: source, into: descriptor, resources: resources, clock: clock)
  }

  /// Everything after reading.
  ///
  /// - Parameter source: the file whose metadata the picture carries on; `nil` for none.
  func render(
    _ capture: ReadCapture, metadataFrom source: FilePath?, into descriptor: Int32, resources: Resources,
    clock: StageClock
  ) throws(JobFailure) -> ChainResult {
    var clock = clock
    let placement = try geometry.placement(of: capture.photo.defaultCrop.size, tag: capture.photo.orientation)
    let shown = Self.squarePixels(placement, aspect: capture.photo.pixelAspect)
    let limit = maxDimensions?.limit(of: shown)
    var (photo, sizing) = try Sizing.prepare(capture.photo, for: limit, shown: shown, resources: resources)
    if sizing != .full { clock.mark("bin") }
    let siteGains = photo.equaliseSites(resources: resources)
    if photo.clusterSide ?? 1 > 1 { clock.mark("calibrate") }
    let developer: Developer
    do { developer = try Developer(photo, options: develop) } catch { throw JobFailure(error) }
    let job = Job(
      source: source, descriptor: descriptor, resources: resources, photo: photo, developer: developer,
      placement: try geometry.placement(of: photo.defaultCrop.size, tag: photo.orientation))
    var result = ChainResult(sourceSize: capture.photo.pixels.size, resolved: developer.resolved)
    result.cfa = capture.cfa
    result.siteGains = siteGains
    result.sizing = sizing
    result.applied = AppliedTransform(placement, geometry.capture)
    result.warn(capture.warning)
    switch output.sample {
    case .uint8: try finish(job, Rendition<RGB<UInt8>>(developer), &clock, &result)
    case .uint16: try finish(job, Rendition<RGB<UInt16>>(developer), &clock, &result)
    case .float32: try finish(job, Rendition<RGB<Float>>(developer), &clock, &result)
    }
    result.stages = clock.stages
    return result
  }

  /// Memory that a file will need at most: its mosaic, once more where clusters are made equal, and of the finished picture
  /// what is held at once, bytes. 0 when it cannot be read, since it then fails at once.
  public func expectedMemory(of input: FilePath) -> Int {
    guard let description = try? RawReader(options: raw).describe(input) else { return 0 }
    let size = description.activeArea.size
    let mosaics = (description.cfa?.clusters?.side ?? 1) > 1 ? 2 : 1
    return size.area * 2 * mosaics + pictureMemory(of: size)
  }

  /// Memory that the last stages need at most for a picture of a photo of this size, beside the photo, bytes.
  func pictureMemory(of size: PixelSize) -> Int {
    let bytesPerPixel = 3 * output.sample.byteCount
    let stripes = Developer.streamingMemory(of: size, bytesPerPixel: bytesPerPixel)
    // HEIF and JPEG XL are encoded whole, and only a whole picture is resampled.
    let isWhole = output.isEncodedWhole || maxDimensions != nil
    return stripes + (isWhole ? size.area * bytesPerPixel : 0)
  }

  /// One file on its way.
  private struct Job {
    let source: FilePath?
    let descriptor: Int32
    let resources: Resources
    let photo: RawPhoto
    let developer: Developer
    let placement: Placement
  }

  /// Develops the photo into an open file. Rows are encoded while the next ones are developed: of the picture only a few
  /// stripes are held, unless it is resampled.
  private func finish<Pixel>(
    _ job: Job, _ rendition: Rendition<Pixel>, _ clock: inout StageClock, _ result: inout ChainResult
  ) throws(JobFailure) {
    let (photo, placement) = (job.photo, job.placement)
    var shown = Self.squarePixels(placement, aspect: photo.pixelAspect)
    if let limit = maxDimensions?.limit(of: shown) {
      shown = limit
      result.sizing = result.sizing?.scaled
    }
    result.size = shown
    var encoder = PictureEncoder(
      output: output, software: software, applied: AppliedTransform(placement, geometry.capture))
    encoder.workers = job.resources.workers
    if develop.rendering == .picture { encoder.space = develop.outputSpace }
    let icc =
      develop.rendering == .camera
      ? [] : ICCProfile.bytes(for: develop.outputSpace, linear: develop.encoding == .scene)
    let picture = try encoder.open(
      shown, PixelFormat(.rgb, rendition.sample), metadataFrom: job.source, icc: icc, tag: placement.tag,
      into: job.descriptor)
    result.warn(picture.warning)
    let rect = placement.source.offset(dx: photo.defaultCrop.x, dy: photo.defaultCrop.y)
    do throws(PhotoFileError) {
      try rendition.develop(rect, placement.lay, to: shown, job.resources) { (rows) throws(PhotoFileError) in
        try picture.write(rows)
      }
    } catch { throw JobFailure(error) }
    clock.mark("develop")
    try picture.finish()
    clock.mark("encode")
  }

  /// The shown size when pixels are not square: the side that is too short is stretched, so that nothing is lost.
  private static func squarePixels(_ placement: Placement, aspect: Double) -> PixelSize {
    let size = placement.size
    guard abs(aspect - 1) > 0.005 else { return size }  // half a percent is seen by nobody and is often rounding
    let horizontal = placement.lay.transposes ? 1 / aspect : aspect
    return horizontal > 1
      ? PixelSize(width: Int((Double(size.width) * horizontal).rounded()), height: size.height)
      : PixelSize(width: size.width, height: Int((Double(size.height) / horizontal).rounded()))
  }
}
