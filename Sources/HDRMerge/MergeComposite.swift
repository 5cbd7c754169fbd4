public import ImageCore

/// One picture made of an exposure bracket as linear light with its variance.
///
/// Light is in units of the reference frame: 0 is black, 1 is the reference's stated white level, as a
/// ``LinearMosaic`` of the reference alone would have it. What shorter frames saw beyond it is above 1, up to ``range``;
/// noise below black is kept. Variance is the mean squared error expected of each sample by the noise model and by
/// the disagreement of the frames that entered it, in the same units squared; where every frame is saturated it is a
/// million times what noise makes, so that weights of 1 / variance leave such samples out where anything else is.
public struct MergeComposite: Sendable {
  /// Light and variance of every sample; both planes have the size of the frames.
  public enum Samples: Sendable {
    /// Samples under the frames' own filter array.
    case mosaic(LinearMosaic, variance: Image<Float>)
    /// Red, green and blue at every pixel, in camera colours.
    case linear(Image<RGB<Float>>, variance: Image<RGB<Float>>)
  }

  /// Light with its variance.
  public let samples: Samples
  /// The light at which even the shortest frame saturates, or a little above the brightest that was measured; 1 or more.
  public let range: Double
  /// The straight line `scale * light + offset` nearest to ``samples``' variance, in units of the reference.
  public let noise: NoiseProfile
  /// The reference as it came: its calibration, crop, orientation and facts hold for the result.
  public let reference: RawPhoto
  /// What was settled and found.
  public let report: MergeReport
  /// Where frames were left out, one pixel a cell of the filter array: 0 nothing, 255 all. `nil` unless asked for.
  public let ghostMap: Image<UInt8>?
}

extension MergeRun {
  /// The merged light and its variance as planes.
  func composite() -> MergeComposite {
    let size = solved.plan.frames[0].size
    let cell = solved.plan.layout.cell
    var ghosts = wantsGhostMap ? Image<UInt8>(solved.plan.layout.grid, repeating: 0, in: resources.pool) : nil
    let samples: MergeComposite.Samples
    let statistics: MergeStatistics
    if case .mosaic(let mosaic) = solved.reference.pixels {
      var light = Image<Float>(uninitialized: size, in: resources.pool)
      var variance = Image<Float>(uninitialized: size, in: resources.pool)
      statistics = light.withMutableRows { light in
        variance.withMutableRows { fill(light, $0, &ghosts) }
      }
      let noise = statistics.noise(range: 1, rounding: 0)
      samples = .mosaic(LinearMosaic(plane: light, cfa: mosaic.cfa, noise: noise), variance: variance)
    } else {
      let pixels = PixelSize(width: size.width / cell.width, height: size.height)
      var light = Image<RGB<Float>>(uninitialized: pixels, in: resources.pool)
      var variance = Image<RGB<Float>>(uninitialized: pixels, in: resources.pool)
      statistics = light.withMutableRows { light in
        variance.withMutableRows { fill(Self.samples(of: light), Self.samples(of: $0), &ghosts) }
      }
      samples = .linear(light, variance: variance)
    }
    return MergeComposite(
      samples: samples, range: range, noise: statistics.noise(range: 1, rounding: 0), reference: solved.reference,
      report: report(statistics, range), ghostMap: ghosts)
  }

  private func fill(
    _ light: MutablePixelRows<Float>, _ variance: MutablePixelRows<Float>, _ ghosts: inout Image<UInt8>?
  ) -> MergeStatistics {
    run(&ghosts) { row in
      (light.row(row.y) + row.x).update(from: row.light, count: row.count)
      (variance.row(row.y) + row.x).update(from: row.variance, count: row.count)
    }
  }

  /// Three colours a pixel as samples side by side.
  private static func samples(of rows: MutablePixelRows<RGB<Float>>) -> MutablePixelRows<Float> {
    let planes = SampleCell.picture.width
    return MutablePixelRows(
      base: UnsafeMutableRawPointer(rows.base).assumingMemoryBound(to: Float.self), width: rows.width * planes,
      height: rows.height, stride: rows.stride * planes)
  }
}
