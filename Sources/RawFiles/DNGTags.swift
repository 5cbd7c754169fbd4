import ImageCore
import TIFFTags

/// The tags of a DNG to be written.
enum DNGTags {
  private static let bits: UInt16 = 16
  /// 1.4 is the version all readers know; 1.1 the oldest whose readers understand what is written here.
  private static let version: [UInt8] = [1, 4, 0, 0]
  private static let backwardVersion: [UInt8] = [1, 1, 0, 0]

  /// The first directory, apart from the offsets.
  static func main(_ photo: RawPhoto, software: String) throws(DNGWriteError) -> TIFFDirectoryWriter {
    let size = photo.pixels.size
    let (width, height) = (UInt32(size.width), UInt32(size.height))
    let planes = photo.pixels.planes
    var tags = TIFFDirectoryWriter()
    tags[DNGTag.newSubfileType] = .longs([0])
    tags[DNGTag.width] = .longs([width])
    tags[DNGTag.height] = .longs([height])
    tags[DNGTag.bitsPerSample] = .shorts(Array(repeating: bits, count: planes))
    tags[DNGTag.compression] = .shorts([UInt16(DNGTag.compressionNone)])
    tags[DNGTag.samplesPerPixel] = .shorts([UInt16(planes)])
    tags[DNGTag.rowsPerStrip] = .longs([height])
    tags[DNGTag.planarConfiguration] = .shorts([1])
    tags[DNGTag.orientation] = .shorts([UInt16(photo.orientation.rawValue)])
    tags[DNGTag.software] = .text(software)
    tags[DNGTag.version] = .bytes(version)
    tags[DNGTag.backwardVersion] = .bytes(backwardVersion)
    let make = photo.facts.make ?? "Unknown"
    let model = photo.facts.model ?? "Unknown"
    tags[DNGTag.make] = .text(make)
    tags[DNGTag.model] = .text(model)
    tags[DNGTag.uniqueModel] = .text(model.hasPrefix(make) ? model : "\(make) \(model)")
    tags[DNGTag.activeArea] = .longs([0, 0, height, width])
    let crop = photo.defaultCrop
    tags[DNGTag.cropOrigin] = .rationals([Double(crop.x), Double(crop.y)])
    tags[DNGTag.cropSize] = .rationals([Double(crop.width), Double(crop.height)])
    if photo.pixelAspect != 1 { tags[DNGTag.defaultScale] = .rationals([photo.pixelAspect, 1]) }
    if let user = photo.userCrop {
      tags[DNGTag.userCrop] = .rationals([user.top, user.left, user.bottom, user.right])
    }
    tags[DNGTag.baselineExposure] = .signedRationals([photo.baselineExposure])
    if let noise = photo.noise {
      tags[DNGTag.noiseProfile] = .doubles(noise.planes.flatMap { [$0.scale, $0.offset] })
    }
    addPattern(photo, to: &tags)
    addLevels(photo.pixels.levels, to: &tags)
    try addColour(photo, to: &tags)
    return tags
  }

  /// The EXIF directory.
  static func exif(_ facts: CaptureFacts) -> TIFFDirectoryWriter {
    let exifVersion: [UInt8] = Array("0230".utf8)
    var tags = TIFFDirectoryWriter()
    tags[36864] = .undefined(exifVersion)  // ExifVersion
    tags[DNGTag.exposureTime] = facts.exposureTime.map { .rationals([$0]) }
    tags[DNGTag.fNumber] = facts.fNumber.map { .rationals([$0]) }
    tags[DNGTag.iso] = facts.iso.map { .shorts([UInt16(max(0, min($0.rounded(), Double(UInt16.max))))]) }
    tags[DNGTag.dateTimeOriginal] = facts.dateTime.map { .text($0) }
    tags[DNGTag.exposureBias] = facts.exposureBias.map { .signedRationals([$0]) }
    tags[DNGTag.focalLength] = facts.focalLength.map { .rationals([$0]) }
    tags[DNGTag.lensModel] = facts.lens.map { .text($0) }
    return tags
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

  /// The matrices' order of colours when it names those of the pattern, else the pattern's own.
  private static func planeColours(_ photo: RawPhoto, _ cfa: CFAPattern) -> [CFAColour] {
    Set(photo.calibration.colours) == Set(cfa.colours) ? photo.calibration.colours : cfa.distinctColours
  }

  private static func addLevels(_ levels: SensorLevels, to tags: inout TIFFDirectoryWriter) {
    let black = levels.black
    tags[DNGTag.blackRepeat] = .shorts([UInt16(black.height), UInt16(black.width)])
    tags[DNGTag.black] = .rationals(black.values.map { Double($0) })
    if !black.columnDeltas.isEmpty {
      tags[DNGTag.blackDeltaH] = .signedRationals(black.columnDeltas.map { Double($0) })
    }
    if !black.rowDeltas.isEmpty {
      tags[DNGTag.blackDeltaV] = .signedRationals(black.rowDeltas.map { Double($0) })
    }
    tags[DNGTag.white] = .longs(levels.white.map { UInt32(max(0, min($0.rounded(), Float(UInt16.max)))) })
  }

  private static func addColour(_ photo: RawPhoto, to tags: inout TIFFDirectoryWriter) throws(DNGWriteError) {
    let calibration = photo.calibration
    var usable = calibration.colours
    if case .mosaic(let mosaic) = photo.pixels {
      if mosaic.cfa.distinctColours == [.white] { return }  // monochrome: no colour to describe
      usable = planeColours(photo, mosaic.cfa)
    }
    guard !calibration.profiles.isEmpty, usable == calibration.colours else { throw .colourUnknown }
    for (index, profile) in calibration.profiles.prefix(DNGTag.colorMatrix.count).enumerated() {
      let unknownBecomes = 21  // D65: readers refuse a matrix without a light
      var code = unknownBecomes
      if case .exif(let known) = profile.illuminant, known > 0 { code = known }
      tags[DNGTag.illuminant[index]] = .shorts([UInt16(clamping: code)])
      tags[DNGTag.colorMatrix[index]] = .signedRationals(profile.colorMatrix.values)
      tags[DNGTag.forwardMatrix[index]] = profile.forwardMatrix.map { .signedRationals($0.values) }
      tags[DNGTag.cameraCalibration[index]] = profile.cameraCalibration.map { .signedRationals($0.values) }
    }
    if !calibration.analogBalance.isEmpty { tags[DNGTag.analogBalance] = .rationals(calibration.analogBalance) }
    switch calibration.asShotWhite {
    case .neutral(let neutral): tags[DNGTag.asShotNeutral] = .rationals(neutral)
    case .chromaticity(let xy): tags[DNGTag.asShotWhiteXY] = .rationals([xy.x, xy.y])
    case .unknown: break
    }
  }
}
