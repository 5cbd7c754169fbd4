internal import CVector

/// FLIP of one tile. For pictures whose light lies in 0...1; sRGB's gamut is all it sees.
struct FlipKernel: Sendable {
  typealias Floats = UnsafeMutablePointer<Float>

  private let filters = FlipFilters()
  /// X, Y, Z relative to white → linear sRGB and back, row by row.
  private let toRGB: [Float]
  private let toXYZ: [Float]
  /// The largest colour difference, of green and blue, to the power of ``colourPower``.
  private let largest: Float

  /// Section 4.1: exponent of colour differences.
  private static let colourPower: Float = 0.7
  /// Section 4.1: differences below this share of the largest …
  private static let nearShare: Float = 0.4
  /// … fill this share of the scale.
  private static let nearScale: Float = 0.95

  init() {
    let white = Chromaticity.d65.xyz
    let relative = Matrix(diagonal: white.map { 1 / $0 }) * OutputColourSpace.sRGB.toXYZ
    toXYZ = relative.values.map { Float($0) }
    toRGB = (relative.inverse ?? .identity(3)).values.map { Float($0) }
    func hunt(_ rgb: [Double]) -> LabColour {
      var lab = LabColour(linearSRGB: RGB(rgb[0], rgb[1], rgb[2]))
      lab.a *= 0.01 * lab.lightness
      lab.b *= 0.01 * lab.lightness
      return lab
    }
    let (green, blue) = (hunt([0, 1, 0]), hunt([0, 0, 1]))
    let (da, db) = (green.a - blue.a, green.b - blue.b)
    let distance = abs(green.lightness - blue.lightness) + (da * da + db * db).squareRoot()
    largest = Float(Elementary.power(distance, Double(Self.colourPower)))
  }

  /// The FLIP of one row of a tile; whole groups of sixteen are written.
  ///
  /// - Parameter scratch: opponent planes with their halo; the border pixel goes on beyond the picture.
  func run(_ tile: ComparisonTile, y: Int, _ scratch: TileScratch, into out: Floats) {
    let (features, colours) = (scratch.lines, Array(scratch.lines[8..<14]))
    let lines = Array(scratch.lines[14..<20])
    let start = (y - tile.y.lowerBound + ComparisonGrid.halo) * ComparisonGrid.stride
    for side in 0..<2 {
      let planes = scratch.opponents[side].map { $0 + start }
      filterLuminance(planes[0], tile.x.count, lines, features[2 * side], features[2 * side + 1])
      blur(planes, tile.x.count, lines, Array(colours[3 * side..<3 * side + 3]))
    }
    combine(Array(features[0..<4]), colours, tile.x.count, out)
  }

  /// How strong edges and points are, and the luminance as the eye blurs it, in the first of `lines`.
  private func filterLuminance(
    _ y: Floats, _ count: Int, _ lines: [Floats], _ edges: Floats, _ points: Floats
  ) {
    let (halo, stride) = (ComparisonGrid.halo, ComparisonGrid.stride)
    let (blurred, eye, smooth, slope, bend) = (lines[0], lines[1], lines[2], lines[3], lines[4])
    cv_flip_luminance_down(
      y, count + 2 * halo, stride, filters.achromatic, filters.smooth, filters.edge, filters.point, eye, smooth,
      slope,
      bend)
    cv_flip_narrow(blurred, eye + halo, count, 1, filters.achromatic)
    cv_flip_features(
      smooth + halo, slope + halo, bend + halo, count, filters.smooth, filters.edge, filters.point, edges, points)
  }

  /// What the eye makes of the colours: Lab with Hunt's adjustment. The first of `lines` is the blurred luminance.
  private func blur(_ planes: [Floats], _ count: Int, _ lines: [Floats], _ out: [Floats]) {
    let (halo, stride) = (ComparisonGrid.halo, ComparisonGrid.stride)
    let all = count + 2 * halo
    let (y, xy, yz, line, second) = (lines[0], lines[1], lines[2], lines[3], lines[4])
    cv_flip_narrow(line, planes[1], all, stride, filters.redGreen)
    cv_flip_narrow(xy, line + halo, count, 1, filters.redGreen)
    let (wide, near) = (filters.blueYellow[0], filters.blueYellow[1])
    cv_flip_blue_down(planes[2], all, stride, wide.column, near.column, line, second)
    cv_flip_blue_across(yz, line + halo, second + halo, count, wide.row, near.row)
    clip(y, xy, yz, count)
    ColourKernel.lab(y, xy, yz, count: count, out[0], out[1], out[2])
    let (l, a, b) = (out[0], out[1], out[2])
    for x in 0..<count {
      let hunt = 0.01 * l[x]
      a[x] *= hunt
      b[x] *= hunt
    }
  }

  /// Keeps the colours inside sRGB's gamut.
  private func clip(_ y: Floats, _ xy: Floats, _ yz: Floats, _ count: Int) {
    let (m0, m1, m2, m3, m4) = (toRGB[0], toRGB[1], toRGB[2], toRGB[3], toRGB[4])
    let (m5, m6, m7, m8) = (toRGB[5], toRGB[6], toRGB[7], toRGB[8])
    let (n0, n1, n2, n3, n4) = (toXYZ[0], toXYZ[1], toXYZ[2], toXYZ[3], toXYZ[4])
    let (n5, n6, n7, n8) = (toXYZ[5], toXYZ[6], toXYZ[7], toXYZ[8])
    for i in 0..<count {
      let (p, q, s) = (y[i] + xy[i], y[i], y[i] - yz[i])
      let r = Self.unit((m0 * p + m1 * q) + m2 * s)
      let g = Self.unit((m3 * p + m4 * q) + m5 * s)
      let b = Self.unit((m6 * p + m7 * q) + m8 * s)
      let bright = (n3 * r + n4 * g) + n5 * b
      y[i] = bright
      xy[i] = ((n0 * r + n1 * g) + n2 * b) - bright
      yz[i] = bright - ((n6 * r + n7 * g) + n8 * b)
    }
  }

  @inline(__always)
  private static func unit(_ value: Float) -> Float {
    let low: Float = value > 0 ? value : 0
    return low < 1 ? low : 1
  }

  /// Sections 4.1 to 4.3: HyAB distance, its scale, and features that amplify it.
  private func combine(_ features: [Floats], _ colours: [Floats], _ count: Int, _ out: Floats) {
    let (e1, p1, e2, p2) = (features[0], features[1], features[2], features[3])
    let (l1, a1, b1, l2, a2, b2) = (colours[0], colours[1], colours[2], colours[3], colours[4], colours[5])
    let near = Self.nearShare * largest
    let (slope, rest) = (Self.nearScale / near, (1 - Self.nearScale) / (largest - near))
    for x in 0..<count {
      let (da, db) = (a1[x] - a2[x], b1[x] - b2[x])
      let distance = abs(l1[x] - l2[x]) + LaneMath.squareRoot(da * da + db * db)
      let colour = LaneMath.power(distance, Self.colourPower)
      let scaled = colour < near ? slope * colour : Self.nearScale + (colour - near) * rest
      let (edge, point) = (abs(e1[x] - e2[x]), abs(p1[x] - p2[x]))
      let feature = LaneMath.squareRoot((edge > point ? edge : point) * 0.70710678)
      let value = LaneMath.power(scaled, 1 - feature)
      out[x] = distance > 0 ? (value < 1 ? value : 1) : 0
    }
  }
}
