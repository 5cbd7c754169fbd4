import CVector
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
    let splitter = scratch.luma
    for band in 0..<depth.luma {
      let (noise, gain, isLast) = (noise.luma[band], gains[band], band == depth.luma - 1)
      scratch.splitLuma(band, core) { y, smooth in
        guard y >= halo, y < halo + core.height else { return }
        let (row, sum) = (splitter.fine(y), scratch.sum.row(y - halo))
        if band == 0 { sum.update(repeating: 0, count: core.width) }
        DetailKernels.energy(
          splitter.fine(y - 1), row, splitter.fine(y + 1), halo - 1..<core.width + halo + 1, into: energy)
        DetailKernels.shrink(
          row + halo, energy: energy + halo, smooth: smooth + halo, noise, gain: gain, count: core.width, onto: sum)
        if isLast { join(y, smooth + halo, core, scratch) }
      }
    }
  }

  /// The end of a row of luma: what no band holds is added, and the whole kept within limits.
  @inline(__always)
  private func join(_ y: Int, _ smooth: UnsafePointer<Float>, _ core: PixelRect, _ scratch: DetailScratch) {
    let (halo, before) = (depth.lumaHalo, scratch.lumaBefore)
    let sum = scratch.sum.row(y - halo)
    for x in 0..<core.width { sum[x] += smooth[x] }
    DetailKernels.limit(
      sum, above: before[y - 1] + halo, before[y] + halo, below: before[y + 1] + halo, low: scratch.lines.row(1),
      high: scratch.lines.row(2), count: core.width)
  }

  private func prepareChroma(_ core: PixelRect, _ scratch: DetailScratch) {
    let size = scratch.cells(of: core)
    let inner = depth.chromaHalo - 1
    let energy = scratch.lines.row(0)
    let (red, blue) = (scratch.red, scratch.blue)
    for band in 0..<depth.chroma {
      let (redNoise, blueNoise) = (noise.chroma[0][band], noise.chroma[1][band])
      scratch.splitChroma(band, core) { y in
        guard y >= inner, y < size.height - inner else { return }
        let (redLost, blueLost) = (scratch.redLost.row(y), scratch.blueLost.row(y))
        if band == 0 {
          redLost.update(repeating: 0, count: size.width)
          blueLost.update(repeating: 0, count: size.width)
        }
        DetailKernels.chromaEnergy(
          (UnsafePointer(red.fine(y - 1)), UnsafePointer(red.fine(y)), UnsafePointer(red.fine(y + 1))),
          (UnsafePointer(blue.fine(y - 1)), UnsafePointer(blue.fine(y)), UnsafePointer(blue.fine(y + 1))),
          light: scratch.halfLight[y], redNoise, blueNoise, inner - 1..<size.width - inner + 1, into: energy)
        DetailKernels.takeChroma(
          red.fine(y), blue.fine(y), energy: energy, inner..<size.width - inner, red: redLost, blue: blueLost)
      }
    }
  }

  /// Row `y` of the prepared tile as scene light; valid until the next.
  func row(_ y: Int, of core: PixelRect, from stripe: SceneStripe, scratch: DetailScratch) -> SceneRow {
    let lines = scratch.lines
    let scene = SceneRow(base: lines.row(0), count: core.width, stride: lines.stride, spare: lines.row(3))
    let luma = scratch.sum.row(y)
    let halo = depth.chromaHalo
    let near = y / 2 + halo
    let far = y & 1 == 0 ? near - 1 : near + 1
    let cells = (core.width + 1) / 2
    let half = lines.row(9)
    if y + DetailScratch.ahead < core.height {
      for plane in 1...2 {
        cv_prefetch_line(
          stripe.row(plane, core.y + y + DetailScratch.ahead) + core.x, core.width * MemoryLayout<Float>.stride)
      }
    }
    let (redBefore, blueBefore) = (scratch.redBefore, scratch.blueBefore)
    let (redLost, blueLost) = (scratch.redLost, scratch.blueLost)
    for (nearRow, farRow, line) in [
      (redBefore[near], redBefore[far], 5), (blueBefore[near], blueBefore[far], 6),
      (redLost.row(near), redLost.row(far), 7), (blueLost.row(near), blueLost.row(far), 8),
    ] {
      DetailKernels.between(nearRow, farRow, halo - 1..<halo + cells + 1, into: half)
      DetailKernels.double(half + halo, cells: cells, into: lines.row(line))
    }
    DetailKernels.finishChroma(
      (UnsafePointer(stripe.row(1, core.y + y) + core.x), UnsafePointer(stripe.row(2, core.y + y) + core.x)),
      luma: luma,
      smooth: (UnsafePointer(lines.row(5)), UnsafePointer(lines.row(6))),
      lost: (UnsafePointer(lines.row(7)), UnsafePointer(lines.row(8))), noise.fineChroma[0], noise.fineChroma[1],
      count: core.width, into: scene.plane(0), scene.plane(2))
    RootLight.join(luma, scene, noise: noise.channels)
    return scene
  }
}
