import ImageCore
import TIFFTags

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
