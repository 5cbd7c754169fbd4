import CLibRaw
import ImageCore
import TIFFTags

/// One file opened with LibRaw. Not shared between threads.
final class LibRawDecoder {
  private let reader: OpaquePointer
  private(set) var info = clibraw_info()
  /// Memory LibRaw may take for the photosites of a picture of ordinary size, megabytes.
  private static let memoryLimit: UInt32 = 8192
  /// No codec of a camera needs less than this many pixels a byte; a file that claims more is cut off.
  private static let maxPixelsPerByte = 32

  init(_ path: FilePath, byteCount: Int, maxPixels: Int) throws(RawReadError) {
    guard let made = clibraw_new(Self.memoryLimit) else { throw .unreadable("out of memory") }
    reader = made
    let code = path.withCString { clibraw_open(made, $0) }
    try Self.check(code)
    clibraw_get_info(reader, &info)
    let (width, height) = (Int(info.rawWidth), Int(info.rawHeight))
    guard width >= DNGLayout.minSide, height >= DNGLayout.minSide else {
      throw .damaged("the picture is only \(width)x\(height) pixels")
    }
    guard width * height <= maxPixels else { throw .tooLarge(width: width, height: height, limit: maxPixels) }
    guard width * height <= byteCount * Self.maxPixelsPerByte else {
      throw .truncated(found: byteCount, expected: width * height / Self.maxPixelsPerByte)
    }
  }

  deinit { clibraw_free(reader) }

  /// All photosites the file stores.
  var storedSize: PixelSize { PixelSize(width: Int(info.rawWidth), height: Int(info.rawHeight)) }

  /// Unpacks the photosites.
  func unpack() throws(RawReadError) {
    try Self.check(clibraw_unpack(reader))
    let errors = clibraw_data_errors(reader)
    guard errors == 0 else { throw .damaged("its data break off or contradict themselves") }
    clibraw_get_info(reader, &info)
    guard info.fujiWidth == 0 else { throw .unsupportedCodec("Fujifilm SuperCCD, rotated by 45 degrees") }
  }

  /// The part of the unpacked data that is asked for, as one sample a pixel.
  func mosaic(_ rect: PixelRect, pool: MemoryPool?) throws(RawReadError) -> Image<UInt16> {
    let plane = try plane(channels: 1...1, rect)
    var image = Image<UInt16>(uninitialized: rect.size, in: pool)
    image.withMutableRows { rows in
      for y in 0..<rect.height {
        rows.row(y).update(from: plane.row(rect.y + y) + rect.x, count: rect.width)
      }
    }
    return image
  }

  /// The part of the unpacked data that is asked for, as three samples a pixel.
  func picture(_ rect: PixelRect, pool: MemoryPool?) throws(RawReadError) -> Image<RGB<UInt16>> {
    let plane = try plane(channels: 3...4, rect)
    var image = Image<RGB<UInt16>>(uninitialized: rect.size, in: pool)
    image.withMutableRows { rows in
      for y in 0..<rect.height {
        let source = plane.row(rect.y + y) + rect.x * plane.channels
        let target = rows.row(y)
        for x in 0..<rect.width {
          let pixel = source + x * plane.channels
          target[x] = RGB(pixel[0], pixel[1], pixel[2])
        }
      }
    }
    return image
  }

  /// The repeating part of the black level.
  func blackCell(row: Int, column: Int) -> Float {
    Float(clibraw_black_cell(reader, UInt32(row), UInt32(column)))
  }

  private struct Plane {
    let samples: UnsafePointer<UInt16>
    let channels: Int
    let stride: Int

    func row(_ y: Int) -> UnsafePointer<UInt16> { samples + y * stride }
  }

  private func plane(channels: ClosedRange<Int>, _ rect: PixelRect) throws(RawReadError) -> Plane {
    var plane = clibraw_plane()
    clibraw_get_plane(reader, &plane)
    guard let samples = plane.samples, channels.contains(Int(plane.channels)) else {
      throw .unsupportedCodec("what LibRaw unpacks here has \(plane.channels) samples a pixel")
    }
    guard rect.x >= 0, rect.y >= 0, !rect.isEmpty, PixelRect(storedSize).contains(rect) else {
      throw .damaged("the active area does not lie inside the picture")
    }
    return Plane(samples: samples, channels: Int(plane.channels), stride: Int(plane.rowBytes) / 2)
  }

  private static func check(_ code: Int32) throws(RawReadError) {
    guard code != 0 else { return }
    let text = String(cString: clibraw_error_text(code))
    throw clibraw_error_is_unsupported(code) != 0
      ? .unsupportedCodec("LibRaw says: \(text)") : .damaged("LibRaw says: \(text)")
  }
}

/// The text of a C array of characters, up to its terminator.
func text<Tuple>(_ tuple: Tuple) -> String? {
  let result = withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  return result.isEmpty ? nil : result
}
