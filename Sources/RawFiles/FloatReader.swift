import ImageCore
import Synchronization
import TIFFTags

/// Reads uncompressed 32-bit floating-point samples as 16-bit counts.
///
/// Black becomes a count above 0, so that noise below it is kept, and white the largest: values beyond white, which DNG
/// forbids, are cut.
struct FloatReader: Sendable {
  /// Counts of black and white.
  static let black: Float = 512
  static let white = Float(UInt16.max)

  let layout: DNGLayout
  /// In the file's own units, black alike everywhere.
  let stored: SensorLevels

  /// `nil` when black differs from place to place.
  init?(layout: DNGLayout, stored: SensorLevels) {
    guard let first = stored.black.values.first, stored.black.values.allSatisfy({ $0 == first }),
      stored.black.columnDeltas.isEmpty, stored.black.rowDeltas.isEmpty
    else { return nil }
    (self.layout, self.stored) = (layout, stored)
  }

  /// What the counts mean.
  static func levels(planes: Int) -> SensorLevels {
    SensorLevels(
      black: BlackLevel(uniform: black, planes: planes), white: Array(repeating: white, count: planes))
  }

  /// Fills the plane. False when the file shrank meanwhile.
  func read(into plane: SamplePlane, workers: Workers) -> Bool {
    let rowsPerBand = 32
    let failed = Atomic<Bool>(false)
    let bandsPerTile = (layout.tileSize.height + rowsPerBand - 1) / rowsPerBand
    workers.forEach(
      tiles: layout.tilesAcross * layout.tilesDown * bandsPerTile,
      scratch: { [UInt8](repeating: 0, count: rowsPerBand * layout.tileRowBytes) }
    ) { index, bytes in
      let tile = index / bandsPerTile
      let first = index % bandsPerTile * rowsPerBand
      let top = tile / layout.tilesAcross * layout.tileSize.height
      let end = min(first + rowsPerBand, layout.tileSize.height, layout.size.height - top)
      if end <= first { return }
      let left = tile % layout.tilesAcross * layout.tileSize.width * layout.samples
      let count = min(layout.tileSize.width * layout.samples, plane.rowSamples - left)
      let isRead = bytes.withUnsafeMutableBytes { buffer in
        let band = UnsafeMutableRawBufferPointer(rebasing: buffer[0..<(end - first) * layout.tileRowBytes])
        return layout.file.source.read(at: layout.offsets[tile] + first * layout.tileRowBytes, into: band)
      }
      guard isRead else { return failed.store(true, ordering: .relaxed) }
      bytes.withUnsafeBytes { buffer in
        for y in 0..<end - first {
          convert(
            UnsafeRawBufferPointer(rebasing: buffer[(y * layout.tileRowBytes)...]), first: left,
            into: plane.base + (top + first + y) * plane.stride + left, count: count)
        }
      }
    }
    return !failed.load(ordering: .relaxed)
  }

  private func convert(
    _ row: UnsafeRawBufferPointer, first: Int, into out: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    let black = stored.black.values[0]
    let factors = stored.white.map { (Self.white - Self.black) / max($0 - black, .leastNormalMagnitude) }
    let isLittle = layout.file.littleEndian
    for x in 0..<count {
      let bits = row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
      let value = Float(bitPattern: isLittle ? UInt32(littleEndian: bits) : UInt32(bigEndian: bits))
      let counts = (value - black) * factors[(first + x) % factors.count] + Self.black + 0.5
      // What is no number is black.
      let positive = counts > 0 ? counts : 0
      out[x] = UInt16(positive < Self.white ? positive : Self.white)
    }
  }
}
