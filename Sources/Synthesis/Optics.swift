import ImageCore

/// Blur, displacement and exposure: what happens to light before it meets the filters.
struct Optics {
  /// Weights of neighbours at `first`, `first + 1` … from the pixel itself; they add up to one.
  private struct Kernel: Sendable {
    var first: Int
    var weights: [Float]

    /// A Gaussian around `-shift`; linear interpolation when there is no blur to speak of.
    init(sigma: Double, shift: Double) {
      let whole = (-shift).rounded(.down)
      let part = -shift - whole
      var taps: [Double]
      if sigma < 0.1 {
        first = Int(whole)
        taps = part == 0 ? [1] : [1 - part, part]
      } else {
        let reach = Int((sigma * 4).rounded(.up))
        first = Int(whole) - reach
        taps = (-reach...reach + 1).map { tap in
          let d = (Double(tap) - part) / sigma
          return ExactMath.exp(-0.5 * d * d)
        }
      }
      let sum = taps.reduce(0, +)
      weights = taps.map { Float($0 / sum) }
    }
  }

  private static let rowsPerBand = 16

  /// The light that reaches the sensor; beyond the edges the outermost pixels go on.
  static func apply(_ sensor: SensorRecipe, to light: Image<RGB<Float>>, resources: Resources) -> Image<RGB<Float>> {
    let across = Kernel(sigma: sensor.blurSigma, shift: sensor.motionX)
    let down = Kernel(sigma: sensor.blurSigma, shift: sensor.motionY)
    let gain = Float(ExactMath.exp2(sensor.exposureEV))
    let size = light.size
    var between = Image<RGB<Float>>(uninitialized: size, in: resources.pool)
    light.withRows { from in
      between.withMutableRows { to in
        resources.workers.forEachBand(of: size.height, rowsPerBand: rowsPerBand) { band in
          for y in band {
            let source = from.row(y)
            sum(across, count: size.width, into: to.row(y), gain: gain) { x, tap in
              source[max(0, min(size.width - 1, x + tap))]
            }
          }
        }
      }
    }
    var result = Image<RGB<Float>>(uninitialized: size, in: resources.pool)
    between.withRows { from in
      result.withMutableRows { to in
        resources.workers.forEachBand(of: size.height, rowsPerBand: rowsPerBand) { band in
          for y in band {
            sum(down, count: size.width, into: to.row(y), gain: 1) { x, tap in
              from.row(max(0, min(size.height - 1, y + tap)))[x]
            }
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private static func sum(
    _ kernel: Kernel, count: Int, into row: UnsafeMutablePointer<RGB<Float>>, gain: Float,
    _ pixel: (_ x: Int, _ tap: Int) -> RGB<Float>
  ) {
    kernel.weights.withUnsafeBufferPointer { weights in
      for x in 0..<count {
        var (red, green, blue) = (Float(0), Float(0), Float(0))
        for index in 0..<weights.count {
          let value = pixel(x, kernel.first + index)
          red += value.red * weights[index]
          green += value.green * weights[index]
          blue += value.blue * weights[index]
        }
        row[x] = RGB(red * gain, green * gain, blue * gain)
      }
    }
  }
}
