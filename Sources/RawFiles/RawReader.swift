public import ImageCore
public import TIFFTags

/// Reads captures: DNG with its own tag reader, everything else LibRaw knows, and mosaics without a header when told
/// their layout. Pixels that decoders make up when data are missing are errors, not pictures.
public struct RawReader: Sendable {
  /// What the user knows better than the file.
  public let options: RawReadOptions

  /// A reader with options.
  public init(options: RawReadOptions = RawReadOptions()) {
    self.options = options
  }

  /// What a file declares, without decoding pixels.
  public func describe(_ path: FilePath) throws(RawReadError) -> RawDescription {
    let source = try open(path)
    if let headerless = options.headerless { return HeaderlessReader(source: source, layout: headerless).description }
    let kind = FileSniffer.kind(of: source)
    switch kind {
    case .dng:
      return try DNGReader(source, options).description
    case .raw:
      return try VendorReader(path, source, kind, options).description()
    default: throw refusal(kind, source)
    }
  }

  /// Decodes a capture.
  public func read(_ path: FilePath, resources: Resources = Resources()) throws(RawReadError) -> RawPhoto {
    let source = try open(path)
    if let headerless = options.headerless {
      return try overridden(HeaderlessReader(source: source, layout: headerless).read(options, resources))
    }
    let kind = FileSniffer.kind(of: source)
    switch kind {
    case .dng: return try overridden(DNGReader(source, options).read(path, resources))
    case .raw: return try overridden(VendorReader(path, source, kind, options).read(resources))
    default: throw refusal(kind, source)
    }
  }

  /// A TIFF file whose tags break off may have been a capture: that it is cut off says more than that it is TIFF.
  private func refusal(_ kind: FileKind, _ source: ByteSource) -> RawReadError {
    guard kind == .tiff else { return .notRaw(found: kind) }
    do { _ = try TIFFFile(source) } catch { return RawReadError(error) }
    return .notRaw(found: kind)
  }

  private func open(_ path: FilePath) throws(RawReadError) -> ByteSource {
    do { return try ByteSource(file: path) } catch { throw RawReadError(error) }
  }

  /// Lets the user's knowledge win, then asks whether the pixels can be true.
  private func overridden(_ photo: RawPhoto) throws(RawReadError) -> RawPhoto {
    var photo = photo
    switch photo.pixels {
    case .mosaic(var mosaic):
      if let cfa = options.cfa { mosaic.cfa = cfa }
      mosaic.levels = overridden(mosaic.levels)
      try mosaic.samples.withRows { (rows) throws(RawReadError) in
        try Plausibility.check(
          rows.base, rowSamples: rows.width, stride: rows.stride, height: rows.height,
          black: mosaic.levels.black.values.min() ?? 0,
          white: mosaic.levels.white.max() ?? .infinity)
      }
      photo.pixels = .mosaic(mosaic)
    case .linear(var picture):
      picture.levels = overridden(picture.levels)
      let planes = 3
      try picture.samples.withRows { (rows) throws(RawReadError) in
        let base = UnsafeRawPointer(rows.base).assumingMemoryBound(to: UInt16.self)
        try Plausibility.check(
          base, rowSamples: rows.width * planes, stride: rows.stride * planes, height: rows.height,
          black: picture.levels.black.values.min() ?? 0,
          white: picture.levels.white.max() ?? .infinity)
      }
      photo.pixels = .linear(picture)
    }
    return photo
  }

  private func overridden(_ levels: SensorLevels) -> SensorLevels {
    var levels = levels
    if let black = options.black { levels.black = BlackLevel(uniform: black, planes: levels.black.planes) }
    if let white = options.white { levels.white = Array(repeating: white, count: levels.white.count) }
    return levels
  }
}
