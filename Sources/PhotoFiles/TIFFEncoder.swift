internal import CTIFF
import Glibc
internal import ImageCore

/// Rows into libtiff, a strip at a time. The EXIF and GPS directories are written first, by hand: libtiff would have
/// to be told about every tag.
final class TIFFEncoder: RowEncoder {
  /// Strips are at most so long and so high: big enough for few system calls, small enough to stay in cache.
  private static let stripBytes = 1 << 20
  private static let stripRows = 64
  /// Classic TIFF has 32-bit offsets; beyond this many bytes of pixels the file is a BigTIFF.
  static let classicLimit = (4 << 30) - (64 << 20)
  private static let deflateLevel: UInt16 = 3
  private static let classicHeader = 8
  private static let bigHeader = 16

  private let stream: UnsafeMutablePointer<ctiff_stream>
  private let tiff: OpaquePointer
  private let rowBytes: Int
  private let rowsPerStrip: Int
  private let height: Int
  private var strip: [UInt8]
  private var pending = 0
  private var done = 0

  init(
    _ descriptor: Int32, _ spec: PictureSpec, classicLimit: Int = TIFFEncoder.classicLimit
  ) throws(PhotoFileError) {
    rowBytes = spec.rowBytes
    height = spec.size.height
    rowsPerStrip = min(max(1, Self.stripBytes / rowBytes), Self.stripRows, height)
    strip = []
    stream = .allocate(capacity: 1)
    stream.initialize(to: ctiff_stream())
    stream.pointee.fd = descriptor
    let big = rowBytes * height > classicLimit
    guard let tiff = ctiff_open(stream, big ? "w8" : "w", 0) else {
      let failure = Self.failure(stream)
      stream.deallocate()
      throw failure
    }
    self.tiff = tiff
    try setLayout(spec)
    try setMetadata(spec, descriptor, big)
  }

  deinit {
    TIFFCleanup(tiff)
    stream.deallocate()
  }

  func write(rows count: Int, from rows: UnsafeRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    var next = 0
    while next < count {
      let source = rows + next * bytesPerRow
      let room = min(rowsPerStrip, height - done) - pending
      let take = min(room, count - next)
      if pending == 0 && take == room && bytesPerRow == rowBytes {
        try put(source, rows: take)
      } else {
        append(source, rows: take, bytesPerRow)
        if pending == min(rowsPerStrip, height - done) {
          let filled = pending
          pending = 0
          var failure: PhotoFileError?
          strip.withUnsafeBytes { bytes in
            do throws(PhotoFileError) { try put(bytes.baseAddress!, rows: filled) } catch { failure = error }
          }
          if let failure { throw failure }
        }
      }
      next += take
    }
  }

  func finish() throws(PhotoFileError) {
    guard TIFFWriteDirectory(tiff) == 1, TIFFFlush(tiff) == 1, stream.pointee.io_errno == 0 else {
      throw Self.failure(stream)
    }
  }

  private func append(_ source: UnsafeRawPointer, rows: Int, _ bytesPerRow: Int) {
    if strip.isEmpty { strip = [UInt8](repeating: 0, count: rowsPerStrip * rowBytes) }
    strip.withUnsafeMutableBytes { bytes in
      for row in 0..<rows {
        let target = bytes.baseAddress! + (pending + row) * rowBytes
        target.copyMemory(from: source + row * bytesPerRow, byteCount: rowBytes)
      }
    }
    pending += rows
  }

  private func put(_ bytes: UnsafeRawPointer, rows: Int) throws(PhotoFileError) {
    let index = UInt32(done / rowsPerStrip)
    let count = rows * rowBytes
    guard TIFFWriteEncodedStrip(tiff, index, UnsafeMutableRawPointer(mutating: bytes), tmsize_t(count)) == count
    else {
      throw Self.failure(stream)
    }
    done += rows
  }

  private func setLayout(_ spec: PictureSpec) throws(PhotoFileError) {
    let isFloat = spec.format.sample == .float32
    let isRGB = spec.format.channels.count >= 3
    let deflate = spec.tiffCompression == .deflate
    ctiff_set_u32(tiff, UInt32(TIFFTAG_IMAGEWIDTH), UInt32(spec.size.width))
    ctiff_set_u32(tiff, UInt32(TIFFTAG_IMAGELENGTH), UInt32(spec.size.height))
    set(TIFFTAG_BITSPERSAMPLE, spec.format.sample.byteCount * 8)
    set(TIFFTAG_SAMPLESPERPIXEL, spec.format.channels.count)
    set(TIFFTAG_SAMPLEFORMAT, Int(isFloat ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT))
    set(TIFFTAG_PHOTOMETRIC, Int(isRGB ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK))
    set(TIFFTAG_PLANARCONFIG, Int(PLANARCONFIG_CONTIG))
    set(TIFFTAG_COMPRESSION, Int(deflate ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE))
    if spec.format.channels.hasAlpha { ctiff_set_extra_sample(tiff, UInt16(EXTRASAMPLE_UNASSALPHA)) }
    if deflate {
      set(TIFFTAG_PREDICTOR, Int(isFloat ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL))
      set(TIFFTAG_ZIPQUALITY, Int(Self.deflateLevel))
    }
    ctiff_set_u32(tiff, UInt32(TIFFTAG_ROWSPERSTRIP), UInt32(rowsPerStrip))
    set(TIFFTAG_ORIENTATION, Int(spec.orientation.rawValue))
    guard stream.pointee.error.0 == 0 else { throw Self.failure(stream) }
  }

