import ImageCore
import TIFFTags

/// The tags that describe the stored samples of a DNG to be written.
enum DNGTags {
  /// What samples are stored as.
  enum SampleKind {
    /// 16-bit integers.
    case counts
    /// 32-bit IEEE numbers.
    case floats

    var bits: UInt16 { self == .counts ? 16 : 32 }
    /// TIFF 6.0, SampleFormat.
    var format: UInt16 { self == .counts ? 1 : 3 }
  }

  /// Tags of the directory that holds the photosites, apart from where they lie.
  static func raw(_ photo: RawPhoto, _ kind: SampleKind, into tags: inout TIFFDirectoryWriter) throws(DNGWriteError) {
    let size = photo.pixels.size
    let (width, height) = (UInt32(size.width), UInt32(size.height))
    let planes = photo.pixels.planes
    tags[DNGTag.newSubfileType] = .longs([0])
    tags[DNGTag.width] = .longs([width])
    tags[DNGTag.height] = .longs([height])
    tags[DNGTag.bitsPerSample] = .shorts(Array(repeating: kind.bits, count: planes))
    if kind == .floats { tags[DNGTag.sampleFormat] = .shorts(Array(repeating: kind.format, count: planes)) }
    tags[DNGTag.samplesPerPixel] = .shorts([UInt16(planes)])
    tags[DNGTag.planarConfiguration] = .shorts([1])
    tags[DNGTag.activeArea] = .longs([0, 0, height, width])
    let crop = photo.defaultCrop
    tags[DNGTag.cropOrigin] = .rationals([Double(crop.x), Double(crop.y)])
    tags[DNGTag.cropSize] = .rationals([Double(crop.width), Double(crop.height)])
    if photo.pixelAspect != 1 { tags[DNGTag.defaultScale] = .rationals([photo.pixelAspect, 1]) }
    if let user = photo.userCrop {
      tags[DNGTag.userCrop] = .rationals([user.top, user.left, user.bottom, user.right])
    }
    if let noise = photo.noise {
      tags[DNGTag.noiseProfile] = .doubles(noise.planes.flatMap { [$0.scale, $0.offset] })
    }
    addPattern(photo, to: &tags)
    if kind == .counts {
      try addLevels(photo.pixels.levels, height: size.height, to: &tags)
    } else {
      tags[DNGTag.white] = .shorts(Array(repeating: 1, count: planes))
    }
  }

  /// The matrices' order of colours when it names those of the pattern, else the pattern's own.
  static func planeColours(_ photo: RawPhoto, _ cfa: CFAPattern) -> [CFAColour] {
    Set(photo.calibration.colours) == Set(cfa.colours) ? photo.calibration.colours : cfa.distinctColours
  }

  private static func addPattern(_ photo: RawPhoto, to tags: inout TIFFDirectoryWriter) {
    guard case .mosaic(let mosaic) = photo.pixels, mosaic.cfa.distinctColours != [.white] else {
      tags[DNGTag.photometric] = .shorts([UInt16(DNGTag.photometricLinear)])
      return
    }
    tags[DNGTag.photometric] = .shorts([UInt16(DNGTag.photometricCFA)])
    tags[DNGTag.cfaRepeat] = .shorts([UInt16(mosaic.cfa.height), UInt16(mosaic.cfa.width)])
    tags[DNGTag.cfaPattern] = .bytes(mosaic.cfa.colours.map(\.rawValue))
    tags[DNGTag.cfaPlaneColor] = .bytes(planeColours(photo, mosaic.cfa).map(\.rawValue))
    tags[DNGTag.cfaLayout] = .shorts([1])
  }

  /// DNG 1.7: BlackLevel is unsigned, the deltas are signed, WhiteLevel is a whole number.
  private static func addLevels(
    _ levels: SensorLevels, height: Int, to tags: inout TIFFDirectoryWriter
  ) throws(DNGWriteError) {
    let black = levels.black
    let numbers = black.values + black.columnDeltas + black.rowDeltas + levels.white
    guard numbers.allSatisfy({ $0.isFinite && $0.magnitude < Float(Int32.max) }) else {
      throw .levelsUnusable("a level is no number, or beyond 31 bits")
    }
    // A negative level is written as 0 and more, brought down by the rows' deltas.
    let lift = max(0, -(black.values.min() ?? 0))
    let cell = black.values.map { Double($0) + Double(lift) }
    let isWhole = cell.allSatisfy { $0 == $0.rounded() && $0 <= Double(UInt16.max) }
    // A cell of one pixel is what readers assume; RawTherapee 5.9 overlooks the level of linear pictures when it is said.
    if black.width * black.height > 1 {
      tags[DNGTag.blackRepeat] = .shorts([UInt16(black.height), UInt16(black.width)])
    }
    tags[DNGTag.black] = isWhole ? .shorts(cell.map { UInt16($0) }) : .rationals(cell)
    if !black.columnDeltas.isEmpty {
      tags[DNGTag.blackDeltaH] = .signedRationals(black.columnDeltas.map { Double($0) })
    }
    var rowDeltas = black.rowDeltas.map { Double($0) }
    if lift > 0 {
      if rowDeltas.isEmpty { rowDeltas = Array(repeating: 0, count: height) }
      rowDeltas = rowDeltas.map { $0 - Double(lift) }
    }
    if !rowDeltas.isEmpty { tags[DNGTag.blackDeltaV] = .signedRationals(rowDeltas) }
    // Rounded down: whatever is saturated stays at or above white.
    let white = levels.white.map { $0.rounded(.down) }
    guard white.allSatisfy({ $0 >= 1 && $0 > black.mean }) else {
      throw .levelsUnusable("white \(levels.white) is not above black \(black.mean)")
    }
    let fitsShort = white.allSatisfy { $0 <= Float(UInt16.max) }
    tags[DNGTag.white] = fitsShort ? .shorts(white.map { UInt16($0) }) : .longs(white.map { UInt32($0) })
  }
}
