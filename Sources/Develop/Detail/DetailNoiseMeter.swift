import ImageCore

/// Measures what noise is left in each band of ``DetailFinisher`` by sending noise of the known kind through the very
/// demosaic and colour transform that will be used: a flat neutral patch at three levels of light.
///
/// No formula would know what a trained demosaic makes of noise.
struct DetailNoiseMeter {
  /// Light of the patches, parts of white: deep shadow, shadow, and near the middle.
  private static let lights = [0.004, 0.05, 0.4]
  /// Columns and rows measured.
  private static let side = 128
  /// Columns and rows of a patch: what is measured, its halo, and room for an odd start.
  static let patchSide = side + 2 * DetailDepth.full.halo + 2

  /// Noise of `photo` after `renderer`; nothing but rounding when its profile is unknown.
  ///
  /// - Parameters:
  ///   - multipliers: white balance, one a plane of red, green, blue.
  ///   - renderer: the way of a photo like this one to scene light.
  static func noise(
    of photo: RawPhoto, multipliers: [CFAColour: Double], renderer: (RawPhoto) -> SceneRenderer
  ) -> DetailNoise {
    guard let profile = photo.noise else { return DetailNoise() }
    var texture = NoiseTexture.white
    if case .linear(let picture) = photo.pixels { texture = NoiseTexture(of: picture, profile) }
    let readings = lights.enumerated().map { index, light in
      let patch = patch(like: photo, profile, texture, multipliers, light: light, seed: UInt64(index))
      return reading(renderer(patch), light: light)
    }
    return DetailNoise(readings)
  }

  /// Mean squares of all bands on one patch.
  struct Reading {
    /// As ``BandNoise`` counts light.
    var light: Double
    var luma: [Double] = []
    var red: [Double] = []
    var blue: [Double] = []
    var fine: [Double] = []
    /// Variances of the roots of red, green and blue light.
    var channels: [Double] = []
  }

  private static func reading(_ renderer: SceneRenderer, light: Double) -> Reading {
    let region = PixelRect(x: 0, y: 0, width: patchSide, height: patchSide)
    let stripe = SceneStripe(region: region, origin: renderer.cellOrigin, capacity: region.size)
    stripe.hold(region)
    let filler = renderer.scratch()
    for tile in renderer.tiles(of: region) {
      filler.prepare(tile)
      for y in 0..<tile.height {
        let row = renderer.row(y, of: tile, scratch: filler)
        RootLight.split(
          row, luma: stripe.row(0, tile.y + y) + tile.x, stripe.row(1, tile.y + y) + tile.x,
          stripe.row(2, tile.y + y) + tile.x)
      }
      stripe.halve(tile)
    }
    let core = PixelRect(
      x: DetailDepth.full.halo + stripe.origin.x, y: DetailDepth.full.halo + stripe.origin.y, width: side,
      height: side)
    let scratch = DetailScratch(.full)
    scratch.load(core, from: stripe)
    var reading = Reading(light: light + 2 * Double(RootLight.offset))
    reading.channels = channels(core, stripe)
    for plane in 1...2 { reading.fine.append(fineChroma(plane, core, stripe, scratch)) }
    let (lumaHalo, chromaHalo) = (DetailDepth.full.lumaHalo, DetailDepth.full.chromaHalo)
    for band in 0..<DetailBands.count {
      var luma = MeanSquare(halo: lumaHalo, side: side)
      scratch.splitLuma(band, core) { y, _ in luma.add(y, scratch.luma) }
      reading.luma.append(luma.value)
      var (red, blue) = (
        MeanSquare(halo: chromaHalo, side: side / 2), MeanSquare(halo: chromaHalo, side: side / 2)
      )
      scratch.splitChroma(band, core) { y in
        red.add(y, scratch.red)
        blue.add(y, scratch.blue)
      }
      reading.red.append(red.value)
      reading.blue.append(blue.value)
    }
    return reading
  }

  /// Of a band, row by row.
  private struct MeanSquare {
    let halo: Int
    let side: Int
    private var sum = 0.0

    init(halo: Int, side: Int) { (self.halo, self.side) = (halo, side) }

    mutating func add(_ y: Int, _ splitter: BandSplitter) {
      guard y >= halo, y < halo + side else { return }
      let row = splitter.fine(y)
      for x in halo..<halo + side { sum += Double(row[x] * row[x]) }
    }

    var value: Double { sum / Double(side * side) }
  }

  private static func channels(_ core: PixelRect, _ stripe: SceneStripe) -> [Double] {
    var (sums, squares) = ([0.0, 0, 0], [0.0, 0, 0])
    for y in core.rows {
      let rows = (0..<3).map { stripe.row($0, y) }
      for x in core.columns {
        let green = rows[0][x] - (rows[1][x] + rows[2][x]) * 0.25
        for (channel, root) in [green + rows[1][x], green, green + rows[2][x]].enumerated() {
          sums[channel] += Double(root)
          squares[channel] += Double(root) * Double(root)
        }
      }
    }
    let count = Double(core.size.area)
    return zip(sums, squares).map { max(0, $1 / count - $0 / count * ($0 / count)) }
  }

  /// Of what the half-resolution plane, doubled, has not.
  private static func fineChroma(_ plane: Int, _ core: PixelRect, _ stripe: SceneStripe, _ scratch: DetailScratch)
    -> Double
  {
    let half = plane == 1 ? scratch.redBefore : scratch.blueBefore
    let halo = DetailDepth.full.chromaHalo
    let (between, doubled) = (scratch.lines.row(0), scratch.lines.row(1))
    var sum = 0.0
    for y in 0..<side {
      let near = y / 2 + halo
      DetailKernels.between(
        half[near], half[y & 1 == 0 ? near - 1 : near + 1], halo - 1..<halo + side / 2 + 1, into: between)
      DetailKernels.double(between + halo, cells: side / 2, into: doubled)
      let row = stripe.row(plane, core.y + y) + core.x
      for x in 0..<side { sum += Double((row[x] - doubled[x]) * (row[x] - doubled[x])) }
    }
    return sum / Double(side * side)
  }
}

extension DetailNoise {
  /// Fits ``BandNoise`` to the readings of several levels of light.
  init(_ readings: [DetailNoiseMeter.Reading]) {
    let lights = readings.map(\.light)
    func fit(_ values: (DetailNoiseMeter.Reading) -> [Double]) -> [BandNoise] {
      values(readings[0]).indices.map { band in
        BandNoise(lights: lights, variances: readings.map { values($0)[band] })
      }
    }
    luma = fit(\.luma)
    chroma = [fit(\.red), fit(\.blue)]
    fineChroma = fit(\.fine)
    channels = fit(\.channels)
  }
}

extension BandNoise {
  /// Least squares of the relative error, both parts at least 0 and never below rounding.
  init(lights: [Double], variances: [Double]) {
    // variance ≈ a + b / light; each equation divided by its variance.
    var (aa, ab, bb, a1, b1) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (light, variance) in zip(lights, variances) where variance > 0 {
      let (p, q) = (1 / variance, 1 / (light * variance))
      aa += p * p
      ab += p * q
      bb += q * q
      a1 += p
      b1 += q
    }
    let determinant = aa * bb - ab * ab
    var (a, b) = determinant > 0 ? ((a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant) : (0, 0)
    if a < 0, bb > 0 { (a, b) = (0, b1 / bb) }
    if b < 0, aa > 0 { (a, b) = (a1 / aa, 0) }
    self.init(floor: max(Float(a), Self.least.floor), rise: Float(b))
  }
}
