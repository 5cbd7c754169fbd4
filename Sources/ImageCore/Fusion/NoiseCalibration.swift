import CVector

/// Measures ``NoiseSpectra`` on even surfaces that go through the very grids and domain of a fusion.
struct NoiseCalibration {
  /// Grey light in parts of what the detail frame holds.
  private static let levels: [Float] = [0.004, 0.02, 0.07, 0.2, 0.45, 0.8]
  /// Detail pixels along a patch's side, about.
  private static let side = 480
  /// Result pixels at the border that are not looked at.
  private static let border = 16
  /// Even surfaces without any noise still differ by rounding; a variance below this is taken for it (of the root's
  /// white, squared).
  private static let least: Float = 1e-9

  let geometry: FusionGeometry
  let light: FusionLight
  let lightAtWhite: Double
  let resources: Resources

  /// - Returns: `nil` when the patch does not suit the grids (never for geometries that were checked).
  init?(_ whole: FusionGeometry, light: FusionLight, lightAtWhite: Double, resources: Resources) {
    let unit = 4 * whole.denominator
    let side = max(1, Self.side / unit) * unit
    let detail = PixelSize(width: side, height: side)
    let composite = PixelSize(width: side / FusionGeometry.cluster, height: side / FusionGeometry.cluster)
    guard let geometry = FusionGeometry(patch: detail, composite, like: whole) else { return nil }
    self.geometry = geometry
    (self.light, self.lightAtWhite, self.resources) = (light, lightAtWhite, resources)
  }

  func spectra(_ source: FusionNoiseSource) -> NoiseSpectra {
    let top = min(light.white.x, light.white.y, light.white.z)
    let levels = Self.levels.map { level(top * $0, source) }
    return NoiseSpectra(levels: levels, whiteRoot: Float(lightAtWhite).squareRoot())
  }

  private func level(_ grey: Float, _ source: FusionNoiseSource) -> NoiseSpectra.Level {
    let camera = grey * light.domain.inverseBalance
    func triple(_ unit: Double) -> RGBTriple {
      RGBTriple(Double(camera.x) / unit, Double(camera.y) / unit, Double(camera.z) / unit)
    }
    let detail = source.detail(triple(lightAtWhite), geometry.detail)
    let composite = source.composite(triple(1), geometry.composite)
    let reduced = DetailReduction(geometry, light: light, resources: resources)
      .run(FusionDetail(detail, lightAtWhite: lightAtWhite))
    let compared = BlockComparison(reduced, composite, geometry, light, flow: nil, resources)
    let compositeGrey = GreyRoots.image(of: composite, light, resources)
    let unit = Float(lightAtWhite)
    let enlarged = enlarged(composite)
    let (a, b) = (detailPlanes(reduced), Self.planes(enlarged))
    return NoiseSpectra.Level(
      root: light.domain.root(grey), detail: a.map { Self.spectrum($0, Self.least * unit) },
      composite: b.map { Self.spectrum($0, Self.least * unit) },
      blocks: compared.differenceVariance(light.domain) + Self.least * unit,
      colours: BlockComparison.colourVariance(compared.detail, light.domain) + Self.least * unit,
      compositeColours: BlockComparison.colourVariance(compared.composite, light.domain),
      grey: Self.variance(reduced.grey, compositeGrey) + Self.least * unit,
      band: DetailEvidence.bandVariance(compositeGrey) + Self.least * unit,
      detailBand: DetailEvidence.bandVariance(reduced.grey), light: grey,
      enlarged: lightVariance(enlarged) + Self.least * unit * unit)
  }

  private func detailPlanes(_ reduced: ReducedDetail) -> [Image<Float>] {
    let scale = 1 / light.domain.codes
    let (r, g, b) = (reduced.planes[0], reduced.planes[1], reduced.planes[2])
    return (0..<3).map { plane in
      Image(geometry.size) { x, y in
        Self.plane(plane, Float(r[x, y]) * scale, Float(g[x, y]) * scale, Float(b[x, y]) * scale)
      }
    }
  }

  /// Roots of red, green and blue light of the enlarged composite.
  private func enlarged(_ composite: Image<RGB<Float>>) -> ColourPlanes<Float> {
    let size = geometry.size
    var roots = ColourPlanes<Float>(size, nil)
    let sampler = CompositeSampler(geometry, domain: light.domain, flow: nil)
    var patch = CompositeSampler.Patch()
    composite.withRows { rows in
      sampler.prepare(PixelRect(size), of: rows, patch: &patch)
      roots.red.withMutableRows { red in
        roots.green.withMutableRows { green in
          roots.blue.withMutableRows { blue in
            for y in 0..<size.height {
              sampler.row(y: y, patch: &patch, red: red.row(y), green: green.row(y), blue: blue.row(y))
            }
          }
        }
      }
    }
    return roots
  }

