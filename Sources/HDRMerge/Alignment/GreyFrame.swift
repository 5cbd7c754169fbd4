import ImageCore

/// Brightness of a frame's cells for alignment with another frame: on one scale, clipped where either is saturated,
/// square-root encoded.
struct GreyFrame {
  /// What two frames have to agree on to be compared.
  struct Encoding {
    /// Light above this is cut, in units of the reference.
    let ceiling: Float
    /// Added before the root so that photon noise is alike at all levels.
    let offset: Float
    /// Variance of the difference of two encoded cells that are in register.
    let noise: Float

    init(_ first: SourceFrame, _ second: SourceFrame) {
      ceiling =
        TileMerger.fadeStart
        * min(
          first.saturation / Float(first.exposure), second.saturation / Float(second.exposure))
      let (a, b) = (NoiseModel(first), NoiseModel(second))
      let (scale, offset) = (max(a.scale, b.scale), max(a.offset, b.offset))
      // Generalised Anscombe transform: sqrt(x + 3/8 S + O / S) has the variance S / 4.
      let floor: Float = 1e-7
      let photon = max(scale, floor)
      self.offset = 0.375 * photon + offset / photon
      noise = (max(a.scale, floor) + max(b.scale, floor)) / (4 * Float(first.cell.count))
    }
  }

  private static let rowsPerBand = 16

  static func image(of frame: SourceFrame, _ encoding: Encoding, resources: Resources) -> Image<Float> {
    let cell = frame.cell
    let size = PixelSize(width: frame.size.width / cell.width, height: frame.size.height / cell.height)
    var result = Image<Float>(uninitialized: size, in: resources.pool)
    let factor = Float(1 / frame.exposure)
    let share = 1 / Float(cell.count)
    let count = size.width * cell.width
    let (ceiling, offset) = (encoding.ceiling, encoding.offset)
    frame.withSamples { samples in
      result.withMutableRows { out in
        resources.workers.forEachBand(of: size.height, rowsPerBand: rowsPerBand) { band in
          withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { buffer in
            let light = buffer.baseAddress!
            for y in band {
              let target = out.row(y)
              for x in 0..<size.width { target[x] = 0 }
              for phase in 0..<cell.height {
                frame.light(samples, x: 0, y: y * cell.height + phase, count: count, factor: factor, into: light)
                for i in 0..<count { light[i] = CellKernels.smaller(light[i], ceiling) }
                CellKernels.addCells(light, width: cell.width, count: size.width, into: target)
              }
              for x in 0..<size.width {
                let sum = target[x] * share + offset
                target[x] = (sum > 0 ? sum : 0).squareRoot()
              }
            }
          }
        }
      }
    }
    return result
  }
}
