import CLibRaw
import ImageCore
import TIFFTags

/// Reads a camera's own format with LibRaw.
struct VendorReader {
  let decoder: LibRawDecoder
  let kind: FileKind
  let facts: CaptureFacts

  init(
    _ path: FilePath, _ source: ByteSource, _ kind: FileKind, _ options: RawReadOptions
  ) throws(RawReadError) {
    decoder = try LibRawDecoder(path, byteCount: source.byteCount, maxPixels: options.maxPixels)
    self.kind = kind
    var facts = LibRawValues(info: decoder.info).facts
    if let file = try? TIFFFile(source) {
      let own = CaptureFacts(file)
      (facts.exposureBias, facts.isAutoBracket) = (own.exposureBias, own.isAutoBracket)
    }
    self.facts = facts
  }

  func description() throws(RawReadError) -> RawDescription {
    let values = LibRawValues(info: decoder.info)
    let info = decoder.info
    return RawDescription(
      kind: kind, storedSize: PixelSize(width: Int(info.rawWidth), height: Int(info.rawHeight)),
      activeArea: values.activeArea, defaultCrop: PixelRect(values.activeArea.size),
      cfa: values.isMosaic ? try values.cfa() : nil, levels: nil, bits: 0,
      compression: text(info.decoder) ?? "unknown",
      orientation: Orientation(libRawFlip: Int(info.flip)), pixelAspect: aspect, facts: facts, notApplied: [])
  }

  func read(_ resources: Resources) throws(RawReadError) -> RawPhoto {
    try decoder.unpack()
    let values = LibRawValues(info: decoder.info)
    let levels = try values.levels(decoder)
    let pixels: RawPhoto.Pixels
    if values.isMosaic {
      let samples = try decoder.mosaic(values.activeArea, pool: resources.pool)
      pixels = .mosaic(Mosaic(samples: samples, cfa: try values.cfa(), levels: levels))
    } else {
      let samples = try decoder.picture(values.activeArea, pool: resources.pool)
      pixels = .linear(LinearPicture(samples: samples, levels: levels))
    }
    return RawPhoto(
      pixels: pixels, pixelAspect: aspect, calibration: values.calibration,
      orientation: Orientation(libRawFlip: Int(decoder.info.flip)), facts: facts)
  }

  /// LibRaw's aspect is width over height of a pixel, as ours.
  private var aspect: Double {
    let aspect = decoder.info.pixelAspect
    return aspect.isFinite && aspect > 0 ? aspect : 1
  }
}