  private static func planes(_ roots: ColourPlanes<Float>) -> [Image<Float>] {
    (0..<3).map { index in
      Image(roots.red.size) { x, y in plane(index, roots.red[x, y], roots.green[x, y], roots.blue[x, y]) }
    }
  }

  /// Variances of white-balanced light.
  private func lightVariance(_ roots: ColourPlanes<Float>) -> SIMD4<Float> {
    func variance(_ plane: Image<Float>) -> Float {
      Self.variance(plane.size, border: Self.border) { x, y in Double(light.domain.light(plane[x, y])) }
    }
    return SIMD4(variance(roots.red), variance(roots.green), variance(roots.blue), 0)
  }

  /// Y, C1 or C2 of three roots.
  private static func plane(_ index: Int, _ r: Float, _ g: Float, _ b: Float) -> Float {
    switch index {
    case 0: 0.25 * r + 0.5 * g + 0.25 * b
    case 1: 0.5 * r - 0.5 * b
    default: -0.25 * r + 0.5 * g - 0.25 * b
    }
  }

  /// Mean squared coefficients of the windowed tiles of a plane less its mean, smoothed as energies are.
  private static func spectrum(_ plane: Image<Float>, _ least: Float) -> [Float] {
    let size = plane.size
    var mean = 0.0
    for y in 0..<size.height { plane.withRow(y) { row in for x in row.indices { mean += Double(row[x]) } } }
    let level = Float(mean / Double(size.area))
    var flat = plane
    flat.withMutableRows { rows in
      for y in 0..<rows.height { for x in 0..<rows.width { rows.row(y)[x] -= level } }
    }
    var sums = [Double](repeating: 0, count: DifferenceTiles.area)
    var (coefficients, means) = (
      [Float](repeating: 0, count: DifferenceTiles.area), [Float](repeating: 0, count: DifferenceTiles.area)
    )
    var scratch = [Float](repeating: 0, count: DifferenceTiles.energyScratch)
    var count = 0
    flat.withRows { rows in
      for y in stride(from: border, through: size.height - border - DifferenceTiles.side, by: 8) {
        for x in stride(from: border, through: size.width - border - DifferenceTiles.side, by: 8) {
          cv_dct16x16(rows.row(y) + x, rows.stride, DifferenceTiles.window, &coefficients)
          cv_energy16x16(coefficients, &means, &scratch)
          for index in sums.indices { sums[index] += Double(means[index]) }
          count += 1
        }
      }
    }
    return sums.map { max(least, Float($0 / Double(max(1, count)))) }
  }

  private static func variance(_ a: Image<Float>, _ b: Image<Float>) -> Float {
    let border = 4
    return variance(a.size, border: border) { x, y in Double(a[x, y] - b[x, y]) }
  }

  private static func variance(_ size: PixelSize, border: Int, _ value: (Int, Int) -> Double) -> Float {
    var (sum, squares, count) = (0.0, 0.0, 0)
    for y in border..<size.height - border {
      for x in border..<size.width - border {
        let d = value(x, y)
        sum += d
        squares += d * d
        count += 1
      }
    }
    let mean = sum / Double(count)
    return Float(max(0, squares / Double(count) - mean * mean))
  }
}

extension FusionGeometry {
  /// A small piece with the ratio of a whole, both pictures starting with a whole cluster.
  init?(patch detail: PixelSize, _ composite: PixelSize, like whole: FusionGeometry) {
    self.init(
      detail: detail, composite: composite,
      size: PixelSize(
        width: detail.width / whole.denominator * whole.numerator,
        height: detail.height / whole.denominator * whole.numerator),
      numerator: whole.numerator, denominator: whole.denominator)
  }

  private init?(
    detail: PixelSize, composite: PixelSize, size: PixelSize, numerator: Int, denominator: Int
  ) {
    guard size.width > 2 * DifferenceTiles.side else { return nil }
    (self.detail, self.composite, self.size) = (detail, composite, size)
    (self.numerator, self.denominator, originX, originY) = (numerator, denominator, 0, 0)
  }
}
