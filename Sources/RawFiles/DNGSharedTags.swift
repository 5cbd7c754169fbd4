import ImageCore
import TIFFTags

/// The tags of a DNG's first directory, which speak of all its pictures: version, camera, colour.
struct DNGSharedTags {
  private(set) var tags = TIFFDirectoryWriter()
  private(set) var warnings: [String] = []

  /// 1.4 is the version all readers know; 1.1 the oldest whose readers understand what is written here.
  private static let version: [UInt8] = [1, 4, 0, 0]
  private static let backwardVersion: [UInt8] = [1, 1, 0, 0]
  /// Floating-point samples came with 1.4.
  private static let floatVersion: [UInt8] = [1, 4, 0, 0]

  init(_ photo: RawPhoto, _ kind: DNGTags.SampleKind, software: String) throws(DNGWriteError) {
    tags[DNGTag.orientation] = .shorts([UInt16(photo.orientation.rawValue)])
    tags[DNGTag.software] = .text(software)
    tags[DNGTag.version] = .bytes(Self.version)
    tags[DNGTag.backwardVersion] = .bytes(kind == .counts ? Self.backwardVersion : Self.floatVersion)
    let make = photo.facts.make ?? "Unknown"
    let model = photo.facts.model ?? "Unknown"
    tags[DNGTag.make] = .text(make)
    tags[DNGTag.model] = .text(model)
    tags[DNGTag.uniqueModel] = .text(model.hasPrefix(make) ? model : "\(make) \(model)")
    tags[DNGTag.baselineExposure] = .signedRationals([photo.baselineExposure])
    try addColour(photo)
  }

  private mutating func addColour(_ photo: RawPhoto) throws(DNGWriteError) {
    let calibration = photo.calibration
    var usable = calibration.colours
    if case .mosaic(let mosaic) = photo.pixels {
      if mosaic.cfa.distinctColours == [.white] { return }  // monochrome: no colour to describe
      usable = DNGTags.planeColours(photo, mosaic.cfa)
    }
    guard !calibration.profiles.isEmpty, usable == calibration.colours else { throw .colourUnknown }
    for (index, (code, profile)) in lit(calibration.profiles).enumerated() {
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

  /// At most two profiles with lights that DNG readers know.
  ///
  /// A matrix whose light is unknown cannot be blended with another and is left out when there is another. Alone it
  /// serves every light, so that the light makes no difference; D65 is written for it, and said.
  private mutating func lit(
    _ profiles: [ColourCalibration.Profile]
  ) -> [(code: Int, profile: ColourCalibration.Profile)] {
    var known: [(code: Int, profile: ColourCalibration.Profile)] = []
    for profile in profiles {
      guard let code = Self.code(of: profile.illuminant) else { continue }
      known.append((code, profile))
      if profile.illuminant != .exif(code) {
        warnings.append("the light of a colour matrix is written as its nearest standard illuminant, number \(code)")
      }
    }
    if known.isEmpty {
      warnings.append("the light of the colour matrix is not recorded; it is written as D65")
      return [(Self.daylightD65, profiles[0])]
    }
    if known.count < profiles.count {
      warnings.append("a colour matrix whose light is not recorded is left out")
    }
    return Array(known.prefix(DNGTag.colorMatrix.count))
  }

  /// EXIF LightSource numbers, EXIF 2.32 tag 37384.
  private static let daylightD65 = 21
  private static let standardLights = [17, 24, 23, 20, 21, 22]  // A, ISO tungsten, D50, D55, D65, D75

  private static func code(of illuminant: Illuminant) -> Int? {
    switch illuminant {
    case .exif(let code): return illuminant.temperature == nil ? nil : code
    case .chromaticity(let xy):
      // McCamy 1992, "Correlated color temperature as an explicit function of chromaticity coordinates".
      let n = (xy.x - 0.3320) / (0.1858 - xy.y)
      let temperature = ((449 * n + 3525) * n + 6823.3) * n + 5520.33
      guard temperature.isFinite else { return nil }
      // Equal steps of the reciprocal look alike.
      func distance(_ code: Int) -> Double { abs(1 / (Illuminant.exif(code).temperature ?? 1) - 1 / temperature) }
      return standardLights.min { distance($0) < distance($1) }
    }
  }
}
