public import ImageCore
import PhotoFiles
public import RawFiles
public import TIFFTags

/// Picture or mosaic → the same, mirrored, turned and cropped, without interpolation.
///
/// Pictures whose rows can be read in any order (uncompressed TIFF) are moved block by block: a 290 MB file needs a
/// few tens of megabytes. Others are streamed when their rows keep their order, and held in memory when not.
public struct TransformChain: Sendable {
  public var geometry: GeometryChoice
  /// `nil` keeps the container of the input.
  public var output: OutputSettings?
  public var software: String
  /// How a DNG is packed.
  public var rawCompression: DNGWriteOptions.Compression

  /// Size of the blocks that are moved at once, bytes: large enough for few reads, small enough to stay in cache.
  private static let blockBytes = 16 << 20

  public init(
    geometry: GeometryChoice, output: OutputSettings?, software: String,
    rawCompression: DNGWriteOptions.Compression = .losslessJPEG
  ) {
    self.rawCompression = rawCompression
    self.geometry = geometry
    self.output = output
    self.software = software
  }

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
    if let output, output.format != .dng {
      throw JobFailure(.usage, "a RAW mosaic stays a DNG when it is transformed; develop makes pictures of it")
    }
    var clock = StageClock()
    var photo: RawPhoto
    do { photo = try RawReader(options: RawReadOptions()).read(input, resources: resources) } catch {
      throw JobFailure(error)
    }
    clock.mark("read")
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
    let encoder = DNGEncoder(
      options: DNGWriteOptions(compression: rawCompression), strip: output?.strip ?? false, software: software)
    result.warning = try encoder.encode(photo, metadataFrom: input, into: descriptor, resources: resources)
    clock.mark("encode")
    result.size = photo.pixels.size
    result.stages = clock.stages
    return result
  }

  private func picture(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure)
    -> ChainResult
  {
    var clock = StageClock()
    do {
      let reader = try PictureReader(path: input.bytes)
      let placement = try geometry.placement(of: reader.size, tag: reader.orientation)
      let settings = try outputSettings(for: reader)
      let encoder = PictureEncoder(output: settings, software: software)
      var format = reader.format
      if settings.format == .jpeg && format.sample != .uint8 {
        throw JobFailure(.usage, "\(format) samples do not fit JPEG; write TIFF or PNG")
      }
      if settings.format == .jpeg && format.channels.hasAlpha {
        throw JobFailure(.usage, "JPEG has no alpha channel; write TIFF or PNG")
      }
      if settings.format == .png && format.sample == .float32 {
        throw JobFailure(.usage, "PNG has no floating-point samples; write TIFF")
      }
      format = reader.format
      let (spec, warning) = try encoder.spec(
        size: placement.size, format: format, metadataFrom: input, icc: reader.iccProfile, tag: placement.tag)
      let writer = try PictureWriter(fileDescriptor: descriptor, spec: spec)
      let mover = PictureMover(
        reader: reader, writer: writer, placement: placement, blockBytes: Self.blockBytes, resources: resources)
      try mover.run()
      try writer.finish()
      clock.mark("transform")
      var result = ChainResult(sourceSize: reader.size)
      result.size = placement.size
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

  /// The container asked for, or the one the input has.
  private func outputSettings(for reader: PictureReader) throws(JobFailure) -> OutputSettings {
    if let output {
      guard output.format != .dng else { throw JobFailure(.usage, "a finished picture cannot become a DNG") }
      return output
    }
    let format: OutputSettings.Format =
      switch reader.container {
      case .jpeg: .jpeg
      case .png: .png
      case .tiff: .tiff
      }
    return try OutputSettings(format: format)
  }
}

/// Moves a picture's pixels from a reader to a writer, in blocks.
struct PictureMover {
  let reader: PictureReader
  let writer: PictureWriter
  let placement: Placement
  let blockBytes: Int
  let resources: Resources

  private var bytesPerPixel: Int { reader.format.bytesPerPixel }

  func run() throws(PhotoFileError) {
    if reader.isRandomAccess {
      try moveBlocks()
    } else if placement.lay.transposes || placement.lay.mirrorsRows {
      try moveWhole()
    } else {
      try moveBands()
    }
  }

  /// Random access: each band of result rows reads just the stored rectangle it is made of.
  private func moveBlocks() throws(PhotoFileError) {
    let size = placement.size
    let rows = bandRows(width: size.width)
    let source = Buffer(byteCount: rows * size.width * bytesPerPixel, pool: resources.pool)
    let result = Buffer(byteCount: rows * size.width * bytesPerPixel, pool: resources.pool)
    for start in stride(from: 0, to: size.height, by: rows) {
      let band = PixelRect(x: 0, y: start, width: size.width, height: min(rows, size.height - start))
      let stored = placement.lay.source(of: band, in: placement.source.size)
      let bytesPerRow = stored.width * bytesPerPixel
      try reader.read(
        stored.offset(dx: placement.source.x, dy: placement.source.y), into: source.base, bytesPerRow: bytesPerRow)
      try lay(source.base, bytesPerRow, stored.size, result, band)
    }
  }

  /// Sequential and rows keep their order: a band at a time.
  private func moveBands() throws(PhotoFileError) {
    let full = reader.size.width * bytesPerPixel
    let rows = bandRows(width: reader.size.width)
    let source = Buffer(byteCount: rows * full, pool: resources.pool)
    let result = Buffer(byteCount: rows * placement.size.width * bytesPerPixel, pool: resources.pool)
    var next = 0
    while next < placement.source.y {
      let count = min(rows, placement.source.y - next)
      try reader.read(rows: count, into: source.base, bytesPerRow: full)
      next += count
    }
    for start in stride(from: 0, to: placement.size.height, by: rows) {
      let band = PixelRect(
        x: 0, y: start, width: placement.size.width, height: min(rows, placement.size.height - start))
      try reader.read(rows: band.height, into: source.base, bytesPerRow: full)
      let stored = PixelSize(width: placement.source.width, height: band.height)
      try lay(source.base + placement.source.x * bytesPerPixel, full, stored, result, band)
    }
    // The rest is decoded too: a file that is damaged below the crop is still damaged.
    var rest = reader.size.height - placement.source.y - placement.source.height
    while rest > 0 {
      let count = min(rows, rest)
      try reader.read(rows: count, into: source.base, bytesPerRow: full)
      rest -= count
    }
  }

  /// Sequential and rows change their order: all of it has to be there first.
  private func moveWhole() throws(PhotoFileError) {
    let full = reader.size.width * bytesPerPixel
    let whole = Buffer(byteCount: reader.size.height * full, pool: resources.pool)
    try reader.read(rows: reader.size.height, into: whole.base, bytesPerRow: full)
    let size = placement.size
    let rows = bandRows(width: size.width)
    let result = Buffer(byteCount: rows * size.width * bytesPerPixel, pool: resources.pool)
    for start in stride(from: 0, to: size.height, by: rows) {
      let band = PixelRect(x: 0, y: start, width: size.width, height: min(rows, size.height - start))
      let stored = placement.lay.source(of: band, in: placement.source.size)
        .offset(dx: placement.source.x, dy: placement.source.y)
      let corner = whole.base + stored.y * full + stored.x * bytesPerPixel
      try lay(corner, full, stored.size, result, band)
    }
  }

  private func lay(
    _ source: UnsafeMutableRawPointer, _ sourceBytesPerRow: Int, _ sourceSize: PixelSize, _ result: Buffer,
    _ band: PixelRect
  ) throws(PhotoFileError) {
    let bytesPerRow = band.width * bytesPerPixel
    if placement.lay == .up {
      try writer.write(rows: band.height, from: source, bytesPerRow: sourceBytesPerRow)
      return
    }
    OrientationKernel.lay(
      placement.lay, source: source, sourceBytesPerRow: sourceBytesPerRow, sourceSize: sourceSize,
      destination: result.base, destinationBytesPerRow: bytesPerRow, bytesPerPixel: bytesPerPixel,
      workers: resources.workers)
    try writer.write(rows: band.height, from: result.base, bytesPerRow: bytesPerRow)
  }

  private func bandRows(width: Int) -> Int { max(8, blockBytes / max(1, width * bytesPerPixel)) }

  /// Pooled bytes.
  private final class Buffer {
    private var image: Image<UInt8>
    let base: UnsafeMutableRawPointer

    init(byteCount: Int, pool: MemoryPool?) {
      image = Image(uninitialized: PixelSize(width: max(1, byteCount), height: 1), in: pool)
      base = image.withMutableRows { UnsafeMutableRawPointer($0.base) }
    }
  }
}
