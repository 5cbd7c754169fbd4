import ImageCore

/// Blends differently exposed renderings of one scene into one picture of brightness in which all of it can be seen.
///
/// - Source: Mertens, Kautz, Van Reeth 2007, "Exposure fusion": well-exposedness weights, blended band by band in a
///   Laplacian pyramid; used on one scene-linear picture as in Hasinoff et al. 2016, section 6.
struct ExposureFusion {
  /// Stored brightness that is exposed best, and how far from it the weight falls to a quarter.
  private static let best: Float = 0.5
  private static let width: Float = 0.25
  /// Every rendering counts a little, so that weights never vanish together.
  private static let floor: Float = 1e-3
  /// The rendering at the base exposure counts this many times: the result keeps its brightness where it can.
  private static let baseWeight: Float = 4
  private static let smallestSide = 4

  /// Stops relative to the base, which is 0.
  let stops: [Double]
  let resources: Resources

  /// The square root of display light, about 0...1.
  ///
  /// - Parameter light: scene light, 1 is the base exposure's white.
  func fused(_ light: Image<Float>) -> Image<Float> {
    var total = Image<Float>(light.size, repeating: 0, in: resources.pool)
    for stop in stops {
      let weight = self.weight(rendering(light, stop), stop)
      combine(&total, weight) { $0 + $1 }
    }
    var sum: [Image<Float>] = []
    for stop in stops {
      let picture = rendering(light, stop)
      var weight = self.weight(picture, stop)
      combine(&weight, total) { $0 / $1 }
      let pictures = GreyPyramid(picture, smallestSide: Self.smallestSide, resources: resources).levels
      let weights = GreyPyramid(weight, smallestSide: Self.smallestSide, resources: resources).levels
      for level in pictures.indices {
        var band = pictures[level]
        if level + 1 < pictures.count { addExpanded(pictures[level + 1], to: &band, sign: -1) }
        combine(&band, weights[level]) { $0 * $1 }
        if sum.count <= level { sum.append(band) } else { combine(&sum[level], band) { $0 + $1 } }
      }
    }
    for level in (0..<sum.count - 1).reversed() { addExpanded(sum[level + 1], to: &sum[level], sign: 1) }
    // Blending bands can leave a small light darker than even the darkest rendering shows it.
    combine(&sum[0], rendering(light, stops.min() ?? 0)) { CellKernels.larger($0, $1) }
    return sum[0]
  }

  private func rendering(_ light: Image<Float>, _ stop: Double) -> Image<Float> {
    let gain = Float(Elementary.exp2(stop))
    return mapped(light) { value in
      let display = value * gain
      return CellKernels.smaller(CellKernels.larger(display, 0), 1).squareRoot()
    }
  }

  private func weight(_ picture: Image<Float>, _ stop: Double) -> Image<Float> {
    let factor = stop == 0 ? Self.baseWeight : 1
    return mapped(picture) { value in
      let distance = (value - Self.best) / Self.width
      let bell = 1 / (1 + distance * distance)
      // What is clipped shows nothing.
      let open = CellKernels.smaller((1 - value) * 8, 1)
      return factor * bell * bell * open * open + Self.floor
    }
  }

  private static let rowsPerBand = 32

  private func mapped(_ image: Image<Float>, _ value: @Sendable (Float) -> Float) -> Image<Float> {
    var result = Image<Float>(uninitialized: image.size, in: resources.pool)
    image.withRows { from in
      result.withMutableRows { to in
        resources.workers.forEachBand(of: from.height, rowsPerBand: Self.rowsPerBand) { band in
          for y in band {
            let (source, out) = (from.row(y), to.row(y))
            for x in 0..<from.width { out[x] = value(source[x]) }
          }
        }
      }
    }
    return result
  }

  private func combine(_ image: inout Image<Float>, _ other: Image<Float>, _ value: @Sendable (Float, Float) -> Float)
  {
    other.withRows { from in
      image.withMutableRows { to in
        resources.workers.forEachBand(of: from.height, rowsPerBand: Self.rowsPerBand) { band in
          for y in band {
            let (source, out) = (from.row(y), to.row(y))
            for x in 0..<from.width { out[x] = value(out[x], source[x]) }
          }
        }
      }
    }
  }

  /// Adds a level, doubled by straight lines between its pixels' centres, to the finer one.
  private func addExpanded(_ coarse: Image<Float>, to fine: inout Image<Float>, sign: Float) {
    coarse.withRows { from in
      fine.withMutableRows { to in
        resources.workers.forEachBand(of: to.height, rowsPerBand: Self.rowsPerBand) { band in
          withUnsafeTemporaryAllocation(of: Float.self, capacity: from.width) { line in
            for y in band {
              let near = min(from.height - 1, y / 2)
              let far = max(0, min(from.height - 1, y & 1 == 0 ? near - 1 : near + 1))
              let (a, b) = (from.row(near), from.row(far))
              for x in 0..<from.width { line[x] = (0.75 * a[x] + 0.25 * b[x]) * sign }
              let out = to.row(y)
              for x in 0..<to.width {
                let middle = min(from.width - 1, x / 2)
                let side = max(0, min(from.width - 1, x & 1 == 0 ? middle - 1 : middle + 1))
                out[x] += 0.75 * line[middle] + 0.25 * line[side]
              }
            }
          }
        }
      }
    }
  }
}
