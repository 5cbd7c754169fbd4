public import CaptureModel
public import ImageCore
import PhotoFiles
import RawFiles
public import TIFFTags

/// Picture or mosaic → the same, mirrored, turned and cropped, without interpolation.
///
/// Pictures whose rows can be read in any order (uncompressed TIFF) are moved block by block: a 290 MB file needs a
/// few tens of megabytes. Others are streamed when their rows keep their order, and held in memory when not.
public struct TransformChain: FileChain {
  /// What reports call it.
  public let name = "transform"
  /// What is said of the output; without a format it has the container of the input. Samples are always those of the
  /// input: ``Recipe/Output/bits`` may only agree with them.
  public var recipe: Recipe
  /// The name written into the Software tag of a DNG.
  public var software: String
  /// What is known of the capture; `nil` when nothing is.
  public var capture: CaptureDecision?

  private var geometry: GeometryChoice {
    var choice = recipe.geometry
    choice.capture = capture
    return choice
  }

  /// Size of the blocks that are moved at once, bytes: large enough for few reads, small enough to stay in cache.
  private static let blockBytes = 16 << 20

  /// A chain of these settings; nothing is read yet.
  public init(_ recipe: Recipe, software: String) {
    self.recipe = recipe
    self.software = software
  }

  /// Runs the chain into an open file, which must be seekable and readable.
  ///
  /// - Throws: bad data (65), no input (66), a missing codec or a picture larger than asked for (69), an I/O error (74), or usage (64) when the result
  ///   cannot be written in the asked-for format.
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    let kind: FileKind
    do { kind = try FileSniffer.kind(ofFileAt: input) } catch { throw JobFailure(error) }
    switch kind {
    case .dng: return try mosaic(input, into: descriptor, resources: resources)
    case .raw(let name):
      throw JobFailure(.usage, "\(name) cannot be written; develop it, or transform a DNG of it")
    default: return try picture(input, into: descriptor, resources: resources)
    }
  }

  private func mosaic(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure)
    -> ChainResult
  {
    if let format = recipe.output.format, format != .dng {
      throw JobFailure(.usage, "a RAW mosaic stays a DNG when it is transformed; develop makes pictures of it")
    }
    var clock = StageClock()
    var photo: RawPhoto
    do { photo = try RawReader(options: recipe.readOptions).read(input, resources: resources) } catch {
      throw JobFailure(error)
    }
    clock.mark("read")
    try recipe.maxPhotoDimensions?.check(photo.defaultCrop.size)
    try checkBits(16)  // what mosaics are held and written with
    var period: PixelSize?
    if case .mosaic(let mosaic) = photo.pixels {
      period = PixelSize(width: mosaic.cfa.width, height: mosaic.cfa.height)
    }
    let placement = try geometry.placement(of: photo.defaultCrop.size, tag: photo.orientation, period: period)
    var result = ChainResult(sourceSize: photo.pixels.size)
    let rect = placement.source.offset(dx: photo.defaultCrop.x, dy: photo.defaultCrop.y)
    switch photo.pixels {
    case .mosaic(let mosaic):
      photo.pixels = .mosaic(mosaic.cropped(to: rect).oriented(placement.lay, resources: resources))
    case .linear(let picture):
      photo.pixels = .linear(
        LinearPicture(
          samples: picture.samples.cropped(to: rect).oriented(placement.lay, resources: resources),
          levels: picture.levels.cropped(to: rect).oriented(placement.lay, of: rect.size)))
    }
    photo.defaultCrop = PixelRect(photo.pixels.size)
    photo.userCrop = nil
    photo.orientation = placement.tag
    if placement.lay.transposes { photo.pixelAspect = 1 / photo.pixelAspect }
    clock.mark("transform")
    let encoder = DNGEncoder(recipe.output, software: software)
    result.warning = try encoder.encode(
      photo, metadataFrom: input, applied: AppliedTransform(placement, capture), into: descriptor,
      resources: resources)
    result.applied = AppliedTransform(placement, capture)
    clock.mark("encode")
    result.size = photo.pixels.size
    result.format = .dng
    result.bits = 16
    result.stages = clock.stages
    return result
  }

  private func picture(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure)
    -> ChainResult
  {
    var clock = StageClock()
    do {
      let reader = try PictureReader(path: input.bytes, workers: resources.workers)
      let placement = try geometry.placement(of: reader.size, tag: reader.orientation)
      try recipe.maxPhotoDimensions?.check(reader.size)
      let settings = try outputSettings(for: reader)
      try Self.check(reader.format, fits: settings.format)
      var encoder = PictureEncoder(
        output: settings, software: software, applied: AppliedTransform(placement, capture))
      encoder.primaries = reader.primaries
      let (spec, warning) = try encoder.spec(
        size: placement.size, format: reader.format, metadataFrom: input, icc: reader.iccProfile, tag: placement.tag)
      let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec, workers: resources.workers)
      let mover = PictureMover(
        reader: reader, writer: writer, placement: placement, blockBytes: Self.blockBytes, resources: resources)
      try mover.run()
      try writer.finish()
      clock.mark("transform")
      var result = ChainResult(sourceSize: reader.size)
      result.size = placement.size
      result.applied = AppliedTransform(placement, capture)
      result.format = settings.format
      result.bits = settings.bits
      result.warning = warning
      result.stages = clock.stages
      return result
    } catch let error as PhotoFileError {
      throw JobFailure(error)
    } catch let error as JobFailure {
      throw error
    } catch {
      throw JobFailure(.badData, "\(error)")
    }
  }

  /// The container asked for, or the one the input has, with the input's samples.
  private func outputSettings(for reader: PictureReader) throws(JobFailure) -> OutputSettings {
    let own: OutputSettings.Format =
      switch reader.container {
      case .jpeg: .jpeg
      case .png: .png
      case .tiff: .tiff
      case .exr: .exr
      case .heif: .heif
      case .jxl: .jxl
      }
    let format = recipe.output.format ?? own
    guard format != .dng else { throw JobFailure(.usage, "a finished picture cannot become a DNG") }
    guard format != .exr || own == .exr else {
      throw JobFailure(.usage, "OpenEXR holds light, a finished picture has none left: write TIFF")
    }
    let bits = reader.format.sample.byteCount * 8
    var moved = recipe
    moved.output.bits = nil
    var settings = try moved.outputSettings(format)
    if format == .heif, reader.format.sample == .uint16 {
      // The most that HEIF holds, unless less is asked for.
      settings.bits = recipe.output.bits ?? 12
      guard [10, 12].contains(settings.bits) else {
        throw JobFailure(.usage, "HEIF holds 16-bit samples in 10 or 12 bits")
      }
    } else {
      try checkBits(bits)
      settings.bits = bits
    }
    return settings
  }

  private func checkBits(_ found: Int) throws(JobFailure) {
    guard let asked = recipe.output.bits, asked != found else { return }
    throw JobFailure(.usage, "transform keeps samples as they are, here \(found) bits, not \(asked)")
  }

  private static func check(_ samples: PixelFormat, fits format: OutputSettings.Format) throws(JobFailure) {
    switch format {
    case .jpeg where samples.sample != .uint8:
      throw JobFailure(.usage, "\(samples) samples do not fit JPEG; write TIFF or PNG")
    case .jpeg where samples.channels.hasAlpha:
      throw JobFailure(.usage, "JPEG has no alpha channel; write TIFF or PNG")
    case .heif where samples.sample == .float32 || samples.channels == .greyAlpha:
      throw JobFailure(.usage, "\(samples) samples do not fit HEIF; write TIFF or JPEG XL")
    case .png where samples.sample == .float32:
      throw JobFailure(.usage, "PNG has no floating-point samples; write TIFF")
    default: return
    }
  }
}
