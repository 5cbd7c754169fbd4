import ImageCore
import TIFFTags

/// Where the samples of a DNG's main picture lie: the part of its tags that must be right before memory is taken.
struct DNGLayout: Sendable {
  let file: TIFFFile
  /// The directory of the main picture, and the first one, which holds what all pictures share.
  let raw: TIFFDirectory
  let main: TIFFDirectory
  let size: PixelSize
  let bits: Int
  let samples: Int
  let compression: Int
  let isLinear: Bool
  /// Samples are 32-bit IEEE numbers.
  let isFloat: Bool
  let activeArea: PixelRect
  /// Strips are tiles as wide as the picture.
  let tileSize: PixelSize
  let offsets: [Int]
  let byteCounts: [Int]

  /// A picture narrower than two cells of the smallest pattern is no picture.
  static let minSide = 4

  init(_ file: TIFFFile, maxPixels: Int) throws(RawReadError) {
    self.file = file
    main = file.directories[0]
    raw = try Self.mainPicture(file)
    try Self.checkTagsAreWhole(raw, byteCount: file.source.byteCount)
    guard let width = raw.integer(DNGTag.width), let height = raw.integer(DNGTag.height), width > 0, height > 0
    else { throw .damaged("the picture has no size") }
    guard width <= maxPixels, height <= maxPixels / width else {
      throw .tooLarge(width: width, height: height, limit: maxPixels)
    }
    guard width >= Self.minSide, height >= Self.minSide else {
      throw .damaged("the picture is only \(width)x\(height) pixels")
    }
    size = PixelSize(width: width, height: height)
    samples = raw.integer(DNGTag.samplesPerPixel) ?? 1
    isLinear = raw.integer(DNGTag.photometric) == DNGTag.photometricLinear
    guard samples == 1 || (isLinear && samples == 3) else {
      throw .unsupportedCodec("\(samples) samples a pixel")
    }
    let depths = raw.integers(DNGTag.bitsPerSample) ?? [1]
    guard let depth = depths.first, depths.allSatisfy({ $0 == depth }) else {
      throw .damaged("the planes differ in bits a sample")
    }
    bits = depth
    compression = raw.integer(DNGTag.compression) ?? DNGTag.compressionNone
    let format = raw.integer(DNGTag.sampleFormat) ?? DNGTag.formatUnsigned
    isFloat = format == DNGTag.formatFloat
    if isFloat {
      guard bits == 32, FloatReader.Packing(raw, compression: compression, planes: samples) != nil else {
        throw .unsupportedCodec("floating-point DNG of \(bits) bits, compression \(compression)")
      }
    } else {
      guard format == DNGTag.formatUnsigned else { throw .unsupportedCodec("signed samples") }
      guard (8...16).contains(bits) else { throw .unsupportedCodec("\(bits) bits a sample") }
    }
    activeArea = try Self.activeArea(raw, size)
    if raw.contains(DNGTag.tileOffsets) {
      tileSize = PixelSize(
        width: raw.integer(DNGTag.tileWidth) ?? 0, height: raw.integer(DNGTag.tileHeight) ?? 0)
      offsets = raw.integers(DNGTag.tileOffsets) ?? []
      byteCounts = raw.integers(DNGTag.tileByteCounts) ?? []
    } else {
      let rows = min(raw.integer(DNGTag.rowsPerStrip) ?? height, height)
      tileSize = PixelSize(width: width, height: rows)
      offsets = raw.integers(DNGTag.stripOffsets) ?? []
      let counts = raw.integers(DNGTag.stripByteCounts)
      let isOneInside = offsets.count == 1 && file.source.contains(offset: offsets[0], count: 0)
      byteCounts = counts ?? (isOneInside ? [file.source.byteCount - offsets[0]] : [])
    }
    try checkPayload()
  }

  var tilesAcross: Int { (size.width + tileSize.width - 1) / tileSize.width }
  var tilesDown: Int { (size.height + tileSize.height - 1) / tileSize.height }

  /// Bytes of one row of a tile when stored without compression; rows start on whole bytes.
  var tileRowBytes: Int { (tileSize.width * samples * bits + 7) / 8 }

  /// A tag of the picture, or the one all pictures share.
  func shared(_ tag: UInt16) -> [Double]? { raw.numbers(tag) ?? main.numbers(tag) }

