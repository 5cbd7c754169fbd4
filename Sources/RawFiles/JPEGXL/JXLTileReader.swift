import CJXL
import ImageCore
import Synchronization
import TIFFTags

/// Reads JPEG XL strips and tiles (DNG 1.7, compression 52546) straight into an image's memory, tiles side by side.
struct JXLTileReader: Sendable {
  let layout: DNGLayout
  /// The white level of each plane.
  let whites: [Float]

  private static let depth = 16
  /// No camera stores more fields than a pattern has lines.
  private static let maxFields = 16

  private static let largestPadding = 1 << 24

  private enum Failure: Error {
    case damaged(String)
    case unsupported(String)
  }

  private struct Scratch {
    var bytes: [UInt8] = []
    var samples: [UInt16] = []
  }

  /// Where stored lines belong.
  private struct Fields: Sendable {
    let rows: FieldMap
    let columns: FieldMap
  }

  /// Fills the plane. Of several damaged tiles the first is named.
  func read(into plane: SamplePlane, workers: Workers) throws(RawReadError) {
    if let missing = cjxl_missing() {
      throw .codecMissing("JPEG XL DNG, compression \(layout.compression)", detail: String(cString: missing))
    }
    // Nobody pads a picture to several times its size.
    guard layout.tileSize.area <= 4 * layout.size.area + Self.largestPadding else {
      throw .damaged("its tiles of \(layout.tileSize) pixels are far larger than the picture")
    }
    let fields = try fields()
    let tiles = layout.tilesAcross * layout.tilesDown
    let first = Mutex<(tile: Int, error: Failure)?>(nil)
    workers.forEach(tiles: tiles, scratch: { Scratch() }) { tile, scratch in
      do throws(Failure) { try readTile(tile, plane, fields, &scratch) } catch {
        first.withLock { if ($0?.tile ?? tiles) > tile { $0 = (tile, error) } }
      }
    }
    guard let found = first.withLock({ $0 }) else { return }
    let place = "JPEG XL tile \(found.tile + 1) of \(tiles)"
    switch found.error {
    case .damaged(let what): throw .damaged("\(place): \(what)")
    case .unsupported(let what): throw .unsupportedCodec("\(place): \(what)")
    }
  }

  private func fields() throws(RawReadError) -> Fields {
    let rows = layout.raw.integer(DNGTag.rowInterleave) ?? 1
    let columns = layout.raw.integer(DNGTag.columnInterleave) ?? 1
    guard (1...Self.maxFields).contains(rows), (1...Self.maxFields).contains(columns) else {
      throw .damaged("its lines are interleaved \(columns)x\(rows)-fold")
    }
    return Fields(
      rows: FieldMap(layout.size.height, factor: rows), columns: FieldMap(layout.size.width, factor: columns))
  }

  private func readTile(
    _ tile: Int, _ plane: SamplePlane, _ fields: Fields, _ scratch: inout Scratch
  ) throws(Failure) {
    let count = layout.byteCounts[tile]
    if scratch.bytes.count < count { scratch.bytes = Array(repeating: 0, count: count) }
    let isThere = scratch.bytes.withUnsafeMutableBytes {
      layout.file.source.read(at: layout.offsets[tile], into: UnsafeMutableRawBufferPointer(rebasing: $0[..<count]))
    }
    guard isThere else { throw .damaged("the file changed while it was read") }
    let info = try header(scratch.bytes, count)
    let (left, top) = (
      tile % layout.tilesAcross * layout.tileSize.width, tile / layout.tilesAcross * layout.tileSize.height
    )
    let columns = min(layout.tileSize.width, layout.size.width - left)
    let rows = min(layout.tileSize.height, layout.size.height - top)
    let (width, height) = (Int(info.width), Int(info.height))
    // Some writers cut tiles at the picture's edge instead of padding them.
    guard width == layout.tileSize.width || width == columns, height == layout.tileSize.height || height == rows
    else {
      throw .damaged("it has \(width)x\(height) pixels")
    }
    let total = width * height * layout.samples
    if scratch.samples.count < total { scratch.samples = Array(repeating: 0, count: total) }
    var error = [CChar](repeating: 0, count: Int(CJXL_ERROR))
    let status = cjxl_decode(
      scratch.bytes, count, CJXL_UINT16, Int32(layout.samples), &scratch.samples, total * 2, nil, nil, &error)
    guard status == 0 else { throw .damaged(text(error)) }
    scratch.samples.withUnsafeMutableBufferPointer { samples in
      restore(samples.baseAddress!, total, bits: Int(info.bits))
    }
    let limit = 1 << layout.bits - 1
    let largest = scratch.samples.withUnsafeBufferPointer { samples in
      place(
        samples.baseAddress!, rowSamples: width * layout.samples,
        PixelRect(x: left, y: top, width: columns, height: rows),
        fields, plane)
    }
    guard largest <= limit else {
      throw .damaged("it has the sample \(largest), more than the declared \(layout.bits) bits hold")
    }
  }

  private func header(_ bytes: [UInt8], _ count: Int) throws(Failure) -> cjxl_info {
    var info = cjxl_info()
    var error = [CChar](repeating: 0, count: Int(CJXL_ERROR))
    guard cjxl_header(bytes, count, CJXL_UINT16, &info, nil, nil, &error) == 0 else { throw .damaged(text(error)) }
    guard info.exponent_bits == 0 else { throw .unsupported("floating-point samples") }
    guard (1...Int32(Self.depth)).contains(info.bits) else { throw .unsupported("\(info.bits)-bit samples") }
    guard Int(info.channels) == layout.samples else {
      throw .damaged("it has \(info.channels) channels, the DNG declares \(layout.samples)")
    }
    guard info.orientation == 1 else { throw .unsupported("turned tiles") }
    // Otherwise nothing could be as bright as the file says that white is.
    let top = Float(1 << Int(info.bits) - 1)
    if let white = whites.max(), white > top {
      throw .damaged("its \(info.bits)-bit samples never reach the white level \(Int(white))")
    }
    return info
  }

  /// libjxl scales integers to the 16 bits that are asked for; the tile's own numbers are the nearest ones.
  private func restore(_ samples: UnsafeMutablePointer<UInt16>, _ count: Int, bits: Int) {
    guard bits < Self.depth else { return }
    let full = UInt32(UInt16.max)
    let top = UInt32(1) << UInt32(bits) - 1
    for x in 0..<count { samples[x] = UInt16(truncatingIfNeeded: (UInt32(samples[x]) &* top &+ full / 2) / full) }
  }

  /// Lays a tile's visible part where its lines belong.
  ///
  /// - Returns: the largest sample.
  private func place(
    _ samples: UnsafePointer<UInt16>, rowSamples: Int, _ rect: PixelRect, _ fields: Fields, _ plane: SamplePlane
  ) -> Int {
    let planes = layout.samples
    var largest: UInt16 = 0
    for y in 0..<rect.height {
      let row = samples + y * rowSamples
      let target = plane.base + fields.rows.places[rect.y + y] * plane.stride
      for x in 0..<rect.width * planes { largest = row[x] > largest ? row[x] : largest }
      if fields.columns.isIdentity {
        (target + rect.x * planes).update(from: row, count: rect.width * planes)
      } else {
        for x in 0..<rect.width {
          let column = target + fields.columns.places[rect.x + x] * planes
          for c in 0..<planes { column[c] = row[x * planes + c] }
        }
      }
    }
    return Int(largest)
  }

  private func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
