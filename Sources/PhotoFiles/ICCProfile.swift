internal import CLCMS
public import ImageCore

/// ICC profiles of the output spaces.
public enum ICCProfile {
  /// The profile of a space, the same bytes every time.
  ///
  /// - Parameters:
  ///   - linear: the stored values are linear in light, whatever the space's own transfer function is.
  ///   - grey: for pictures with one channel: the space's white and transfer function alone.
  public static func bytes(for space: OutputColourSpace, linear: Bool, grey: Bool = false) -> [UInt8] {
    let curve = toneCurve(linear ? .linear : space.transfer)
    defer { cmsFreeToneCurve(curve) }
    var white = cmsCIExyY(x: space.white.x, y: space.white.y, Y: 1)
    let profile: cmsHPROFILE?
    if grey {
      profile = cmsCreateGrayProfile(&white, curve)
    } else {
      let colours = space.primaries.map { cmsCIExyY(x: $0.x, y: $0.y, Y: 1) }
      var primaries = cmsCIExyYTRIPLE(Red: colours[0], Green: colours[1], Blue: colours[2])
      let curves: [OpaquePointer?] = [curve, curve, curve]
      profile = curves.withUnsafeBufferPointer { cmsCreateRGBProfile(&white, &primaries, $0.baseAddress) }
    }
    guard let profile else { fatalError("lcms2 cannot make the profile of \(space.rawValue)") }
    defer { cmsCloseProfile(profile) }
    describe(profile, name(of: space, linear: linear, grey: grey))
    return serialised(profile)
  }

  /// A profile of linear light in other primaries; empty when they span no colours.
  static func linear(_ primaries: RGBPrimaries, named name: String) -> [UInt8] {
    let curve = toneCurve(.linear)
    defer { cmsFreeToneCurve(curve) }
    func point(_ xy: Chromaticity) -> cmsCIExyY { cmsCIExyY(x: xy.x, y: xy.y, Y: 1) }
    var white = point(primaries.white)
    var colours = cmsCIExyYTRIPLE(
      Red: point(primaries.red), Green: point(primaries.green), Blue: point(primaries.blue))
    let curves: [OpaquePointer?] = [curve, curve, curve]
    guard let profile = curves.withUnsafeBufferPointer({ cmsCreateRGBProfile(&white, &colours, $0.baseAddress) })
    else {
      return []
    }
    defer { cmsCloseProfile(profile) }
    describe(profile, name)
    return serialised(profile)
  }

  private static func name(of space: OutputColourSpace, linear: Bool, grey: Bool) -> String {
    let base =
      switch space {
      case .sRGB: "sRGB"
      case .displayP3: "Display P3"
      case .rec2020: "Rec. 2020"
      case .proPhoto: "ProPhoto RGB"
      }
    return base + (grey ? " grey" : "") + (linear ? " linear" : "")
  }

  /// lcms2's parametric curve 4 (ICC type 3): (a x + b)^g from d on, c x below.
  private static func toneCurve(_ transfer: TransferFunction) -> OpaquePointer? {
    let linearThenPower: Int32 = 4
    let alpha = 1.09929682680944  // ITU-R BT.2020
    let beta = 0.018053968510807
    let parameters: [Double]? =
      switch transfer {
      case .sRGB: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
      case .rec2020: [1 / 0.45, 1 / alpha, (alpha - 1) / alpha, 1 / 4.5, 4.5 * beta]
      case .romm: [1.8, 1, 0, 1.0 / 16, 16.0 / 512]
      case .linear: nil
      }
    guard let parameters else { return cmsBuildGamma(nil, 1) }
    return cmsBuildParametricToneCurve(nil, linearThenPower, parameters)
  }

  private static func describe(_ profile: cmsHPROFILE, _ text: String) {
    guard let translations = cmsMLUalloc(nil, 1) else { return }
    defer { cmsMLUfree(translations) }
    cmsMLUsetASCII(translations, "en", "US", text)
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(translations))
  }

  private static func serialised(_ profile: cmsHPROFILE) -> [UInt8] {
    var count: cmsUInt32Number = 0
    cmsSaveProfileToMem(profile, nil, &count)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    cmsSaveProfileToMem(profile, &bytes, &count)
    // The header's creation date (six big-endian words at byte 24, ICC.1:2010 table 17) is "now": make it a constant.
    let dateOffset = 24
    let date: [UInt8] = [0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]  // 2024-01-01 00:00:00
    bytes.replaceSubrange(dateOffset..<dateOffset + date.count, with: date)
    return bytes
  }
}
