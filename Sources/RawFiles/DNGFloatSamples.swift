public import ImageCore
import TIFFTags

/// The samples of a floating-point DNG, which stand in for the counts of the photo that describes them.
///
/// DNG 1.4, chapter 2: SampleFormat 3, BitsPerSample 32, black 0 and white 1.
public struct DNGFloatSamples: Sendable {
  /// Light of every sample, as the photo lays it out; black is 0.
  public enum Light: Sendable {
    /// Under the photo's filter array.
    case mosaic(Image<Float>)
    /// Red, green and blue at every pixel.
    case linear(Image<RGB<Float>>)
  }

  /// Light of every sample.
  public let light: Light
  /// What light is multiplied by when it is written, so that white becomes 1.
  public let scale: Float

  /// Light that is `scale` times as large in the file.
  public init(_ light: Light, scale: Float = 1) {
    (self.light, self.scale) = (light, scale)
  }

  var size: PixelSize {
    switch light {
    case .mosaic(let image): image.size
    case .linear(let image): image.size
    }
  }
}

extension DNGFloatSamples {
  /// Sides of a tile, pixels: multiples of 16 as TIFF demands, about a megabyte of samples.
  private static let tile = PixelSize(width: 512, height: 512)

  /// Writes the samples as deflated tiles, and in front of them everything that `layout` holds.
  ///
  /// Deflated because LibRaw before 0.21 and RawTherapee read no other 32-bit samples.
  ///
  /// - Returns: the size of the file.
  func write(
    _ layout: inout DNGFileLayout, to descriptor: Int32, _ workers: Workers
  ) throws(DNGWriteError) -> Int {
    switch light {
    case .mosaic(let image):
      return try image.withRows { (rows) throws(DNGWriteError) in
        try write(rows, planes: 1, &layout, descriptor, workers)
      }
    case .linear(let image):
      return try image.withRows { (rows) throws(DNGWriteError) in
        let planes = 3
        let samples = PixelRows(
          base: UnsafeRawPointer(rows.base).assumingMemoryBound(to: Float.self), width: rows.width * planes,
          height: rows.height, stride: rows.stride * planes)
        return try write(samples, planes: planes, &layout, descriptor, workers)
      }
    }
  }

  private func write(
    _ rows: PixelRows<Float>, planes: Int, _ layout: inout DNGFileLayout, _ descriptor: Int32, _ workers: Workers
  ) throws(DNGWriteError) -> Int {
    let tile = Self.tile
    let across = (size.width + tile.width - 1) / tile.width
    let down = (size.height + tile.height - 1) / tile.height
    var offsets = [UInt32](repeating: 0, count: across * down)
    var counts = offsets
    layout.setRaw(DNGTag.compression, .shorts([UInt16(DNGTag.compressionDeflate)]))
    layout.setRaw(DNGTag.predictor, .shorts([UInt16(DNGTag.predictorFloat)]))
    layout.setRaw(DNGTag.tileWidth, .longs([UInt32(tile.width)]))
    layout.setRaw(DNGTag.tileHeight, .longs([UInt32(tile.height)]))
    layout.setRaw(DNGTag.tileOffsets, .longs(offsets))
    layout.setRaw(DNGTag.tileByteCounts, .longs(counts))
    let start = layout.place()
    var next = start
    // A row of tiles at a time: enough for all threads, little memory.
    for row in 0..<down {
      let streams = TileSlots(repeating: [UInt8](), count: across)
      workers.forEach(tiles: across) { streams[$0] = packed(rows, planes: planes, column: $0, row: row) }
      for (column, stream) in streams.values.enumerated() {
        guard let offset = UInt32(exactly: next), UInt32(exactly: next + stream.count + 1) != nil else {
          throw .tooLarge
        }
        offsets[row * across + column] = offset
        counts[row * across + column] = UInt32(stream.count)
        try DNGWriter.writeAll(stream, to: descriptor, at: next)
        next += stream.count + stream.count % 2  // TIFF 6.0: values start on even bytes
      }
    }
    layout.setRaw(DNGTag.tileOffsets, .longs(offsets))
    layout.setRaw(DNGTag.tileByteCounts, .longs(counts))
    try DNGWriter.writeAll(layout.head(until: start), to: descriptor, at: 0)
    return next
  }

  /// One tile; beyond the picture its last samples go on.
  private func packed(_ rows: PixelRows<Float>, planes: Int, column: Int, row: Int) -> [UInt8] {
    let tile = Self.tile
    let (count, left) = (tile.width * planes, column * tile.width * planes)
    var line = [UInt32](repeating: 0, count: count)
    var bytes = [UInt8](repeating: 0, count: count * tile.height * MemoryLayout<Float>.size)
    return bytes.withUnsafeMutableBufferPointer { buffer in
      line.withUnsafeMutableBufferPointer { line in
        for y in 0..<tile.height {
          let source = rows.row(min(rows.height - 1, row * tile.height + y))
          for x in 0..<count {
            let place = left + x < rows.width ? left + x : rows.width - planes + x % planes
            line[x] = (source[place] * scale).bitPattern
          }
          FloatRows.pack(
            line.baseAddress!, count: count, reach: planes,
            into: buffer.baseAddress! + y * count * MemoryLayout<Float>.size)
        }
      }
      return FloatRows.deflated(UnsafeBufferPointer(buffer))
    }
  }
}
