import ImageCore
import TIFFTags

/// The EXIF and GPS directories of a DNG, and what else is carried over from the source.
struct DNGCaptureTags {
  private(set) var exif = TIFFDirectoryWriter()
  private(set) var gps = TIFFDirectoryWriter()
  /// Tags of the source's first directory: description, artist, copyright.
  private(set) var carried: [UInt16: TIFFValue] = [:]
  private(set) var warnings: [String] = []

  private static let exifVersion: [UInt8] = Array("0230".utf8)
  /// These speak of the source's file or, like maker notes with places inside, do not survive a move.
  private static let bound: Set<UInt16> = [
    DNGTag.componentsConfiguration, DNGTag.makerNote, DNGTag.flashpixVersion, DNGTag.exifColorSpace,
    DNGTag.pixelXDimension, DNGTag.pixelYDimension, DNGTag.interoperability,
  ]
  private static let sensitivities: [UInt16] = [
    DNGTag.iso, DNGTag.sensitivityType, DNGTag.standardOutputSensitivity, DNGTag.recommendedExposureIndex,
    DNGTag.isoSpeed,
  ]
  private static let pointers: Set<UInt16> = [TIFFFile.exifTag, TIFFFile.gpsTag, TIFFFile.subDirectoriesTag]

  /// - Parameter facts: win over what the source says: they are the picture's own after merging.
  init(_ facts: CaptureFacts, _ metadata: DNGMetadata) {
    if !metadata.exif.isEmpty {
      do { try carry(facts, TIFFFile(ByteSource(metadata.exif))) } catch {
        warnings.append("the EXIF data of the source cannot be read and are left out")
      }
    }
    if !exif.contains(DNGTag.exifVersion) { exif[DNGTag.exifVersion] = .undefined(Self.exifVersion) }
    set(DNGTag.exposureTime, facts.exposureTime.map { .rationals([$0]) })
    set(DNGTag.fNumber, facts.fNumber.map { .rationals([$0]) })
    set(DNGTag.dateTimeOriginal, facts.dateTime.map { .text($0) })
    set(DNGTag.exposureBias, facts.exposureBias.map { .signedRationals([$0]) })
    set(DNGTag.focalLength, facts.focalLength.map { .rationals([$0]) })
    set(DNGTag.lensModel, facts.lens.map { .text($0) })
    if let iso = facts.iso, !exif.contains(DNGTag.iso) { addSensitivity(iso) }
  }

  private mutating func set(_ tag: UInt16, _ value: TIFFValue?) {
    if let value { exif[tag] = value }
  }

  private mutating func carry(_ facts: CaptureFacts, _ file: TIFFFile) {
    let main = file.directories[0]
    let before = CaptureFacts(file)
    for tag in main.entries.keys where !Self.pointers.contains(tag) { carried[tag] = main.storedValue(tag) }
    if let source = file.exif(of: main) {
      for tag in source.entries.keys where !Self.bound.contains(tag) { exif[tag] = source.storedValue(tag) }
    }
    if let source = file.gps(of: main) {
      for tag in source.entries.keys { gps[tag] = source.storedValue(tag) }
    }
    // The logarithmic twins of values that are no longer the source's.
    if !Self.agree(facts.exposureTime, before.exposureTime) { exif[DNGTag.shutterSpeedValue] = nil }
    if !Self.agree(facts.fNumber, before.fNumber) { exif[DNGTag.apertureValue] = nil }
    if !Self.agree(facts.iso, before.iso) {
      for tag in Self.sensitivities { exif[tag] = nil }
    }
  }

  private static func agree(_ ours: Double?, _ source: Double?) -> Bool {
    guard let ours else { return true }
    guard let source else { return false }
    let tolerance = 1e-3
    return abs(ours - source) <= tolerance * ours
  }

  /// EXIF 2.3, annex G: above what 16 bits hold, PhotographicSensitivity is 65535 and the value stands in
  /// RecommendedExposureIndex, which SensitivityType 2 says.
  private mutating func addSensitivity(_ iso: Double) {
    let whole = max(1, iso.rounded())
    exif[DNGTag.iso] = .shorts([UInt16(min(whole, Double(UInt16.max)))])
    guard whole > Double(UInt16.max) else { return }
    let recommendedExposureIndex: UInt16 = 2
    exif[DNGTag.sensitivityType] = .shorts([recommendedExposureIndex])
    exif[DNGTag.recommendedExposureIndex] = .longs([UInt32(min(whole, Double(UInt32.max)))])
  }
}
