internal import CHEIF
internal import ImageCore

/// Rows out of libheif. The picture is decoded whole at the first row, upright: HEIF's own rotation, mirroring and
/// cropping are done, its EXIF orientation does not count (ISO/IEC 23008-12).
final class HEIFDecoder: RowDecoder {
  let size: PixelSize
  let format: PixelFormat
  let orientation = Orientation.up
  let iccProfile: [UInt8]
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let heif: OpaquePointer
  private let bits: Int
  private var whole: (rows: UnsafePointer<UInt8>, stride: Int)?
  private var rowsRead = 0

  init(_ file: InputFile, _ workers: Workers) throws(PhotoFileError) {
    if let missing = cheif_missing(0) { throw .codecMissing(.heif, detail: String(cString: missing)) }
    let contents = try file.firstBytes(file.byteCount)
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, contents.count))
    _ = bytes.update(from: contents)
    let header: Header
    do throws(PhotoFileError) {
      header = try Self.openInSpiteOfMetadata(contents, bytes, workers)
    } catch {
      bytes.deallocate()
      throw error
    }
    let info = header.info
    (heif, self.bytes, bits) = (header.heif, bytes, Int(info.bits))
    size = PixelSize(width: Int(info.width), height: Int(info.height))
    format = PixelFormat(info.channels == 4 ? .rgba : .rgb, info.bits > 8 ? .uint16 : .uint8)
    iccProfile =
      header.icc.isEmpty
      ? ICCProfile.bytes(for: HEIFColour.space(primaries: info.primaries), linear: false) : header.icc
  }

  private struct Header {
    let heif: OpaquePointer
    let info: cheif_info
    let icc: [UInt8]
  }

  /// A file whose EXIF or XMP item cannot be had is opened without them: the picture is there.
  private static func openInSpiteOfMetadata(
    _ contents: [UInt8], _ bytes: UnsafeMutableBufferPointer<UInt8>, _ workers: Workers
  ) throws(PhotoFileError) -> Header {
    do throws(PhotoFileError) {
      return try open(bytes, contents.count, workers)
    } catch {
      guard case .damaged = error, let rest = HEIFItems.hidingMetadata(in: contents) else { throw error }
      _ = bytes.update(from: rest)
      guard let header = try? open(bytes, rest.count, workers) else { throw error }
      return header
    }
  }

  private static func open(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ count: Int, _ workers: Workers
  ) throws(PhotoFileError) -> Header {
    guard let heif = cheif_open() else { throw .damaged(.heif, detail: "out of memory") }
    var info = cheif_info()
    var icc: UnsafePointer<UInt8>?
    var iccCount = 0
    do throws(PhotoFileError) {
      try check(
        cheif_read_header(heif, bytes.baseAddress, count, Int32(workers.count), &info, &icc, &iccCount), heif)
      try PictureLimits.check(PixelSize(width: Int(info.width), height: Int(info.height)), .heif)
      if iccCount == 0, HEIFColour.highDynamicRange.contains(info.transfer) {
        throw .unsupported(.heif, found: "a PQ or HLG picture", expected: "one that white is the brightest of")
      }
    } catch {
      cheif_close(heif)
      throw error
    }
    return Header(heif: heif, info: info, icc: Array(UnsafeBufferPointer(start: icc, count: iccCount)))
  }

  deinit {
    cheif_close(heif)
    bytes.deallocate()
  }

  func read(rows count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    if whole == nil {
      var pointer: UnsafePointer<UInt8>?
      var stride = 0
      try Self.check(cheif_read_rows(heif, &pointer, &stride), heif)
      whole = pointer.map { ($0, stride) }
    }
    guard let whole else { return }
    let samples = size.width * format.channels.count
    for row in 0..<count {
      let source = UnsafeRawPointer(whole.rows + (rowsRead + row) * whole.stride)
      let target = rows + row * bytesPerRow
      guard format.sample == .uint16 else {
        target.copyMemory(from: source, byteCount: samples)
        continue
      }
      // All of the 16 bits are used: the largest code becomes the largest sample.
      let (top, full) = (UInt32(1) << UInt32(bits) - 1, UInt32(UInt16.max))
      let codes = source.assumingMemoryBound(to: UInt16.self)
      let words = target.assumingMemoryBound(to: UInt16.self)
      for x in 0..<samples {
        words[x] = UInt16(truncatingIfNeeded: (UInt32(UInt16(littleEndian: codes[x])) &* full &+ top / 2) / top)
      }
    }
    rowsRead += count
  }

  private static func check(_ status: Int32, _ heif: OpaquePointer) throws(PhotoFileError) {
    guard status != 0 else { return }
    let detail = String(cString: cheif_error(heif))
    throw status == 1
      ? .unsupported(.heif, found: detail, expected: "an HEVC picture") : .damaged(.heif, detail: detail)
  }
}
