internal import CLCMS
public import ImageCore

extension ICCProfile {
  /// What a picture's profile says of its stored values.
  ///
  /// - Parameter bytes: the embedded profile; empty when there is none.
  /// - Returns: the encoding, and what must be said of it: without a profile, or with one that is no matrix and curves
  ///   of RGB or grey, values are taken for sRGB.
  public static func encoding(of bytes: [UInt8]) -> (encoding: ColourEncoding, note: String?) {
    if bytes.isEmpty { return (.sRGB, "has no profile and is taken for sRGB") }
    if bytes == Self.bytes(for: .sRGB, linear: false) { return (.sRGB, nil) }
    if bytes == Self.bytes(for: .sRGB, linear: true) { return (.linearSRGB, nil) }
    guard let profile = cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)) else {
      return (.sRGB, "has a damaged profile and is taken for sRGB")
    }
    defer { cmsCloseProfile(profile) }
    let name = description(of: profile)
    let found =
      switch cmsGetColorSpace(profile) {
      case cmsSigRgbData: colour(profile, name)
      case cmsSigGrayData: grey(profile, name)
      default: ColourEncoding?.none
      }
    guard let found else {
      return (.sRGB, "has the profile “\(name)”, which is no matrix and curves, and is taken for sRGB")
    }
    return (found, nil)
  }

  /// Values of a curve that are looked up: exact for 16 bits.
  private static let curveSteps = Int(UInt16.max)

  /// Red, green and blue in the profile's D50 are brought back to D65, to which pictures are compared.
  private static func colour(_ profile: cmsHPROFILE, _ name: String) -> ColourEncoding? {
    let columns = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].compactMap { tag in
      cmsReadTag(profile, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
    }
    let curves = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].compactMap { curve(profile, $0) }
    guard columns.count == 3, curves.count == 3 else { return nil }
    let toPCS = Matrix(columns.map(\.X), columns.map(\.Y), columns.map(\.Z))
    let toXYZ = ChromaticAdaptation.bradford(from: .d50, to: .d65) * toPCS
    return ColourEncoding(curves: curves, toXYZ: toXYZ, name: name)
  }

  private static func grey(_ profile: cmsHPROFILE, _ name: String) -> ColourEncoding? {
    guard let curve = curve(profile, cmsSigGrayTRCTag) else { return nil }
    return ColourEncoding(
      curves: Array(repeating: curve, count: 3), toXYZ: OutputColourSpace.sRGB.toXYZ, name: name)
  }

  private static func curve(_ profile: cmsHPROFILE, _ tag: cmsTagSignature) -> ColourEncoding.Curve? {
    guard let pointer = cmsReadTag(profile, tag) else { return nil }
    let curve = OpaquePointer(pointer)
    if cmsIsToneCurveLinear(curve) != 0 { return .linear }
    return .table(
      (0...curveSteps).map { cmsEvalToneCurveFloat(curve, Float($0) / Float(curveSteps)) })
  }

  private static func description(of profile: cmsHPROFILE) -> String {
    let length = 128
    var text = [CChar](repeating: 0, count: length)
    let count = cmsGetProfileInfoASCII(
      profile, cmsInfoDescription, "en", "US", &text, cmsUInt32Number(length))
    return count == 0
      ? "unnamed" : String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
