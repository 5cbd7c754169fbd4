import ImageCore
import TIFFTags

/// The samples of a photo on their way into a DNG.
struct RawSamples {
  let pixels: RawPhoto.Pixels
  let options: DNGWriteOptions

  init(_ pixels: RawPhoto.Pixels, options: DNGWriteOptions) {
    (self.pixels, self.options) = (pixels, options)
  }

  /// Writes the samples, and in front of them everything that `layout` holds.
  ///
  /// - Returns: the size of the file.
  func write(
    _ layout: inout DNGFileLayout, to descriptor: Int32, _ workers: Workers
  ) throws(DNGWriteError) -> Int {
    switch pixels {
    case .mosaic(let mosaic):
      return try mosaic.samples.withRows { (rows) throws(DNGWriteError) in
        try write(CompressedTiles.Source(base: rows.base, stride: rows.stride), &layout, descriptor, workers)
      }
    case .linear(let picture):
      return try picture.samples.withRows { (rows) throws(DNGWriteError) in
        let base = UnsafeRawPointer(rows.base).assumingMemoryBound(to: UInt16.self)
        return try write(
          CompressedTiles.Source(base: base, stride: rows.stride * pixels.planes), &layout, descriptor, workers)
      }
    }
  }

  private func write(
    _ source: CompressedTiles.Source, _ layout: inout DNGFileLayout, _ descriptor: Int32, _ workers: Workers
  ) throws(DNGWriteError) -> Int {
    switch options.compression {
    case .none: try writeStrip(source, &layout, descriptor)
    case .losslessJPEG:
      try writeTiles(
        CompressedTiles(pixels.size, samples: pixels.planes, components: components(source)), source, &layout,
        descriptor, workers)
    case .jpegXL:
      try writeTiles(try JXLTiles(pixels, quality: options.jxlQuality), source, &layout, descriptor, workers)
    }
  }

  private func writeStrip(
    _ source: CompressedTiles.Source, _ layout: inout DNGFileLayout, _ descriptor: Int32
  ) throws(DNGWriteError) -> Int {
    let size = pixels.size
    let rowBytes = size.width * pixels.planes * 2
    layout.setRaw(DNGTag.compression, .shorts([UInt16(DNGTag.compressionNone)]))
    layout.setRaw(DNGTag.rowsPerStrip, .longs([UInt32(size.height)]))
    // The preview's strip has its tags in another directory.
    layout.setRaw(DNGTag.stripOffsets, .longs([0]))
    layout.setRaw(DNGTag.stripByteCounts, .longs([0]))
    let start = layout.place()
    let end = start + rowBytes * size.height
    guard let offset = UInt32(exactly: start), UInt32(exactly: end) != nil else { throw .tooLarge }
    layout.setRaw(DNGTag.stripOffsets, .longs([offset]))
    layout.setRaw(DNGTag.stripByteCounts, .longs([UInt32(rowBytes * size.height)]))
    try DNGWriter.writeAll(layout.head(until: start), to: descriptor, at: 0)
    if source.stride * 2 == rowBytes {
      try DNGWriter.writeAll(
        UnsafeRawBufferPointer(start: source.base, count: rowBytes * size.height), to: descriptor, at: start)
      return end
    }
    // Rows with gaps between them are gathered: few large writes are faster than many small ones.
    let rowsPerWrite = max(1, Self.gatheredBytes / rowBytes)
    var gathered: [UInt8] = []
    gathered.reserveCapacity(rowsPerWrite * rowBytes)
    for y in 0..<size.height {
      gathered += UnsafeRawBufferPointer(start: source.base + y * source.stride, count: rowBytes)
      guard (y + 1) % rowsPerWrite == 0 || y + 1 == size.height else { continue }
      try DNGWriter.writeAll(gathered, to: descriptor, at: start + (y + 1) * rowBytes - gathered.count)
      gathered.removeAll(keepingCapacity: true)
    }
    return end
  }

  /// Bytes handed to the system at once.
  private static let gatheredBytes = 1 << 20

  private func writeTiles(
    _ tiles: some TileEncoder, _ source: CompressedTiles.Source, _ layout: inout DNGFileLayout, _ descriptor: Int32,
    _ workers: Workers
  ) throws(DNGWriteError) -> Int {
    var offsets = [UInt32](repeating: 0, count: tiles.count)
    var counts = offsets
    for (tag, value) in tiles.tags { layout.setRaw(tag, value) }
    layout.setRaw(DNGTag.tileWidth, .longs([UInt32(tiles.tileSize.width)]))
    layout.setRaw(DNGTag.tileHeight, .longs([UInt32(tiles.tileSize.height)]))
    layout.setRaw(DNGTag.tileOffsets, .longs(offsets))
    layout.setRaw(DNGTag.tileByteCounts, .longs(counts))
    let start = layout.place()
    var next = start
    // A row of tiles at a time: enough for all threads, little memory.
    for first in stride(from: 0, to: tiles.count, by: tiles.across) {
      let streams = try tiles.encode(first..<first + tiles.across, of: source, workers: workers)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(streams.reduce(0) { $0 + $1.count + 1 })
      for (index, stream) in streams.enumerated() {
        guard let offset = UInt32(exactly: next + bytes.count) else { throw .tooLarge }
        offsets[first + index] = offset
        counts[first + index] = UInt32(stream.count)
        bytes += stream
        if bytes.count % 2 == 1 { bytes.append(0) }  // TIFF 6.0: values start on even bytes
      }
      try DNGWriter.writeAll(bytes, to: descriptor, at: next)
      next += bytes.count
    }
    guard UInt32(exactly: next) != nil else { throw .tooLarge }
    layout.setRaw(DNGTag.tileOffsets, .longs(offsets))
    layout.setRaw(DNGTag.tileByteCounts, .longs(counts))
    try DNGWriter.writeAll(layout.head(until: start), to: descriptor, at: 0)
    return next
  }

  /// Rows that are looked at to choose a predictor.
  private static let probedRows = 64

  /// How many samples back the best predictor lies: the planes of a linear picture; in a mosaic the same colour is 2
  /// photosites away in a Bayer pattern, 1 or 4 in a quad one. The data decide, not the tags, which may be wrong.
  private func components(_ source: CompressedTiles.Source) -> Int {
    guard case .mosaic(let mosaic) = pixels else { return pixels.planes }
    // Readers take several components for several samples a pixel where there is no colour filter array.
    if mosaic.cfa.distinctColours == [.white] { return 1 }
    let (width, height) = (mosaic.size.width, mosaic.size.height)
    let candidates = [2, 1, 4]
    let costs = candidates.map { lag -> Int in
      var bits = 0
      for y in stride(from: 0, to: height, by: max(1, height / Self.probedRows)) {
        let row = source.base + y * source.stride
        for x in 4..<max(4, width) {
          let difference = Int16(bitPattern: row[x] &- row[x - lag])
          bits += 32 - UInt32(difference.magnitude).leadingZeroBitCount
        }
      }
      return bits
    }
    let best = costs.indices.min { (costs[$0], $0) < (costs[$1], $1) } ?? 0
    return candidates[best]
  }
}
