import ImageCore
import Synchronization
import TIFFTags

/// A plane of 16-bit samples in memory: rows of `rowSamples`, `stride` samples apart.
struct SamplePlane: @unchecked Sendable {
  let base: UnsafeMutablePointer<UInt16>
  let rowSamples: Int
  let stride: Int
  let height: Int
}

extension SamplePlane {
  /// The rows of a mosaic.
  init(_ rows: MutablePixelRows<UInt16>) {
    self.init(base: rows.base, rowSamples: rows.width, stride: rows.stride, height: rows.height)
  }

  /// The rows of a picture of three planes.
  init(_ rows: MutablePixelRows<RGB<UInt16>>) {
    let planes = 3
    self.init(
      base: UnsafeMutableRawPointer(rows.base).assumingMemoryBound(to: UInt16.self),
      rowSamples: rows.width * planes, stride: rows.stride * planes, height: rows.height)
  }
}

/// Reads uncompressed strips and tiles straight into an image's memory.
struct UncompressedReader: Sendable {
  let layout: DNGLayout

  /// Fills the plane. False when the file shrank meanwhile.
  func read(into plane: SamplePlane, workers: Workers) -> Bool {
    let rowsPerBand = 64  // about a megabyte a band of a 48-megapixel mosaic
    let failed = Atomic<Bool>(false)
    let bandsPerTile = (layout.tileSize.height + rowsPerBand - 1) / rowsPerBand
    let tiles = layout.tilesAcross * layout.tilesDown
    workers.forEach(tiles: tiles * bandsPerTile, scratch: { [UInt8]() }) { index, scratch in
      let tile = index / bandsPerTile
      let first = index % bandsPerTile * rowsPerBand
      let top = tile / layout.tilesAcross * layout.tileSize.height
      // The last tile may end before this band begins.
      let end = min(first + rowsPerBand, layout.tileSize.height, layout.size.height - top)
      if end <= first { return }
      if !readBand(tile, top, first..<end, plane, &scratch) { failed.store(true, ordering: .relaxed) }
    }
    return !failed.load(ordering: .relaxed)
  }

  private func readBand(
    _ tile: Int, _ top: Int, _ rows: Range<Int>, _ plane: SamplePlane, _ scratch: inout [UInt8]
  ) -> Bool {
    let left = tile % layout.tilesAcross * layout.tileSize.width * layout.samples
    let count = min(layout.tileSize.width * layout.samples, plane.rowSamples - left)
    let rowBytes = layout.tileRowBytes
    let source = layout.file.source
    let offset = layout.offsets[tile] + rows.lowerBound * rowBytes
    let isNative = layout.bits == 16 && layout.file.littleEndian
    let target = plane.base + (top + rows.lowerBound) * plane.stride + left
    if isNative && count == plane.stride && count * 2 == rowBytes {
      return source.read(at: offset, into: .init(start: target, count: rows.count * rowBytes))
    }
    if isNative && count * 2 == rowBytes {
      for (index, _) in rows.enumerated() {
        let row = UnsafeMutableRawBufferPointer(start: target + index * plane.stride, count: rowBytes)
        if !source.read(at: offset + index * rowBytes, into: row) { return false }
      }
      return true
    }
    if scratch.count < rows.count * rowBytes { scratch = Array(repeating: 0, count: rows.count * rowBytes) }
    return scratch.withUnsafeMutableBytes { buffer in
      let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[0..<rows.count * rowBytes])
      guard source.read(at: offset, into: bytes), let start = bytes.baseAddress else { return false }
      let stored = UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
      for index in 0..<rows.count {
        unpack(stored + index * rowBytes, into: target + index * plane.stride, count: count)
      }
      return true
    }
  }

  /// One row. DNG packs depths other than 8 and 16 bits from the most significant bit on, in either byte order.
  private func unpack(_ stored: UnsafePointer<UInt8>, into row: UnsafeMutablePointer<UInt16>, count: Int) {
    switch layout.bits {
    case 8:
      for x in 0..<count { row[x] = UInt16(stored[x]) }
    case 16:
      let (low, high) = layout.file.littleEndian ? (0, 1) : (1, 0)
      for x in 0..<count { row[x] = UInt16(stored[2 * x + low]) | UInt16(stored[2 * x + high]) << 8 }
    default:
      let bits = layout.bits
      let mask = UInt32(1) << UInt32(bits) - 1
      var window: UInt32 = 0
      var available = 0
      var next = 0
      for x in 0..<count {
        while available < bits {
          window = window << 8 | UInt32(stored[next])
          next += 1
          available += 8
        }
        available -= bits
        row[x] = UInt16(truncatingIfNeeded: window >> UInt32(available) & mask)
      }
    }
  }
}
