import ImageCore
import Synchronization
import TIFFTags

/// Reads 32-bit floating-point samples, as they are or deflated, as 16-bit counts.
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

  /// How the samples of a file are packed.
  struct Packing: Sendable {
    /// Bytes between differences of deflated rows; `nil` for samples as they are.
    let reach: Int?

    /// `nil` when it is not one that is read: TIFF 6.0 and DNG 1.4, tags Compression and Predictor.
    init?(_ raw: TIFFDirectory, compression: Int, planes: Int) {
      switch compression {
      case DNGTag.compressionNone: reach = nil
      case DNGTag.compressionDeflate, DNGTag.compressionOldDeflate:
        switch raw.integer(DNGTag.predictor) {
        case DNGTag.predictorFloat: reach = planes
        case DNGTag.predictorFloatX2: reach = 2 * planes
        case DNGTag.predictorFloatX4: reach = 4 * planes
        default: return nil
        }
      default: return nil
      }
    }
  }

  /// Fills the plane.
  func read(into plane: SamplePlane, workers: Workers) throws(RawReadError) {
    guard let packing = Packing(layout.raw, compression: layout.compression, planes: layout.samples) else { return }
    let isRead: Bool
    if let reach = packing.reach {
      isRead = readTiles(into: plane, reach: reach, workers: workers)
    } else {
      isRead = readRows(into: plane, workers: workers)
    }
    guard isRead else { throw .damaged("its samples end early or are no deflated numbers") }
  }

  private func readTiles(into plane: SamplePlane, reach: Int, workers: Workers) -> Bool {
    let failed = Atomic<Bool>(false)
    let count = layout.tileSize.width * layout.samples
    workers.forEach(
      tiles: layout.tilesAcross * layout.tilesDown, scratch: { [UInt32](repeating: 0, count: count) }
    ) { tile, line in
      let top = tile / layout.tilesAcross * layout.tileSize.height
      let left = tile % layout.tilesAcross * count
      let rows = min(layout.tileSize.height, layout.size.height - top)
      // The last strip of a picture is shorter; tiles are whole.
      let stored = layout.tileSize.width == layout.size.width ? rows : layout.tileSize.height
      guard let stream = layout.file.source.bytes(at: layout.offsets[tile], count: layout.byteCounts[tile]) else {
        return failed.store(true, ordering: .relaxed)
      }
      var bytes = [UInt8](repeating: 0, count: stored * layout.tileRowBytes)
      let isWhole = bytes.withUnsafeMutableBufferPointer { buffer in
        stream.withUnsafeBytes { FloatRows.inflate($0, into: buffer) }
      }
      guard isWhole else { return failed.store(true, ordering: .relaxed) }
      bytes.withUnsafeMutableBufferPointer { buffer in
        line.withUnsafeMutableBufferPointer { line in
          for y in 0..<rows {
            FloatRows.unpack(
              buffer.baseAddress! + y * layout.tileRowBytes, count: count, reach: reach, into: line.baseAddress!)
            convert(
              UnsafePointer(line.baseAddress!), first: left, into: plane.base + (top + y) * plane.stride + left,
              count: min(count, plane.rowSamples - left))
          }
        }
      }
    }
    return !failed.load(ordering: .relaxed)
  }

  /// False when the file shrank meanwhile.
  private func readRows(into plane: SamplePlane, workers: Workers) -> Bool {
    let rowsPerBand = 32
    let failed = Atomic<Bool>(false)
    let bandsPerTile = (layout.tileSize.height + rowsPerBand - 1) / rowsPerBand
    let words = layout.tileSize.width * layout.samples
    workers.forEach(
      tiles: layout.tilesAcross * layout.tilesDown * bandsPerTile,
      scratch: { [UInt32](repeating: 0, count: rowsPerBand * words) }
    ) { index, band in
      let tile = index / bandsPerTile
      let first = index % bandsPerTile * rowsPerBand
      let top = tile / layout.tilesAcross * layout.tileSize.height
      let end = min(first + rowsPerBand, layout.tileSize.height, layout.size.height - top)
      if end <= first { return }
      let left = tile % layout.tilesAcross * words
      let isRead = band.withUnsafeMutableBytes { buffer in
        layout.file.source.read(
          at: layout.offsets[tile] + first * layout.tileRowBytes,
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[0..<(end - first) * layout.tileRowBytes]))
      }
      guard isRead else { return failed.store(true, ordering: .relaxed) }
      band.withUnsafeMutableBufferPointer { buffer in
        for x in 0..<(end - first) * words {
          buffer[x] = layout.file.littleEndian ? UInt32(littleEndian: buffer[x]) : UInt32(bigEndian: buffer[x])
        }
        for y in 0..<end - first {
          convert(
            UnsafePointer(buffer.baseAddress! + y * words), first: left,
            into: plane.base + (top + first + y) * plane.stride + left, count: min(words, plane.rowSamples - left))
        }
      }
    }
    return !failed.load(ordering: .relaxed)
  }

  private func convert(
    _ bits: UnsafePointer<UInt32>, first: Int, into out: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    let black = stored.black.values[0]
    let factors = stored.white.map { (Self.white - Self.black) / max($0 - black, .leastNormalMagnitude) }
    for x in 0..<count {
      let value = Float(bitPattern: bits[x])
      let counts = (value - black) * factors[(first + x) % factors.count] + Self.black + 0.5
      // What is no number is black.
      let positive = counts > 0 ? counts : 0
      out[x] = UInt16(positive < Self.white ? positive : Self.white)
    }
  }
}