  /// How the samples are packed, for people.
  var compressionName: String {
    switch compression {
    case DNGTag.compressionNone: "none"
    case DNGTag.compressionLosslessJPEG: "lossless JPEG"
    case DNGTag.compressionDeflate, DNGTag.compressionOldDeflate: "deflate"
    case DNGTag.compressionLossyJPEG: "lossy JPEG"
    case DNGTag.compressionJPEGXL: "JPEG XL"
    default: "compression \(compression)"
    }
  }

  private static func mainPicture(_ file: TIFFFile) throws(RawReadError) -> TIFFDirectory {
    let candidates = file.allDirectories.filter { directory in
      let photometric = directory.integer(DNGTag.photometric)
      return photometric == DNGTag.photometricCFA || photometric == DNGTag.photometricLinear
    }
    let full = candidates.filter { ($0.integer(DNGTag.newSubfileType) ?? 0) == 0 }
    func area(_ directory: TIFFDirectory) -> Double {
      (directory.number(DNGTag.width) ?? 0) * (directory.number(DNGTag.height) ?? 0)
    }
    guard let best = (full.isEmpty ? candidates : full).max(by: { area($0) < area($1) }) else {
      throw .damaged("the DNG holds no mosaic and no linear picture")
    }
    return best
  }

  private static func activeArea(_ raw: TIFFDirectory, _ size: PixelSize) throws(RawReadError) -> PixelRect {
    guard raw.contains(DNGTag.activeArea) else { return PixelRect(size) }
    guard let edges = raw.integers(DNGTag.activeArea), edges.count == 4, edges.allSatisfy({ $0 >= 0 }),
      edges[2] <= size.height, edges[3] <= size.width, edges[2] - edges[0] >= minSide, edges[3] - edges[1] >= minSide
    else { throw .damaged("the active area does not lie inside the picture") }
    return PixelRect(x: edges[1], y: edges[0], width: edges[3] - edges[1], height: edges[2] - edges[0])
  }

  /// Without these the pixels cannot be found or understood.
  private static let essential: [UInt16] = [
    DNGTag.bitsPerSample, DNGTag.stripOffsets, DNGTag.stripByteCounts, DNGTag.tileOffsets, DNGTag.tileByteCounts,
    DNGTag.cfaPattern, DNGTag.black, DNGTag.blackDeltaH, DNGTag.blackDeltaV, DNGTag.linearizationTable,
  ]

  private static func checkTagsAreWhole(_ raw: TIFFDirectory, byteCount: Int) throws(RawReadError) {
    for tag in essential {
      if let end = raw.missingEnd(of: tag) { throw .truncated(found: byteCount, expected: end) }
    }
  }

  private func checkPayload() throws(RawReadError) {
    let sideLimit = 1 << 24  // keeps every product below in range
    guard (1...sideLimit).contains(tileSize.width), (1...sideLimit).contains(tileSize.height) else {
      throw .damaged("its tiles have no size")
    }
    let expected = tilesAcross * tilesDown
    let planes = raw.integer(DNGTag.planarConfiguration) == 2 ? samples : 1
    guard offsets.count == expected * planes, byteCounts.count == offsets.count else {
      throw .damaged("it lists \(offsets.count) strips or tiles of \(expected)")
    }
    for (offset, count) in zip(offsets, byteCounts) {
      guard offset > 0, count > 0 else { throw .damaged("a strip or tile is empty") }
      guard file.source.contains(offset: offset, count: count) else {
        throw .truncated(found: file.source.byteCount, expected: offset.addingReportingOverflow(count).partialValue)
      }
    }
    let baselineBits = 8
    if compression == DNGTag.compressionLosslessJPEG, bits > baselineBits {
      // A sample takes one bit or more.
      let (bytes, samples) = (byteCounts.reduce(0, +), size.area * samples)
      if bytes < samples / 8 { throw .truncated(found: bytes, expected: samples / 8) }
    }
    let smallestTile = 1 << 22  // samples: no picture is too small for such a tile
    if isFloat, compression != DNGTag.compressionNone, tileSize.area > max(4 * size.area, smallestTile) {
      throw .damaged("its tiles are far larger than the picture")
    }
    if planes > 1 { throw .unsupportedCodec("planes stored one after the other") }
    guard compression == DNGTag.compressionNone else { return }
    for (index, count) in byteCounts.enumerated() {
      let isStrip = tileSize.width == size.width
      let rows = isStrip ? min(tileSize.height, size.height - index / tilesAcross * tileSize.height) : tileSize.height
      if count < rows * tileRowBytes { throw .truncated(found: count, expected: rows * tileRowBytes) }
    }
  }
}
