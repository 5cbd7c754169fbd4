import ImageCore

/// Brightness of a frame's cells for alignment with another frame: on one scale, clipped where either is saturated,
/// square-root encoded.
struct GreyFrame {
  /// What frames have to agree on to be compared.
  struct Encoding {
    /// Light above this is cut, in units of the reference.
    let ceiling: Float
    /// Added before the root so that photon noise is alike at all levels.
    let offset: Float

    /// One for a reference and all of `others`.
    init(_ reference: SourceFrame, _ others: [SourceFrame]) {
      let frames = [reference] + others
      let models = frames.map { NoiseModel($0) }
      ceiling = TileMerger.fadeStart * (frames.map { $0.saturation / Float($0.exposure) }.min() ?? 1)
      let photon = max(models.map(\.scale).max() ?? 0, Self.leastScale)
      // Generalised Anscombe transform: sqrt(x + 3/8 S + O / S) has the variance S / 4.
      offset = 0.375 * photon + (models.map(\.offset).max() ?? 0) / photon
    }

    /// Variance of the difference of two encoded cells of two frames that are in register.
    static func noise(_ first: SourceFrame, _ second: SourceFrame) -> Float {
      let (a, b) = (NoiseModel(first), NoiseModel(second))
      return (max(a.scale, leastScale) + max(b.scale, leastScale)) / (4 * Float(first.cell.count))
    }

    /// Photon noise of frames that seem to have none.
    private static let leastScale: Float = 1e-7
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
