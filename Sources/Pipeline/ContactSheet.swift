public import ImageCore
import PhotoFiles
public import TIFFTags

/// Many finished pictures on one page, to be looked at.
public struct ContactSheet: Sendable {
  /// Side of the square in which each picture is placed, pixels.
  public var cell = 320
  /// Pictures side by side.
  public var columns = 4
  /// Space between pictures, pixels.
  public var gap = 12
  /// Grey of the page, sRGB code value: dark enough to judge brightness against, light enough to see black edges.
  static let page: UInt8 = 64

  /// A sheet of four columns.
  public init() {}

  /// Writes a JPEG with the pictures in the given order, row by row. Pictures that cannot be read leave their place empty.
  ///
  /// - Parameter journal: where the page is entered before it gets its name; it tells whether there is anything to do.
  public func write(
    _ pictures: [FilePath], to output: FilePath, journal: RunJournal? = nil, resources: Resources
  ) throws(JobFailure) {
    guard !pictures.isEmpty else { return }
    switch journal?.verdict(for: output, sources: pictures) {
    case .done: return
    case .refused(let failure): throw failure
    case .start, .again, nil: break
    }
    let stamps = pictures.map { (path: $0, stamp: FileStamp(of: $0)) }
    let columns = min(columns, pictures.count)
    let rows = (pictures.count + columns - 1) / columns
    let size = PixelSize(width: columns * (cell + gap) + gap, height: rows * (cell + gap) + gap)
    var sheet = Image<RGB<UInt8>>(size, repeating: RGB(Self.page, Self.page, Self.page), in: resources.pool)
    for (index, path) in pictures.enumerated() {
      guard let thumbnail = try? thumbnail(of: path, resources: resources) else { continue }
      let left = gap + index % columns * (cell + gap) + (cell - thumbnail.width) / 2
      let top = gap + index / columns * (cell + gap) + (cell - thumbnail.height) / 2
      sheet.withMutableRows { target in
        thumbnail.withRows { source in
          for y in 0..<source.height { (target.row(top + y) + left).update(from: source.row(y), count: source.width) }
        }
      }
    }
    let file = try AtomicFile(output, existing: .overwrite)
    let spec = PictureSpec(
      size: size, format: PixelFormat(.rgb, .uint8), container: .jpeg,
      jpeg: JPEGQuality(quality: OutputSettings.defaultQuality),
      tiffCompression: .none, metadata: PictureMetadata(), orientation: .up)
    do {
      let writer = try PictureWriter(fileDescriptor: file.descriptor, spec: spec)
      try sheet.withRows { (rows) throws(PhotoFileError) in
        try writer.write(rows: rows.height, from: UnsafeRawPointer(rows.base), bytesPerRow: rows.stride * 3)
      }
      try writer.finish()
    } catch { throw JobFailure(error) }
    try journal?.enter(output, complete: file.descriptor, sources: stamps)
    try file.commit()
  }

  private func thumbnail(of path: FilePath, resources: Resources) throws(PhotoFileError) -> Image<RGB<UInt8>>? {
    let reader = try PictureReader(path: path.bytes)
    let format = reader.format
    guard format.sample != .float32 else { return nil }
    var picture = Image<RGB<UInt8>>(uninitialized: reader.size, in: resources.pool)
    let row = UnsafeMutableRawBufferPointer.allocate(
      byteCount: reader.size.width * format.bytesPerPixel, alignment: 64)
    defer { row.deallocate() }
    // The high byte of a 16-bit sample, which is little-endian on every CPU this is built for.
    let high = format.sample == .uint8 ? 0 : 1
    let step = format.sample.byteCount
    let isGrey = format.channels.count < 3
    for y in 0..<reader.size.height {
      try reader.read(rows: 1, into: row.baseAddress!, bytesPerRow: row.count)
      picture.withMutableRow(y) { pixels in
        for x in pixels.indices {
          let at = x * format.bytesPerPixel + high
          pixels[x] = isGrey ? RGB(row[at], row[at], row[at]) : RGB(row[at], row[at + step], row[at + 2 * step])
        }
      }
    }
    let longest = max(picture.width, picture.height)
    guard longest > cell else { return picture }
    let size = PixelSize(
      width: max(1, picture.width * cell / longest), height: max(1, picture.height * cell / longest))
    return picture.resampled(to: size, resources: resources)
  }
}
