import ImageCore
import TIFFTags

/// Reads a DNG: tags always ours; photosites directly when they are not compressed or are lossless JPEG, else unpacked by
/// LibRaw.
struct DNGReader {
  let layout: DNGLayout
  let values: DNGValues
  let options: RawReadOptions

  init(_ source: ByteSource, _ options: RawReadOptions) throws(RawReadError) {
    let file: TIFFFile
    do { file = try TIFFFile(source) } catch { throw RawReadError(error) }
    layout = try DNGLayout(file, maxPixels: options.maxPixels)
    values = DNGValues(layout)
    self.options = options
  }

  var description: RawDescription {
    get throws(RawReadError) {
      RawDescription(
        kind: .dng, storedSize: layout.size, activeArea: layout.activeArea, defaultCrop: values.defaultCrop,
        cfa: try values.cfa(), levels: try levels(), bits: layout.bits, compression: layout.compressionName,
        orientation: values.orientation, pixelAspect: values.pixelAspect, facts: CaptureFacts(layout.file),
        notApplied: try values.opcodes().notApplied, statesLevels: layout.raw.contains(DNGTag.white))
    }
  }

  func read(_ path: FilePath, _ resources: Resources) throws(RawReadError) -> RawPhoto {
    let opcodes = try values.opcodes()
    if let needed = opcodes.mandatory.first {
      throw .unsupportedCodec("\(needed), which the file says no reader may leave out")
    }
    let cfa = try values.cfa()
    var levels = try levels()
    var pixels: RawPhoto.Pixels
    if let cfa {
      pixels = .mosaic(Mosaic(samples: try mosaic(path, resources), cfa: cfa, levels: levels))
    } else {
      let picture = try linear(path, resources, &levels)
      pixels = .linear(LinearPicture(samples: picture, levels: levels))
    }
    try apply(opcodes.polynomials, to: &pixels, resources.workers)
    apply(opcodes.gains, to: &pixels, resources.workers)
    var photo = RawPhoto(
      pixels: pixels, defaultCrop: values.defaultCrop, userCrop: values.userCrop, pixelAspect: values.pixelAspect,
      calibration: values.calibration, baselineExposure: values.baselineExposure, noise: values.noise,
      orientation: values.orientation, facts: CaptureFacts(layout.file))
    photo.gainTable = try values.gainTable
    return photo
  }

  /// Of the counts that are read.
  private func levels() throws(RawReadError) -> SensorLevels {
    layout.isFloat ? FloatReader.levels(planes: layout.samples) : try values.levels()
  }

  private func mosaic(_ path: FilePath, _ resources: Resources) throws(RawReadError) -> Image<UInt16> {
    guard readsDirectly else { return try unpacked(path).mosaic(layout.activeArea, pool: resources.pool) }
    var image = Image<UInt16>(uninitialized: layout.size, in: resources.pool)
    try image.withMutableRows { (rows) throws(RawReadError) in try fill(SamplePlane(rows), resources.workers) }
    return image.cropped(to: layout.activeArea)
  }

  private func linear(
    _ path: FilePath, _ resources: Resources, _ levels: inout SensorLevels
  ) throws(RawReadError) -> Image<RGB<UInt16>> {
    guard readsDirectly else {
      if layout.compression == DNGTag.compressionLossyJPEG { try takeLossyLevels(&levels) }
      return try unpacked(path).picture(layout.activeArea, pool: resources.pool)
    }
    var image = Image<RGB<UInt16>>(uninitialized: layout.size, in: resources.pool)
    try image.withMutableRows { (rows) throws(RawReadError) in try fill(SamplePlane(rows), resources.workers) }
    return image.cropped(to: layout.activeArea)
  }

