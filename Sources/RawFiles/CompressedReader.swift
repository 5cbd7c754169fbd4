import ImageCore
import Synchronization
import TIFFTags

/// Reads lossless-JPEG strips and tiles straight into an image's memory, tiles side by side.
struct CompressedReader: Sendable {
  let layout: DNGLayout

  /// Whether the first tile is of the lossless process. DNG uses the same compression number for baseline JPEG.
  var isLossless: Bool {
    let headLength = min(layout.byteCounts[0], 1 << 16)
    guard let head = layout.file.source.bytes(at: layout.offsets[0], count: headLength) else { return false }
    let marker = head.withUnsafeBytes { LosslessJPEGHeader.frameMarker($0) }
    return marker == nil || marker == LosslessJPEGHeader.Marker.losslessFrame
  }

  private struct Scratch {
    var bytes: [UInt8] = []
    var decoder = LosslessJPEGDecoder.Scratch()
  }

  /// Fills the plane. Of several damaged tiles the first is named.
  func read(into plane: SamplePlane, workers: Workers) throws(RawReadError) {
    let tiles = layout.tilesAcross * layout.tilesDown
    let first = Mutex<(tile: Int, error: LosslessJPEGError)?>(nil)
    workers.forEach(tiles: tiles, scratch: { Scratch() }) { tile, scratch in
      do throws(LosslessJPEGError) { try readTile(tile, plane, &scratch) } catch {
        first.withLock { if ($0?.tile ?? tiles) > tile { $0 = (tile, error) } }
      }
    }
    guard let found = first.withLock({ $0 }) else { return }
    throw describe(found.error, in: found.tile)
  }

  private func readTile(_ tile: Int, _ plane: SamplePlane, _ scratch: inout Scratch) throws(LosslessJPEGError) {
    let count = layout.byteCounts[tile]
    if scratch.bytes.count < count { scratch.bytes = Array(repeating: 0, count: count) }
    var decoderScratch = scratch.decoder
    scratch.decoder = LosslessJPEGDecoder.Scratch()
    let left = tile % layout.tilesAcross * layout.tileSize.width * layout.samples
    let top = tile / layout.tilesAcross * layout.tileSize.height
    var failure: LosslessJPEGError?
    scratch.bytes.withUnsafeMutableBytes { buffer in
      do throws(LosslessJPEGError) {
        let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        guard layout.file.source.read(at: layout.offsets[tile], into: bytes) else { throw .endsEarly }
        try decode(UnsafeRawBufferPointer(bytes), left, top, plane, &decoderScratch)
      } catch { failure = error }
    }
    scratch.decoder = decoderScratch
    if let failure { throw failure }
  }

  /// The samples of a tile are one run in the order of the tile's rows: writers are free to fold it into other widths
  /// and numbers of components.
  private func decode(
    _ bytes: UnsafeRawBufferPointer, _ left: Int, _ top: Int, _ plane: SamplePlane,
    _ scratch: inout LosslessJPEGDecoder.Scratch
  ) throws(LosslessJPEGError) {
    let decoder = try LosslessJPEGDecoder(bytes, isBeforeDNG11: isBeforeDNG11)
    let header = decoder.header
    let frameRow = header.width * header.components
    let visible = min(layout.tileSize.width * layout.samples, plane.rowSamples - left)
    let rows = min(layout.tileSize.height, plane.height - top)
    // Some writers cut tiles at the picture's edge instead of padding them.
    let tileRow = frameRow == visible ? visible : layout.tileSize.width * layout.samples
    let needed = (rows - 1) * tileRow + visible
    guard frameRow * header.height >= needed else {
      throw .damaged("it has \(header.width)x\(header.height) pixels of \(header.components) components")
    }
    let target = plane.base + top * plane.stride + left
    var (x, y) = (0, 0)
    try decoder.decode(bytes, rows: (needed + frameRow - 1) / frameRow, &scratch) { _, line in
      var done = 0
      while done < frameRow && y < rows {
        let run = min(frameRow - done, tileRow - x)
        if x < visible { (target + y * plane.stride + x).update(from: line + done, count: min(run, visible - x)) }
        done += run
        x += run
        if x == tileRow { (x, y) = (0, y + 1) }
      }
    }
  }

  /// Writers of DNG 1.0 put 16 bits after category 16, which the standard does not.
  private var isBeforeDNG11: Bool {
    guard let version = layout.main.bytes(DNGTag.version), version.count == 4 else { return false }
    return version[0] == 1 && version[1] == 0
  }

  private func describe(_ error: LosslessJPEGError, in tile: Int) -> RawReadError {
    let top = tile / layout.tilesAcross * layout.tileSize.height
    let left = tile % layout.tilesAcross * layout.tileSize.width
    let all = layout.tilesAcross * layout.tilesDown
    let place = "tile \(tile + 1) of \(all), from column \(left) and row \(top) on"
    return switch error {
    case .otherProcess(let marker): .unsupportedCodec("JPEG process SOF\(marker & 0x0F) in \(place)")
    case .damaged(let what): .damaged("\(place): \(what)")
    case .endsEarly: .damaged("\(place): its compressed data end early")
    }
  }
}
