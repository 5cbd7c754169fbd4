import Glibc
import ImageCore
import PhotoFiles

/// A file that goes away with its owner.
final class ScratchFile {
  let path: [UInt8]
  let descriptor: Int32

  init(_ bytes: [UInt8] = []) {
    var template = Array("/tmp/photofiles-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    path = template.dropLast().map { UInt8(bitPattern: $0) }
    precondition(descriptor >= 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }

  deinit {
    close(descriptor)
    unlink(String(decoding: path, as: UTF8.self))
  }

  var contents: [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: count)
    precondition(pread(descriptor, &bytes, count, 0) == count)
    return bytes
  }
}

/// Bytes of a picture that are neither constant nor noise, every sample finite.
func testPixels(_ size: PixelSize, _ format: PixelFormat) -> [UInt8] {
  var bytes: [UInt8] = []
  for y in 0..<size.height {
    for x in 0..<size.width {
      for c in 0..<format.channels.count {
        let value = x * 977 + y * 3301 + c * 20011
        switch format.sample {
        case .uint8: bytes.append(UInt8(truncatingIfNeeded: value / 7))
        case .uint16: withUnsafeBytes(of: UInt16(truncatingIfNeeded: value)) { bytes += $0 }
        case .float32: withUnsafeBytes(of: Float(value) / 65_536) { bytes += $0 }
        }
      }
    }
  }
  return bytes
}

/// Writes `pixels` in pieces of `piece` rows.
@discardableResult
func write(_ pixels: [UInt8], _ spec: PictureSpec, piece: Int = 5, to file: ScratchFile = ScratchFile()) throws
  -> ScratchFile
{
  let writer = try PictureWriter(fileDescriptor: file.descriptor, spec: spec)
  let rowBytes = spec.size.width * spec.format.bytesPerPixel
  try pixels.withUnsafeBytes { bytes in
    for y in stride(from: 0, to: spec.size.height, by: piece) {
      try writer.write(
        rows: min(piece, spec.size.height - y), from: bytes.baseAddress! + y * rowBytes, bytesPerRow: rowBytes)
    }
  }
  try writer.finish()
  return file
}

/// All pixels, read in pieces of `piece` rows.
func readAll(_ path: [UInt8], piece: Int = 7) throws -> (reader: PictureReader, pixels: [UInt8]) {
  let reader = try PictureReader(path: path)
  let rowBytes = reader.size.width * reader.format.bytesPerPixel
  var pixels = [UInt8](repeating: 0, count: rowBytes * reader.size.height)
  try pixels.withUnsafeMutableBytes { bytes in
    for y in stride(from: 0, to: reader.size.height, by: piece) {
      try reader.read(
        rows: min(piece, reader.size.height - y), into: bytes.baseAddress! + y * rowBytes, bytesPerRow: rowBytes)
    }
  }
  return (reader, pixels)
}

/// All pixels of a file that is kept until they are read.
func readAll(_ file: ScratchFile) throws -> (reader: PictureReader, pixels: [UInt8]) {
  defer { withExtendedLifetime(file) {} }
  return try readAll(file.path)
}

/// The reader of a file that may go once it is open.
func reader(of file: ScratchFile) throws -> PictureReader {
  defer { withExtendedLifetime(file) {} }
  return try PictureReader(path: file.path)
}

extension PictureContainer {
  /// Those whose EXIF, XMP and ICC blocks come back as they are.
  static let withMetadata: [PictureContainer] = [.jpeg, .tiff, .png, .heif, .jxl]

  /// RGB in the smallest samples that the container holds.
  var smallFormat: PixelFormat { PixelFormat(.rgb, self == .exr ? .float32 : .uint8) }
}

extension PictureMetadata {
  /// As the library reads it back, for a picture that is upright.
  static func read(_ file: ScratchFile, for size: PixelSize) -> (metadata: PictureMetadata, warning: String?) {
    defer { withExtendedLifetime(file) {} }
    return read(fromFile: file.path, for: size, orientation: .up)
  }
}