  /// LibRaw maps lossy JPEG's 8 bits through the file's polynomials (OpcodeList2) to 0...65535. That is right only
  /// when the stored range is all of 8 bits.
  private func takeLossyLevels(_ levels: inout SensorLevels) throws(RawReadError) {
    let mapPolynomialList = DNGTag.opcodeLists[1]
    let fullRange = Float(UInt8.max)
    guard layout.raw.contains(mapPolynomialList), levels.black.values.allSatisfy({ $0 == 0 }),
      levels.white.allSatisfy({ $0 == fullRange })
    else { throw .unsupportedCodec("lossy JPEG DNG with levels of its own or without OpcodeList2") }
    levels = SensorLevels(
      black: BlackLevel(uniform: 0, planes: layout.samples),
      white: Array(repeating: Float(UInt16.max), count: layout.samples))
  }

  /// Whether the samples can be had without LibRaw.
  private var readsDirectly: Bool {
    switch layout.compression {
    case _ where layout.isFloat: true
    case DNGTag.compressionNone, DNGTag.compressionJPEGXL: true
    case DNGTag.compressionLosslessJPEG: CompressedReader(layout: layout).isLossless
    default: false
    }
  }

  private func fill(_ plane: SamplePlane, _ workers: Workers) throws(RawReadError) {
    if layout.isFloat {
      guard let reader = FloatReader(layout: layout, stored: try values.levels()) else {
        throw .unsupportedCodec("floating-point DNG whose black level differs from place to place")
      }
      try reader.read(into: plane, workers: workers)
    } else if layout.compression == DNGTag.compressionJPEGXL {
      try JXLTileReader(layout: layout, whites: try values.levels().white).read(into: plane, workers: workers)
    } else if layout.compression == DNGTag.compressionNone {
      guard UncompressedReader(layout: layout).read(into: plane, workers: workers) else {
        throw .damaged("the file changed while it was read")
      }
    } else {
      try CompressedReader(layout: layout).read(into: plane, workers: workers)
    }
    guard let table = values.linearization, let last = table.last else { return }
    let rowsPerBand = 64
    workers.forEachBand(of: plane.height, rowsPerBand: rowsPerBand) { band in
      for y in band {
        let row = plane.base + y * plane.stride
        for x in 0..<plane.rowSamples { row[x] = Int(row[x]) < table.count ? table[Int(row[x])] : last }
      }
    }
  }

  /// Multiplies by the file's gain maps. Counts become as fine as 16 bits allow first.
  private func apply(
    _ gains: [(map: GainMap, forColours: Bool)], to pixels: inout RawPhoto.Pixels, _ workers: Workers
  ) {
    guard !gains.isEmpty else { return }
    let size = pixels.size
    let bits = GainMapKernel.spareBits(pixels.levels)
    let levels = pixels.levels.widened(bits: bits)
    switch pixels {
    case .mosaic(let mosaic):
      var samples = mosaic.samples
      let kernels = gains.map { gain in
        gain.forColours
          ? GainMapKernel(
            gain.map, size: size, cfa: mosaic.cfa, colours: values.calibration.colours, levels: levels)
          : GainMapKernel(gain.map, size: size, samples: 1, levels: levels)
      }
      samples.withMutableRows { rows in
        GainMapKernel.widen(SamplePlane(rows), bits: bits, workers: workers)
        for kernel in kernels { kernel.apply(to: SamplePlane(rows), workers: workers) }
      }
      pixels = .mosaic(Mosaic(samples: samples, cfa: mosaic.cfa, levels: levels))
    case .linear(let picture):
      var samples = picture.samples
      let planes = layout.samples
      let kernels = gains.map { GainMapKernel($0.map, size: size, samples: planes, levels: levels) }
      samples.withMutableRows { rows in
        GainMapKernel.widen(SamplePlane(rows), bits: bits, workers: workers)
        for kernel in kernels { kernel.apply(to: SamplePlane(rows), workers: workers) }
      }
      pixels = .linear(LinearPicture(samples: samples, levels: levels))
    }
  }

  private func unpacked(_ path: FilePath) throws(RawReadError) -> LibRawDecoder {
    let decoder = try LibRawDecoder(path, byteCount: layout.file.source.byteCount, maxPixels: options.maxPixels)
    guard decoder.storedSize == layout.size else {
      throw .unsupportedCodec("LibRaw finds another picture than the tags declare (\(layout.compressionName))")
    }
    try decoder.unpack()
    return decoder
  }
}
