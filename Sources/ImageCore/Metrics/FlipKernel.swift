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

  /// Rows that filters take before they go on to the next plane: what a column of taps looks at then stays in the CPU's
  /// nearest cache.
  static let rowsAtOnce = 4
  /// Lines that are left of a row of one picture: edges, points, Y, X − Y, Y − Z.
  private static let linesKept = 5
  /// Lines between steps.
  private static let linesBetween = 6
  /// Lines that ``run(_:rows:_:into:)`` uses of the scratch.
  static let lineCount = linesBetween + 2 * rowsAtOnce * linesKept

  /// The FLIP of up to ``rowsAtOnce`` rows of a tile, one after the other; whole groups of sixteen are written.
  ///
  /// - Parameters:
  ///   - scratch: opponent planes with their halo; the border pixel goes on beyond the picture.
  ///   - take: is given a row's number; `out` then holds the row.
  func run(
    _ tile: ComparisonTile, rows: Range<Int>, _ scratch: ComparisonScratch, into out: Floats, _ take: (Int) -> Void
  ) {
    let (lines, kept) = (Array(scratch.lines[..<Self.linesBetween]), Array(scratch.lines[Self.linesBetween...]))
    let count = tile.x.count
    func place(_ y: Int) -> Int { (y - tile.y.lowerBound + ComparisonGrid.halo) * ComparisonGrid.stride }
    func line(_ side: Int, _ y: Int, _ index: Int) -> Floats {
      kept[((y - rows.lowerBound) * 2 + side) * Self.linesKept + index]
    }
    for side in 0..<2 {
      let planes = scratch.opponents[side]
      for y in rows {
        filterLuminance(
          planes[0] + place(y), count, lines, edges: line(side, y, 0), points: line(side, y, 1),
          blurred: line(side, y, 2))
      }
      for y in rows { blurRedGreen(planes[1] + place(y), count, lines[0], into: line(side, y, 3)) }
      for y in rows { blurBlueYellow(planes[2] + place(y), count, lines, into: line(side, y, 4)) }
    }
    for y in rows {
      for side in 0..<2 {
        let eye = (2..<Self.linesKept).map { line(side, y, $0) }
        see(eye, count, Array(lines[3 * side..<3 * side + 3]))
      }
      combine([line(0, y, 0), line(0, y, 1), line(1, y, 0), line(1, y, 1)], lines, count, out)
      take(y)
    }
  }

  /// How strong edges and points are, and the luminance as the eye blurs it.
  private func filterLuminance(
    _ y: Floats, _ count: Int, _ lines: [Floats], edges: Floats, points: Floats, blurred: Floats
  ) {
    let (halo, stride) = (ComparisonGrid.halo, ComparisonGrid.stride)
    let (eye, smooth, slope, bend) = (lines[0], lines[1], lines[2], lines[3])
    cv_flip_luminance_down(
      y, count + 2 * halo, stride, filters.achromatic, filters.smooth, filters.edge, filters.point, eye, smooth,
      slope,
      bend)
    cv_flip_narrow(blurred, eye + halo, count, 1, filters.achromatic)
    cv_flip_features(
      smooth + halo, slope + halo, bend + halo, count, filters.smooth, filters.edge, filters.point, edges, points)
  }

  private func blurRedGreen(_ xy: Floats, _ count: Int, _ line: Floats, into out: Floats) {
    let (halo, stride) = (ComparisonGrid.halo, ComparisonGrid.stride)
    cv_flip_narrow(line, xy, count + 2 * halo, stride, filters.redGreen)
    cv_flip_narrow(out, line + halo, count, 1, filters.redGreen)
  }

  private func blurBlueYellow(_ yz: Floats, _ count: Int, _ lines: [Floats], into out: Floats) {
    let (halo, stride) = (ComparisonGrid.halo, ComparisonGrid.stride)
    let (wide, near) = (filters.blueYellow[0], filters.blueYellow[1])
    cv_flip_blue_down(yz, count + 2 * halo, stride, wide.column, near.column, lines[0], lines[1])
    cv_flip_blue_across(out, lines[0] + halo, lines[1] + halo, count, wide.row, near.row)
  }

  /// What the eye makes of blurred colours: Lab with Hunt's adjustment.
  private func see(_ eye: [Floats], _ count: Int, _ out: [Floats]) {
    clip(eye[0], eye[1], eye[2], count)
    ColourKernel.lab(eye[0], eye[1], eye[2], count: count, out[0], out[1], out[2])
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
