internal import CTIFF
internal import ImageCore

/// How the pixels of a TIFF lie in its file.
struct TIFFLayout {
  /// The best ratio deflate reaches (RFC 1951); LZW with 12-bit codes does no better than twice that.
  private static let bestRatio = 2064

  let size: PixelSize
  let format: PixelFormat
  let isTiled: Bool
  /// Strips or tiles; strips are as wide as the picture.
  let blockWidth: Int
  let blockHeight: Int
  let blocksAcross: Int
  let blocksDown: Int
  /// 1 when the channels are interleaved, else their number.
  let planes: Int
  /// Bytes of one decoded block.
  let blockBytes: Int
  /// Uncompressed interleaved strips: the file holds the rows as they are, but perhaps for byte order.
  let isStored: Bool
  let isSwapped: Bool

  init(_ tiff: OpaquePointer) throws(PhotoFileError) {
    size = PixelSize(
      width: Int(ctiff_get_u32(tiff, UInt32(TIFFTAG_IMAGEWIDTH), 0)),
      height: Int(ctiff_get_u32(tiff, UInt32(TIFFTAG_IMAGELENGTH), 0)))
    try PictureLimits.check(size, .tiff)
    // Raw files that are TIFFs start with a preview; taking it for the picture would go unnoticed.
    guard ctiff_get_u32(tiff, UInt32(TIFFTAG_SUBFILETYPE), 0) & UInt32(FILETYPE_REDUCEDIMAGE) == 0 else {
      throw .unsupported(.tiff, found: "a reduced preview (a raw file?)", expected: "a picture")
    }
    let compression = Int32(ctiff_get_u16(tiff, UInt32(TIFFTAG_COMPRESSION), UInt16(COMPRESSION_NONE)))
    guard TIFFIsCODECConfigured(UInt16(compression)) != 0 else {
      throw .unsupported(.tiff, found: "compression \(compression)", expected: "one that libtiff knows")
    }
    format = try Self.format(tiff, compression)
    let contiguous = ctiff_get_u16(tiff, UInt32(TIFFTAG_PLANARCONFIG), 1) == UInt16(PLANARCONFIG_CONTIG)
    planes = contiguous ? 1 : format.channels.count
    isTiled = TIFFIsTiled(tiff) != 0
    if isTiled {
      blockWidth = Int(ctiff_get_u32(tiff, UInt32(TIFFTAG_TILEWIDTH), 0))
      blockHeight = Int(ctiff_get_u32(tiff, UInt32(TIFFTAG_TILELENGTH), 0))
    } else {
      blockWidth = size.width
      blockHeight = min(size.height, Int(ctiff_get_u32(tiff, UInt32(TIFFTAG_ROWSPERSTRIP), .max)))
    }
    try PictureLimits.check(PixelSize(width: blockWidth, height: blockHeight), .tiff)
    blocksAcross = (size.width + blockWidth - 1) / blockWidth
    blocksDown = (size.height + blockHeight - 1) / blockHeight
    blockBytes = blockWidth * blockHeight * (contiguous ? format.bytesPerPixel : format.sample.byteCount)
    let expected = isTiled ? Int(TIFFTileSize(tiff)) : Int(TIFFStripSize(tiff))
    guard blockBytes == expected else {
      throw .unsupported(.tiff, found: "blocks of \(expected) bytes", expected: "\(blockBytes)")
    }
    isStored = !isTiled && planes == 1 && compression == COMPRESSION_NONE
    isSwapped = TIFFIsByteSwapped(tiff) != 0
  }

  /// Throws when the strips or tiles do not lie in the file, or are too short for what they claim to hold.
  func checkPlausible(_ tiff: OpaquePointer, fileBytes: Int) throws(PhotoFileError) {
    let total = size.area * format.bytesPerPixel
    guard total / (isStored ? 1 : Self.bestRatio) <= fileBytes else {
      throw .implausibleSize(.tiff, found: size, limit: "what \(fileBytes) bytes can hold")
    }
    guard blockBytes / Self.bestRatio <= fileBytes else {
      throw .damaged(.tiff, detail: "blocks of \(blockBytes) bytes in a file of \(fileBytes)")
    }
    let expected = blocksAcross * blocksDown * planes
    let found = Int(isTiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff))
    guard found == expected else { throw .damaged(.tiff, detail: "\(found) blocks, expected \(expected)") }
  }

  private static func format(_ tiff: OpaquePointer, _ compression: Int32) throws(PhotoFileError) -> PixelFormat {
    let bits = ctiff_get_u16(tiff, UInt32(TIFFTAG_BITSPERSAMPLE), 1)
    let kind = Int32(ctiff_get_u16(tiff, UInt32(TIFFTAG_SAMPLEFORMAT), UInt16(SAMPLEFORMAT_UINT)))
    let channels = Int(ctiff_get_u16(tiff, UInt32(TIFFTAG_SAMPLESPERPIXEL), 1))
    var photometric = Int32(ctiff_get_u16(tiff, UInt32(TIFFTAG_PHOTOMETRIC), UInt16.max))
    if photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG {
      ctiff_set_u32(tiff, UInt32(TIFFTAG_JPEGCOLORMODE), UInt32(JPEGCOLORMODE_RGB))
      photometric = PHOTOMETRIC_RGB
    }
    let sample: SampleType
    switch (bits, kind) {
    case (8, SAMPLEFORMAT_UINT), (8, SAMPLEFORMAT_VOID): sample = .uint8
    case (16, SAMPLEFORMAT_UINT), (16, SAMPLEFORMAT_VOID): sample = .uint16
    case (32, SAMPLEFORMAT_IEEEFP): sample = .float32
    default:
      throw .unsupported(
        .tiff, found: "\(bits)-bit samples of format \(kind)", expected: "8 or 16-bit integers or 32-bit floats")
    }
    switch (photometric, channels) {
    case (PHOTOMETRIC_MINISBLACK, 1): return PixelFormat(.grey, sample)
    case (PHOTOMETRIC_MINISBLACK, 2): return PixelFormat(.greyAlpha, sample)
    case (PHOTOMETRIC_RGB, 3): return PixelFormat(.rgb, sample)
    case (PHOTOMETRIC_RGB, 4): return PixelFormat(.rgba, sample)
    default:
      throw .unsupported(
        .tiff, found: "\(channels) channels of photometric interpretation \(photometric)",
        expected: "grey or RGB, with or without alpha")
    }
  }
}
