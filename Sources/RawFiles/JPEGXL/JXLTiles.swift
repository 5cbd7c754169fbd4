import CJXL
import ImageCore
import Synchronization
import TIFFTags

/// Tiles of JPEG XL for DNG 1.7. The four photosites of a Bayer cell are stored as four small pictures, which are
/// smooth and so pack better (ColumnInterleaveFactor and RowInterleaveFactor 2).
struct JXLTiles: TileEncoder {
  let tileSize: PixelSize
  private let size: PixelSize
  private let samples: Int
  private let quality: Int
  private let factor: Int
  private let rows: FieldMap
  private let columns: FieldMap

  /// The first version whose readers know interleaved columns, DNG 1.7.1.
  static let version: [UInt8] = [1, 7, 1, 0]
  /// Pixels a side: enough for libjxl's groups of 256, enough tiles for all threads.
  private static let side = 512
  /// libjxl's scale 1...9; lossless streams gain 2 percent from 3 to 7 and take ten times as long.
  private static let effort: Int32 = 3

  init(_ pixels: RawPhoto.Pixels, quality: Int) throws(DNGWriteError) {
    if let missing = cjxl_missing() { throw .codec(String(cString: missing), isMissing: true) }
    (size, samples, self.quality) = (pixels.size, pixels.planes, quality)
    if case .mosaic(let mosaic) = pixels, mosaic.cfa.isBayer { factor = 2 } else { factor = 1 }
    tileSize = PixelSize(width: Self.side, height: Self.side)
    rows = FieldMap(size.height, factor: factor)
    columns = FieldMap(size.width, factor: factor)
  }

  var across: Int { (size.width + tileSize.width - 1) / tileSize.width }
  private var down: Int { (size.height + tileSize.height - 1) / tileSize.height }
  var count: Int { across * down }

  var tags: [(tag: UInt16, value: TIFFValue)] {
    var tags: [(tag: UInt16, value: TIFFValue)] = [
      (DNGTag.compression, .shorts([UInt16(DNGTag.compressionJPEGXL)])),
      (
        DNGTag.jxlDistance, .stored(type: 11, count: 1, bytes: little(JXLScale.distance(quality: quality).bitPattern))
      ),
      (DNGTag.jxlEffort, .longs([UInt32(Self.effort)])),
    ]
    if factor > 1 {
      tags.append((DNGTag.rowInterleave, .longs([UInt32(factor)])))
      tags.append((DNGTag.columnInterleave, .longs([UInt32(factor)])))
    }
    return tags
  }

  private func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  func encode(
    _ tiles: Range<Int>, of source: CompressedTiles.Source, workers: Workers
  ) throws(DNGWriteError) -> [[UInt8]] {
    let results = Mutex<[[UInt8]]>(Array(repeating: [], count: tiles.count))
    let failure = Mutex<String?>(nil)
    workers.forEach(tiles: tiles.count, scratch: { [UInt16]() }) { index, scratch in
      gather(tiles.lowerBound + index, source, &scratch)
      var stream: [UInt8] = []
      if let reason = pack(scratch, into: &stream) { failure.withLock { $0 = reason } }
      results.withLock { $0[index] = stream }
    }
    if let reason = failure.withLock({ $0 }) { throw .codec(reason, isMissing: false) }
    return results.withLock { $0 }
  }

  /// One tile in stored order; beyond the picture its last line and column are repeated, which costs next to nothing.
  private func gather(_ tile: Int, _ source: CompressedTiles.Source, _ out: inout [UInt16]) {
    let (left, top) = (tile % across * tileSize.width, tile / across * tileSize.height)
    let total = tileSize.area * samples
    if out.count != total { out = Array(repeating: 0, count: total) }
    out.withUnsafeMutableBufferPointer { out in
      var next = out.baseAddress!
      for y in 0..<tileSize.height {
        let row = source.base + rows.places[min(top + y, size.height - 1)] * source.stride
        for x in 0..<tileSize.width {
          let pixel = row + columns.places[min(left + x, size.width - 1)] * samples
          for c in 0..<samples { next[c] = pixel[c] }
          next += samples
        }
      }
    }
  }

  /// - Returns: why it failed; `nil` when it did not.
  private func pack(_ pixels: [UInt16], into stream: inout [UInt8]) -> String? {
    let info = cjxl_info(
      width: UInt32(tileSize.width), height: UInt32(tileSize.height), channels: Int32(samples), bits: 16,
      exponent_bits: 0, orientation: 1)
    let options = cjxl_options(
      distance: JXLScale.distance(quality: quality), effort: Self.effort, linear: 1, modular: 0)
    var error = [CChar](repeating: 0, count: Int(CJXL_ERROR))
    let status = withUnsafeMutablePointer(to: &stream) { stream in
      cjxl_encode(
        info, CJXL_UINT16, pixels, pixels.count * 2, cjxl_blobs(), options, nil, nil,
        { user, bytes, count in
          user!.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(start: bytes, count: count)
          return 0
        }, stream, &error)
    }
    guard status != 0 else { return nil }
    return String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