  private func setMetadata(_ spec: PictureSpec, _ descriptor: Int32, _ big: Bool) throws(PhotoFileError) {
    let metadata = spec.metadata
    if !metadata.icc.isEmpty {
      ctiff_set_bytes(tiff, UInt32(TIFFTAG_ICCPROFILE), UInt32(metadata.icc.count), metadata.icc)
    }
    if !metadata.xmp.isEmpty {
      ctiff_set_bytes(tiff, UInt32(TIFFTAG_XMLPACKET), UInt32(metadata.xmp.count), metadata.xmp)
    }
    let blob = EXIFBlob(metadata.exif)
    setDescription(blob?.image ?? [])
    var offset = big ? Self.bigHeader : Self.classicHeader
    var fixed: [UInt16: Int] = [:]
    if let note = blob?.makerNote, !Self.isSelfContained(note), note.offset >= offset, note.data.count > offset {
      try writeAll(note.data, to: descriptor, at: note.offset)
      fixed[note.tag] = note.offset
      offset = note.offset + note.data.count
      offset += offset & 1
    }
    for (tag, entries) in [(TIFFTAG_EXIFIFD, blob?.exif ?? []), (TIFFTAG_GPSIFD, blob?.gps ?? [])] {
      let movable = entries.filter { fixed[$0.tag] != nil || Self.isMovable($0) }
      if movable.isEmpty { continue }
      let bytes = EXIFBlob.serialised(movable, at: offset, bigTIFF: big, fixed: fixed)
      try writeAll(bytes, to: descriptor, at: offset)
      ctiff_set_u64(tiff, UInt32(tag), UInt64(offset))
      offset += bytes.count + (bytes.count & 1)
    }
    // Strips are appended to the end of the file, which has to be even.
    if offset & 1 == 0 && ftruncate(descriptor, off_t(offset)) != 0 { throw .io(errno: errno) }
    guard stream.pointee.error.0 == 0 else { throw Self.failure(stream) }
  }

  /// Texts and resolution of IFD0.
  private func setDescription(_ entries: [EXIFBlob.Entry]) {
    let texts = [
      TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_MAKE, TIFFTAG_MODEL, TIFFTAG_SOFTWARE, TIFFTAG_DATETIME, TIFFTAG_ARTIST,
      TIFFTAG_HOSTCOMPUTER, TIFFTAG_COPYRIGHT,
    ]
    let textType: UInt16 = 2
    func word(_ entry: EXIFBlob.Entry, _ start: Int, _ count: Int) -> Int {
      entry.data[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    for entry in entries {
      let tag = Int32(entry.tag)
      if texts.contains(tag) && entry.type == textType {
        let text = entry.data.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
        ctiff_set_string(tiff, UInt32(tag), text)
      } else if [TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION].contains(tag) && entry.data.count == 8 {
        let denominator = max(1, word(entry, 4, 4))
        ctiff_set_double(tiff, UInt32(tag), Double(word(entry, 0, 4)) / Double(denominator))
      } else if tag == TIFFTAG_RESOLUTIONUNIT && entry.data.count == 2 {
        set(tag, word(entry, 0, 2))
      }
    }
  }

  /// Tags that EXIF has for JPEG alone (layout and size of the pixels) stay behind: IFD0 says both.
  private static func isMovable(_ entry: EXIFBlob.Entry) -> Bool {
    switch entry.tag {
    case EXIFBlob.Tag.interoperability, EXIFBlob.Tag.componentsConfiguration, EXIFBlob.Tag.pixelXDimension,
      EXIFBlob.Tag.pixelYDimension:
      return false
    case EXIFBlob.Tag.makerNote: return isSelfContained(entry)
    default: return true
    }
  }

  /// Maker notes hold offsets. Those of these makers count from the note's own start and survive a move; all others
  /// count from the start of the file and must lie where they lay in the EXIF block.
  private static func isSelfContained(_ note: EXIFBlob.Entry) -> Bool {
    ["Nikon\0\u{2}", "FUJIFILM", "OLYMPUS\0", "OM SYSTEM", "Apple iOS"].contains {
      note.data.starts(with: Array($0.utf8))
    }
  }

  private func set(_ tag: Int32, _ value: Int) {
    ctiff_set_u16(tiff, UInt32(tag), UInt16(value))
  }

  private static func failure(_ stream: UnsafeMutablePointer<ctiff_stream>) -> PhotoFileError {
    let code = stream.pointee.io_errno
    return code != 0 ? .io(errno: code) : .encoderFailed(.tiff, detail: textOf(stream.pointee.error))
  }
}
