import ImageCore
import Synchronization
import TIFFTags

/// Cuts a picture into tiles and compresses them side by side. Bytes depend on the pixels alone.
protocol TileEncoder: Sendable {
  var tileSize: PixelSize { get }
  var across: Int { get }
  var count: Int { get }
  /// What readers have to know: the compression and its options.
  var tags: [(tag: UInt16, value: TIFFValue)] { get }
  /// The streams of some tiles, in order.
  func encode(
    _ tiles: Range<Int>, of source: CompressedTiles.Source, workers: Workers
  ) throws(DNGWriteError) -> [[UInt8]]
}

/// Tiles of lossless JPEG.
struct CompressedTiles: TileEncoder {
  let size: PixelSize
  /// Samples a pixel.
  let samples: Int
  /// Interleaved components of a tile's stream.
  let components: Int
  let tileSize: PixelSize

  /// Tiles are about this large, pixels a side: enough samples for a Huffman table of their own, enough tiles for all
  /// threads.
  private static let aimedSide = 512
  /// TIFF 6.0, section 15: sides of tiles are multiples of 16.
  private static let unit = 16

  /// - Parameter components: how many samples back the one lies that predicts: 1, 2 or 4 for a mosaic, 3 for RGB.
  init(_ size: PixelSize, samples: Int, components: Int) {
    self.size = size
    self.samples = samples
    self.components = components
    // Equal tiles instead of full ones and a rest: what is padded is less than one unit a tile.
    func side(_ length: Int) -> Int {
      let count = (length + Self.aimedSide - 1) / Self.aimedSide
      let even = (length + count - 1) / count
      return (even + Self.unit - 1) / Self.unit * Self.unit
    }
    var width = side(size.width)
    // LibRaw (0.20 at least) takes a tile whose width times its components is the picture's width for rows folded in
    // two: such tiles are made a unit wider.
    if width * components == size.width { width += Self.unit }
    tileSize = PixelSize(width: width, height: side(size.height))
  }

  var tags: [(tag: UInt16, value: TIFFValue)] {
    [(DNGTag.compression, .shorts([UInt16(DNGTag.compressionLosslessJPEG)]))]
  }

  var across: Int { (size.width + tileSize.width - 1) / tileSize.width }
  var down: Int { (size.height + tileSize.height - 1) / tileSize.height }
  var count: Int { across * down }

  private struct Scratch {
    var padded: [UInt16] = []
    var encoder = LosslessJPEGEncoder.Scratch()
  }

  /// A plane of 16-bit samples to be read by several threads.
  struct Source: @unchecked Sendable {
    let base: UnsafePointer<UInt16>
    /// Samples from one row to the next.
    let stride: Int
  }

  /// The streams of some tiles, in order.
  func encode(_ tiles: Range<Int>, of source: Source, workers: Workers) -> [[UInt8]] {
    let results = Mutex<[[UInt8]]>(Array(repeating: [], count: tiles.count))
    workers.forEach(tiles: tiles.count, scratch: { Scratch() }) { index, scratch in
      let stream = encode(tiles.lowerBound + index, source, &scratch)
      results.withLock { $0[index] = stream }
    }
    return results.withLock { $0 }
  }

  private func encode(_ tile: Int, _ source: Source, _ scratch: inout Scratch) -> [UInt8] {
    let (left, top) = (tile % across * tileSize.width, tile / across * tileSize.height)
    let rowSamples = tileSize.width * samples
    let encoder = LosslessJPEGEncoder(rowSamples: rowSamples, rows: tileSize.height, components: components)
    let corner = source.base + top * source.stride + left * samples
    let columns = min(tileSize.width, size.width - left) * samples
    let rows = min(tileSize.height, size.height - top)
    if columns == rowSamples && rows == tileSize.height {
      return encoder.encode(corner, stride: source.stride, &scratch.encoder)
    }
    pad(corner, source.stride, columns, rows, rowSamples, &scratch.padded)
    return scratch.padded.withUnsafeBufferPointer {
      encoder.encode($0.baseAddress!, stride: rowSamples, &scratch.encoder)
    }
  }

  /// A tile that reaches over the edge is filled with what its neighbours predict, which costs one short code a sample.
  private func pad(
    _ corner: UnsafePointer<UInt16>, _ stride: Int, _ columns: Int, _ rows: Int, _ rowSamples: Int,
    _ padded: inout [UInt16]
  ) {
    let count = rowSamples * tileSize.height
    if padded.count != count { padded = Array(repeating: 0, count: count) }
    padded.withUnsafeMutableBufferPointer { buffer in
      let base = buffer.baseAddress!
      for y in 0..<tileSize.height {
        let row = base + y * rowSamples
        let kept = y < rows ? columns : min(components, rowSamples)
        if y < rows {
          row.update(from: corner + y * stride, count: kept)
        } else {
          row.update(from: row - rowSamples, count: kept)
        }
        for x in kept..<max(kept, rowSamples) {
          row[x] = x >= components ? row[x - components] : (y > 0 ? row[x - rowSamples] : 1 << 15)
        }
      }
    }
  }
}
