internal import CTIFF
internal import ImageCore

/// Rows out of libtiff, a band of strips or tiles at a time; straight out of the file when nothing is compressed.
final class TIFFDecoder: RowDecoder {
  let size: PixelSize
  let format: PixelFormat
  let orientation: Orientation
  let iccProfile: [UInt8]
  let isRandomAccess: Bool
  let file: InputFile
  let tiff: OpaquePointer
  let layout: TIFFLayout
  private let stream: UnsafeMutablePointer<ctiff_stream>
  private var band: [UInt8] = []
  private var block: [UInt8] = []
  private var bandIndex = -1
  private var rowsRead = 0

  init(_ file: InputFile) throws(PhotoFileError) {
    self.file = file
    stream = .allocate(capacity: 1)
    stream.initialize(to: ctiff_stream())
    stream.pointee.fd = file.descriptor
    guard let tiff = ctiff_open(stream, "rm", Int64(PictureLimits.area) * 16) else {
      let failure = Self.failure(stream)
      stream.deallocate()
      throw failure
    }
    do throws(PhotoFileError) {
      layout = try TIFFLayout(tiff)
      try layout.checkPlausible(tiff, fileBytes: file.byteCount)
    } catch {
      TIFFClose(tiff)
      stream.deallocate()
      throw error
    }
    self.tiff = tiff
    size = layout.size
    format = layout.format
    orientation = Orientation(exif: Int(ctiff_get_u16(tiff, UInt32(TIFFTAG_ORIENTATION), 1))) ?? .up
    var count: UInt32 = 0
    var bytes: UnsafePointer<UInt8>?
    let found = ctiff_get_bytes(tiff, UInt32(TIFFTAG_ICCPROFILE), &count, &bytes) == 1
    iccProfile = found ? Array(UnsafeBufferPointer(start: bytes, count: Int(count))) : []
    isRandomAccess = layout.isStored
  }

  deinit {
    TIFFClose(tiff)
    stream.deallocate()
  }

  func read(rows count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    if count == 0 { return }
    if isRandomAccess {
      try read(
        PixelRect(x: 0, y: rowsRead, width: size.width, height: count), into: rows, bytesPerRow: bytesPerRow)
      rowsRead += count
      return
    }
    let rowBytes = size.width * format.bytesPerPixel
    for row in 0..<count {
      let wanted = rowsRead / layout.blockHeight
      if wanted != bandIndex { try decodeBand(wanted) }
      let start = (rowsRead - bandIndex * layout.blockHeight) * rowBytes
      band.withUnsafeBytes {
        (rows + row * bytesPerRow).copyMemory(from: $0.baseAddress! + start, byteCount: rowBytes)
      }
      rowsRead += 1
    }
  }

  func read(_ rect: PixelRect, into target: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    guard isRandomAccess else {
      throw .usage(found: "a part of a compressed picture", expected: "rows from top to bottom")
    }
    let pixel = format.bytesPerPixel
    let rowBytes = size.width * pixel
    let count = rect.width * pixel
    let joined = rect.width == size.width && bytesPerRow == rowBytes
    var y = rect.y
    while y < rect.y + rect.height {
      let strip = y / layout.blockHeight
      let offset = Int(clamping: TIFFGetStrileOffset(tiff, UInt32(strip)))
      let rows = joined ? min(rect.y + rect.height, (strip + 1) * layout.blockHeight) - y : 1
      let start = offset + (y - strip * layout.blockHeight) * rowBytes + rect.x * pixel
      let place = target + (y - rect.y) * bytesPerRow
      guard offset > 0, try file.read(rows * count, at: start, into: place) == rows * count else {
        throw .truncated(.tiff, rowsFound: y, rowsExpected: size.height)
      }
      if layout.isSwapped { swap(place, rows * count) }
      y += rows
    }
  }

  private func swap(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
    if format.sample == .uint16 {
      TIFFSwabArrayOfShort(bytes.assumingMemoryBound(to: UInt16.self), tmsize_t(count / 2))
    }
    if format.sample == .float32 {
      TIFFSwabArrayOfLong(bytes.assumingMemoryBound(to: UInt32.self), tmsize_t(count / 4))
    }
  }

  /// Decodes one row of strips or tiles into `band`, all channels interleaved.
  private func decodeBand(_ index: Int) throws(PhotoFileError) {
    let rows = min(layout.blockHeight, size.height - index * layout.blockHeight)
    if band.isEmpty {
      band = [UInt8](repeating: 0, count: size.width * format.bytesPerPixel * min(layout.blockHeight, size.height))
      block = [UInt8](repeating: 0, count: layout.blockBytes)
    }
    for plane in 0..<layout.planes {
      for column in 0..<layout.blocksAcross {
        let number = (plane * layout.blocksDown + index) * layout.blocksAcross + column
        let wanted = layout.isTiled ? layout.blockBytes : layout.blockBytes / layout.blockHeight * rows
        let got =
          layout.isTiled
          ? TIFFReadEncodedTile(tiff, UInt32(number), &block, tmsize_t(wanted))
          : TIFFReadEncodedStrip(tiff, UInt32(number), &block, tmsize_t(wanted))
        guard got == wanted, stream.pointee.error.0 == 0 else {
          if stream.pointee.error.0 != 0 { throw Self.failure(stream) }
          throw .truncated(.tiff, rowsFound: index * layout.blockHeight, rowsExpected: size.height)
        }
        spread(column: column, plane: plane, rows: rows)
      }
    }
    bandIndex = index
  }

  /// Copies the decoded block to its place in the band.
  private func spread(column: Int, plane: Int, rows: Int) {
    let sample = format.sample.byteCount
    let pixel = format.bytesPerPixel
    let left = column * layout.blockWidth
    let width = min(layout.blockWidth, size.width - left)
    let blockRow = layout.blockBytes / layout.blockHeight
    block.withUnsafeBytes { source in
      band.withUnsafeMutableBytes { target in
        for y in 0..<rows {
          let from = source.baseAddress! + y * blockRow
          let to = target.baseAddress! + (y * size.width + left) * pixel
          if layout.planes == 1 {
            to.copyMemory(from: from, byteCount: width * pixel)
          } else {
            for x in 0..<width {
              (to + x * pixel + plane * sample).copyMemory(from: from + x * sample, byteCount: sample)
            }
          }
        }
      }
    }
  }

  private static func failure(_ stream: UnsafeMutablePointer<ctiff_stream>) -> PhotoFileError {
    let code = stream.pointee.io_errno
    let text = textOf(stream.pointee.error)
    return code != 0 ? .io(errno: code) : .damaged(.tiff, detail: text.isEmpty ? "it cannot be opened" : text)
  }
}
