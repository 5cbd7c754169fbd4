internal import CLCMS
public import ImageCore

/// What an RGB or grey profile of matrix and curves says: how stored values become light, and which colours they are.
///
/// - Source: ICC.1:2010, 8.3 "Input profiles", N-component and three-component matrix-based: `linear = TRC[stored]`.
public struct ICCResponse: Sendable, Hashable {
  /// Entries of a curve: one for each 16-bit code of a picture in steps of 16; straight lines between them.
  public static let entries = 4096
  /// Light of red, green and blue (or of grey, three times) at `index / (entries - 1)` of full scale; 0...1, rising.
  public let curves: [[Float]]
  /// Light → CIE XYZ D50 (the profile's colorants, one a column); `nil` for grey profiles.
  public let toXYZ: Matrix?

  /// `nil` when the bytes are no such profile: tables, CMYK, damage.
  public init?(_ profile: [UInt8]) {
    guard !profile.isEmpty,
      let handle = profile.withUnsafeBytes({ cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count)) })
    else { return nil }
    defer { cmsCloseProfile(handle) }
    let isGrey = cmsGetColorSpace(handle) == cmsSigGrayData
    guard isGrey || (cmsGetColorSpace(handle) == cmsSigRgbData && cmsIsMatrixShaper(handle) != 0) else { return nil }
    let tags =
      isGrey
      ? [cmsSigGrayTRCTag, cmsSigGrayTRCTag, cmsSigGrayTRCTag]
      : [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
    var curves: [[Float]] = []
    for tag in tags {
      guard let curve = cmsReadTag(handle, tag) else { return nil }
      let table = (0..<Self.entries).map { index in
        cmsEvalToneCurveFloat(OpaquePointer(curve), Float(index) / Float(Self.entries - 1))
      }
      // A response that falls, or that has no light at full scale, is none.
      guard table.allSatisfy(\.isFinite), zip(table, table.dropFirst()).allSatisfy({ $0 <= $1 }),
        let full = table.last, full > 0
      else { return nil }
      curves.append(table.map { max(0, min(1, $0)) })
    }
    self.curves = curves
    toXYZ = isGrey ? nil : Self.colorants(handle)
  }

  /// Light of a stored value in parts of full scale, 0...1.
  public func light(_ stored: Double, colour: Int) -> Double {
    let place = max(0, min(1, stored)) * Double(Self.entries - 1)
    let low = min(Self.entries - 2, Int(place))
    let (a, b) = (Double(curves[colour][low]), Double(curves[colour][low + 1]))
    return a + (place - Double(low)) * (b - a)
  }

  private static func colorants(_ handle: cmsHPROFILE) -> Matrix? {
    var columns: [[Double]] = []
    for tag in [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag] {
      guard let value = cmsReadTag(handle, tag) else { return nil }
      let xyz = value.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
      columns.append([xyz.X, xyz.Y, xyz.Z])
    }
    let matrix = Matrix(columns[0], columns[1], columns[2]).transposed
    return matrix.inverse == nil ? nil : matrix
  }
}
