import ImageCore

/// Takes residual noise out of developed light and brings edges to the sharpness of an ideal sensor.
///
/// Luma and chroma are split into bands; from each, Wiener's filter leaves what its local energy has above the noise
/// that the whole way from the sensor to here is known to leave (``DetailNoiseMeter``). Luma bands that stand out of
/// the noise are then raised by what a lens and the demosaic took (``DetailBands/gains(strength:)``), as far as no
/// halo arises.
struct DetailFinisher: Sendable {
  private let noise: DetailNoise
  private let gains: [Float]
  /// The bands worked on.
  let depth: DetailDepth

  /// - Parameter strength: 0...2; 1 is the standard.
  init(strength: Double, noise: DetailNoise) {
    self.noise = noise
    depth = noise.depth
    gains = DetailBands.gains(strength: strength)
  }

  /// Finishes a tile that ``DetailScratch/load(_:from:)`` has read; afterwards ``row(_:of:from:scratch:)`` may be called.
  func prepare(_ core: PixelRect, scratch: DetailScratch) {
    prepareLuma(core, scratch)
    prepareChroma(core, scratch)
  }

  private func prepareLuma(_ core: PixelRect, _ scratch: DetailScratch) {
    let halo = depth.lumaHalo
    let energy = scratch.lines.row(0)
    for y in 0..<core.height { scratch.sum.row(y).update(repeating: 0, count: core.width) }
    for band in 0..<depth.luma {
      scratch.splitLuma(band, core)
      for y in 0..<core.height {
        let (above, row, below) = (
          scratch.luma.row(y + halo - 1), scratch.luma.row(y + halo), scratch.luma.row(y + halo + 1)
        )
        DetailKernels.energy(above, row, below, halo - 1..<core.width + halo + 1, into: energy)
        DetailKernels.shrink(
          row + halo, energy: energy + halo, smooth: scratch.lumaSmooth.row(y + halo) + halo, noise.luma[band],
          gain: gains[band], count: core.width, onto: scratch.sum.row(y))
      }
      scratch.nextLuma()
    }
    for y in 0..<core.height {
      let (sum, smooth) = (scratch.sum.row(y), scratch.luma.row(y + halo) + halo)
      for x in 0..<core.width { sum[x] += smooth[x] }
      DetailKernels.limit(
        sum, above: scratch.lumaBefore.row(y + halo - 1) + halo, scratch.lumaBefore.row(y + halo) + halo,
        below: scratch.lumaBefore.row(y + halo + 1) + halo, low: scratch.lines.row(1), high: scratch.lines.row(2),
        count: core.width)
    }
  }

  private func prepareChroma(_ core: PixelRect, _ scratch: DetailScratch) {
    let size = scratch.cells(of: core)
    let inner = depth.chromaHalo - 1
    let energy = scratch.lines.row(0)
    for y in inner..<size.height - inner {
      scratch.redLost.row(y).update(repeating: 0, count: size.width)
      scratch.blueLost.row(y).update(repeating: 0, count: size.width)
    }
    for band in 0..<depth.chroma {
      scratch.splitChroma(band, core)
      for y in inner..<size.height - inner {
        let (red, blue) = (scratch.red, scratch.blue)
        DetailKernels.chromaEnergy(
          (UnsafePointer(red.row(y - 1)), UnsafePointer(red.row(y)), UnsafePointer(red.row(y + 1))),
          (UnsafePointer(blue.row(y - 1)), UnsafePointer(blue.row(y)), UnsafePointer(blue.row(y + 1))),
          light: scratch.halfLight.row(y), noise.chroma[0][band], noise.chroma[1][band],
          inner - 1..<size.width - inner + 1, into: energy)
        DetailKernels.takeChroma(
          red.row(y), blue.row(y), energy: energy, inner..<size.width - inner, red: scratch.redLost.row(y),
          blue: scratch.blueLost.row(y))
      }
      scratch.nextChroma()
    }
  }

  /// Row `y` of the prepared tile as scene light; valid until the next.
  func row(_ y: Int, of core: PixelRect, from stripe: SceneStripe, scratch: DetailScratch) -> SceneRow {
    let lines = scratch.lines
    let scene = SceneRow(base: lines.row(0), count: core.width, stride: lines.stride, spare: lines.row(3))
    let luma = scratch.sum.row(y)
    let x = core.x - stripe.region.x
    let halo = depth.chromaHalo
    let near = y / 2 + halo
    let far = y & 1 == 0 ? near - 1 : near + 1
    let cells = (core.width + 1) / 2
    let half = lines.row(9)
    for (plane, line) in [
      (scratch.redBefore, 5), (scratch.blueBefore, 6), (scratch.redLost, 7), (scratch.blueLost, 8),
    ] {
      DetailKernels.between(plane.row(near), plane.row(far), halo - 1..<halo + cells + 1, into: half)
      DetailKernels.double(half + halo, cells: cells, into: lines.row(line))
    }
    DetailKernels.finishChroma(
      (UnsafePointer(stripe.row(1, core.y + y) + x), UnsafePointer(stripe.row(2, core.y + y) + x)), luma: luma,
      smooth: (UnsafePointer(lines.row(5)), UnsafePointer(lines.row(6))),
      lost: (UnsafePointer(lines.row(7)), UnsafePointer(lines.row(8))), noise.fineChroma[0], noise.fineChroma[1],
      count: core.width, into: scene.plane(0), scene.plane(2))
    RootLight.join(luma, scene, noise: noise.channels)
    return scene
  }
}
