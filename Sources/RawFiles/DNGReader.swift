import ImageCore
import TIFFTags

/// Reads a DNG: tags always ours; photosites directly when they are not compressed, else unpacked by LibRaw.
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
        cfa: try values.cfa(), levels: try values.levels(), bits: layout.bits, compression: layout.compressionName,
        orientation: values.orientation, pixelAspect: values.pixelAspect, facts: CaptureFacts(layout.file),
        notApplied: values.notApplied)
    }
  }

  func read(_ path: FilePath, _ resources: Resources) throws(RawReadError) -> RawPhoto {
    if layout.compression == DNGTag.compressionJPEGXL {
      throw .unsupportedCodec("JPEG XL DNG, compression \(layout.compression)")
    }
    let cfa = try values.cfa()
    var levels = try values.levels()
    let pixels: RawPhoto.Pixels
    if let cfa {
      pixels = .mosaic(Mosaic(samples: try mosaic(path, resources), cfa: cfa, levels: levels))
    } else {
      let picture = try linear(path, resources, &levels)
      pixels = .linear(LinearPicture(samples: picture, levels: levels))
    }
    return RawPhoto(
      pixels: pixels, defaultCrop: values.defaultCrop, userCrop: values.userCrop, pixelAspect: values.pixelAspect,
      calibration: values.calibration, baselineExposure: values.baselineExposure, noise: values.noise,
      orientation: values.orientation, facts: CaptureFacts(layout.file))
  }

  private func mosaic(_ path: FilePath, _ resources: Resources) throws(RawReadError) -> Image<UInt16> {
    guard layout.compression == DNGTag.compressionNone else {
      return try unpacked(path).mosaic(layout.activeArea, pool: resources.pool)
    }
    var image = Image<UInt16>(uninitialized: layout.size, in: resources.pool)
    let complete = image.withMutableRows { rows in
      fill(
        SamplePlane(base: rows.base, rowSamples: rows.width, stride: rows.stride, height: rows.height),
        resources.workers)
    }
    if !complete { throw .damaged("the file changed while it was read") }
    return image.cropped(to: layout.activeArea)
  }

  private func linear(
    _ path: FilePath, _ resources: Resources, _ levels: inout SensorLevels
  ) throws(RawReadError) -> Image<RGB<UInt16>> {
    guard layout.compression == DNGTag.compressionNone else {
      if layout.compression == DNGTag.compressionLossyJPEG { try takeLossyLevels(&levels) }
      return try unpacked(path).picture(layout.activeArea, pool: resources.pool)
    }
    var image = Image<RGB<UInt16>>(uninitialized: layout.size, in: resources.pool)
    let planes = layout.samples
    let complete = image.withMutableRows { rows in
      let base = UnsafeMutableRawPointer(rows.base).assumingMemoryBound(to: UInt16.self)
      return fill(
        SamplePlane(
          base: base, rowSamples: rows.width * planes, stride: rows.stride * planes, height: rows.height),
        resources.workers)
    }
    if !complete { throw .damaged("the file changed while it was read") }
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

  private func fill(_ plane: SamplePlane, _ workers: Workers) -> Bool {
    guard UncompressedReader(layout: layout).read(into: plane, workers: workers) else { return false }
    guard let table = values.linearization, let last = table.last else { return true }
    let rowsPerBand = 64
    workers.forEachBand(of: plane.height, rowsPerBand: rowsPerBand) { band in
      for y in band {
        let row = plane.base + y * plane.stride
        for x in 0..<plane.rowSamples { row[x] = Int(row[x]) < table.count ? table[Int(row[x])] : last }
      }
    }
    return true
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

/// Reads a mosaic that has nothing but samples.
struct HeaderlessReader {
  let source: ByteSource
  let layout: HeaderlessLayout

  var description: RawDescription {
    RawDescription(
      kind: .unknown, storedSize: layout.size, activeArea: PixelRect(layout.size),
      defaultCrop: PixelRect(layout.size), cfa: layout.cfa, levels: nil, bits: layout.bits, compression: "none",
      orientation: .up, pixelAspect: 1, facts: CaptureFacts(), notApplied: [])
  }

  func read(_ options: RawReadOptions, _ resources: Resources) throws(RawReadError) -> RawPhoto {
    let (width, height) = (layout.size.width, layout.size.height)
    guard (8...16).contains(layout.bits) else { throw .headerless("\(layout.bits) bits are not in 8...16") }
    guard width >= DNGLayout.minSide, height >= DNGLayout.minSide, width <= options.maxPixels,
      height <= options.maxPixels / width
    else { throw .headerless("\(layout.size) is too small or too large") }
    let sampleBytes = layout.bits == 8 ? 1 : 2
    let expected = width * height * sampleBytes
    guard source.byteCount == expected else {
      throw .headerless(
        "\(layout.size) at \(layout.bits) bits needs \(expected) bytes, the file has \(source.byteCount)")
    }
    var image = Image<UInt16>(uninitialized: layout.size, in: resources.pool)
    let complete = image.withMutableRows { rows in
      var scratch = [UInt8](repeating: 0, count: width * sampleBytes)
      for y in 0..<height {
        let offset = y * width * sampleBytes
        let whole = scratch.withUnsafeMutableBytes { source.read(at: offset, into: $0) }
        if !whole { return false }
        let row = rows.row(y)
        for x in 0..<width {
          row[x] = sampleBytes == 1 ? UInt16(scratch[x]) : UInt16(scratch[2 * x]) | UInt16(scratch[2 * x + 1]) << 8
        }
      }
      return true
    }
    if !complete { throw .damaged("the file changed while it was read") }
    let levels = SensorLevels(black: 0, white: Float(1 << layout.bits - 1))
    return RawPhoto(pixels: .mosaic(Mosaic(samples: image, cfa: layout.cfa, levels: levels)))
  }
}
