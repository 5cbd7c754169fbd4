import ImageCore
import PhotoFiles

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
