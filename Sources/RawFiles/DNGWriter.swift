import Glibc
public import ImageCore
import TIFFTags

/// Why a DNG could not be written; one line without the file's name.
public enum DNGWriteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// DNG readers need to know how the camera's colours relate to CIE XYZ.
  case colourUnknown
  /// Classic TIFF ends at 4 GiB.
  case tooLarge
  /// The system's reason.
  case notWritten(String)

  /// One line.
  public var description: String {
    switch self {
    case .colourUnknown: "has no colour matrix, which a DNG must have"
    case .tooLarge: "needs more than the 4 GiB a DNG can hold"
    case .notWritten(let reason): "cannot be written: \(reason)"
    }
  }
}

/// Writes captures as DNG 1.4: 16-bit integers, not compressed, in one strip.
public enum DNGWriter {
  /// Pixel data start on a cache line.
  private static let dataAlignment = 64

  /// Writes to a file descriptor from its current position, which must be the start of the file.
  ///
  /// - Parameter software: what the file says it was made with.
  public static func write(
    _ photo: RawPhoto, to fileDescriptor: Int32, software: String
  ) throws(DNGWriteError) {
    let planes = photo.pixels.planes
    let size = photo.pixels.size
    let rowBytes = size.width * planes * 2
    let exif = DNGTags.exif(photo.facts)
    var main = try DNGTags.main(photo, software: software)
    main[DNGTag.stripOffsets] = .longs([0])
    main[DNGTag.stripByteCounts] = .longs([0])
    main[TIFFFile.exifTag] = .longs([0])
    let exifOffset = TIFFDirectoryWriter.header.count + main.byteCount
    let directoriesEnd = exifOffset + exif.byteCount
    let dataOffset = (directoriesEnd + dataAlignment - 1) / dataAlignment * dataAlignment
    guard let strip = UInt32(exactly: dataOffset), let bytes = UInt32(exactly: rowBytes * size.height),
      !strip.addingReportingOverflow(bytes).overflow
    else { throw .tooLarge }
    main[DNGTag.stripOffsets] = .longs([strip])
    main[DNGTag.stripByteCounts] = .longs([bytes])
    main[TIFFFile.exifTag] = .longs([UInt32(exifOffset)])
    var head = TIFFDirectoryWriter.header
    head += main.serialized(at: head.count)
    head += exif.serialized(at: exifOffset)
    head += Array(repeating: 0, count: dataOffset - head.count)
    try head.span.bytes.withUnsafeBytes { (buffer) throws(DNGWriteError) in try writeAll(buffer, to: fileDescriptor) }
    switch photo.pixels {
    case .mosaic(let mosaic): try writeRows(of: mosaic.samples, to: fileDescriptor)
    case .linear(let picture): try writeRows(of: picture.samples, to: fileDescriptor)
    }
  }

  private static func writeRows<Pixel>(of image: Image<Pixel>, to descriptor: Int32) throws(DNGWriteError) {
    try image.withRows { (rows) throws(DNGWriteError) in
      let rowBytes = rows.width * MemoryLayout<Pixel>.stride
      if rows.stride == rows.width {
        try writeAll(UnsafeRawBufferPointer(start: rows.base, count: rowBytes * rows.height), to: descriptor)
        return
      }
      for y in 0..<rows.height {
        try writeAll(UnsafeRawBufferPointer(start: rows.row(y), count: rowBytes), to: descriptor)
      }
    }
  }

  private static func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) throws(DNGWriteError) {
    guard let base = buffer.baseAddress else { return }
    var done = 0
    while done < buffer.count {
      let written = Glibc.write(descriptor, base + done, buffer.count - done)
      if written < 0 && errno == EINTR { continue }
      if written <= 0 { throw .notWritten(String(cString: strerror(errno))) }
      done += written
    }
  }
}

extension RawPhoto.Pixels {
  /// Samples a pixel.
  var planes: Int {
    switch self {
    case .mosaic: 1
    case .linear: 3
    }
  }

  var levels: SensorLevels {
    switch self {
    case .mosaic(let mosaic): mosaic.levels
    case .linear(let picture): picture.levels
    }
  }
}
