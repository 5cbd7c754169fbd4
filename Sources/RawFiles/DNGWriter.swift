import Glibc
public import ImageCore
import TIFFTags

/// Writes captures as DNG 1.4: 16-bit integers, in one strip or as tiles of lossless JPEG; as DNG 1.7 with JPEG XL.
public enum DNGWriter {
  /// Writes a file of its own.
  ///
  /// With a preview the first directory is the preview's and the photosites have a sub-directory, else they have the
  /// first. Bytes depend on what is given alone, not on `resources`.
  ///
  /// - Parameters:
  ///   - preview: a small picture for browsers.
  ///   - metadata: of the source; `photo.facts` win where both speak.
  ///   - fileDescriptor: an empty file that can be written anywhere; it is not closed.
  ///   - software: what the file says it was made with.
  /// - Complexity: O(samples); compressed tiles of one row of tiles are in memory at once.
  @discardableResult
  public static func write(
    _ photo: RawPhoto, preview: DNGPreview? = nil, metadata: DNGMetadata = DNGMetadata(),
    options: DNGWriteOptions = DNGWriteOptions(), to fileDescriptor: Int32, software: String,
    resources: Resources = Resources()
  ) throws(DNGWriteError) -> DNGWriteReport {
    let shared = try DNGSharedTags(photo, software: software)
    let capture = DNGCaptureTags(photo.facts, metadata)
    var main = shared.tags
    for (tag, value) in capture.carried where !main.contains(tag) { main[tag] = value }
    if options.compression == .jpegXL {
      main[DNGTag.version] = .bytes(JXLTiles.version)
      main[DNGTag.backwardVersion] = .bytes(JXLTiles.version)
    }
    if !metadata.xmp.isEmpty { main[DNGTag.xmp] = .bytes(metadata.xmp) }
    var layout = DNGFileLayout(main: main, exif: capture.exif, gps: capture.gps)
    if let preview {
      layout.addPreview(preview)
      var raw = TIFFDirectoryWriter()
      try DNGTags.raw(photo, into: &raw)
      layout.raw = raw
    } else {
      try DNGTags.raw(photo, into: &layout.main)
    }
    let samples = RawSamples(photo.pixels, options: options)
    let end = try samples.write(&layout, to: fileDescriptor, resources.workers)
    return DNGWriteReport(byteCount: end, warnings: shared.warnings + capture.warnings)
  }

  /// Writes all bytes at a place of the file.
  static func writeAll(
    _ buffer: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
  ) throws(DNGWriteError) {
    guard let base = buffer.baseAddress else { return }
    var done = 0
    while done < buffer.count {
      let written = pwrite(descriptor, base + done, buffer.count - done, off_t(offset + done))
      if written < 0 && errno == EINTR { continue }
      if written <= 0 { throw .notWritten(String(cString: strerror(written < 0 ? errno : ENOSPC))) }
      done += written
    }
  }

  static func writeAll(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws(DNGWriteError) {
    try bytes.span.bytes.withUnsafeBytes { (buffer) throws(DNGWriteError) in
      try writeAll(buffer, to: descriptor, at: offset)
    }
  }
}

/// Where directories and data of a DNG lie: directories first, then the preview, then the samples.
struct DNGFileLayout {
  var main: TIFFDirectoryWriter
  /// The photosites' own directory; `nil` when they have the first.
  var raw: TIFFDirectoryWriter?
  var exif: TIFFDirectoryWriter
  var gps: TIFFDirectoryWriter
  private(set) var previewBytes: [UInt8] = []

  /// Pixel data start on a cache line.
  private static let dataAlignment = 64

  init(main: TIFFDirectoryWriter, exif: TIFFDirectoryWriter, gps: TIFFDirectoryWriter) {
    (self.main, self.exif, self.gps) = (main, exif, gps)
  }

  mutating func addPreview(_ preview: DNGPreview) {
    preview.add(to: &main)
    previewBytes = preview.bytes
    main[DNGTag.stripOffsets] = .longs([0])
    main[DNGTag.stripByteCounts] = .longs([UInt32(previewBytes.count)])
    main[TIFFFile.subDirectoriesTag] = .longs([0])
  }

  /// Sets a tag of the directory that describes the photosites.
  mutating func setRaw(_ tag: UInt16, _ value: TIFFValue) {
    if raw != nil { raw?[tag] = value } else { main[tag] = value }
  }

  /// Places everything in front of the samples. All tags must be there already; values may still change.
  ///
  /// - Returns: where the samples start.
  mutating func place() -> Int {
    main[TIFFFile.exifTag] = .longs([0])
    if !gps.isEmpty { main[TIFFFile.gpsTag] = .longs([0]) }
    var next = TIFFDirectoryWriter.header.count + main.byteCount
    if let raw {
      main[TIFFFile.subDirectoriesTag] = .longs([UInt32(next)])
      next += raw.byteCount
    }
    main[TIFFFile.exifTag] = .longs([UInt32(next)])
    next += exif.byteCount
    if !gps.isEmpty {
      main[TIFFFile.gpsTag] = .longs([UInt32(next)])
      next += gps.byteCount
    }
    if raw != nil {
      main[DNGTag.stripOffsets] = .longs([UInt32(next)])
      next += previewBytes.count
    }
    return (next + Self.dataAlignment - 1) / Self.dataAlignment * Self.dataAlignment
  }

  /// Everything in front of the samples, which start at `end`.
  func head(until end: Int) -> [UInt8] {
    var head = TIFFDirectoryWriter.header
    head += main.serialized(at: head.count)
    if let raw { head += raw.serialized(at: head.count) }
    head += exif.serialized(at: head.count)
    if !gps.isEmpty { head += gps.serialized(at: head.count) }
    head += previewBytes
    return head + Array(repeating: 0, count: end - head.count)
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
