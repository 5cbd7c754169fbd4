import ImageCore

/// Light as another frame of a series sees it, on pixels of the same or of twice the pitch.
struct LightWarp: Sendable {
  /// How the scene lies in the other frame.
  let view: SceneView
  /// Pixels of the light on a side of a result pixel, 1 or 2.
  let pitch: Int
  /// Factor of all light.
  let gain: Float

  private static let rowsPerBand = 16

  /// Cubic interpolation (Catmull–Rom) of `light`, averaged over each result pixel; border pixels go on for ever.
  func applied(to light: Image<RGB<Float>>, resources: Resources) -> Image<RGB<Float>> {
    let size = PixelSize(width: light.width / pitch, height: light.height / pitch)
    let transform = ViewTransform(view, size: light.size)
    let isStill = view.shiftX == 0 && view.shiftY == 0 && view.rotation == 0
    let weight = gain / Float(pitch * pitch)
    var result = Image<RGB<Float>>(uninitialized: size, in: resources.pool)
    light.withRows { from in
      result.withMutableRows { to in
        resources.workers.forEachBand(of: size.height, rowsPerBand: Self.rowsPerBand) { band in
          for y in band {
            let out = to.row(y)
            for x in 0..<size.width {
              var sum = SIMD4<Float>()
              for sample in 0..<pitch * pitch {
                let (column, row) = (x * pitch + sample % pitch, y * pitch + sample / pitch)
                let point = transform.scenePoint(Double(column) + 0.5, Double(row) + 0.5)
                if let colour = transform.moverColour(point) {
                  sum += SIMD4(Float(colour.x), Float(colour.y), Float(colour.z), 0)
                } else if isStill {
                  let pixel = from.row(row)[column]
                  sum += SIMD4(pixel.red, pixel.green, pixel.blue, 0)
                } else {
                  sum += Self.cubic(from, point.x - 0.5, point.y - 0.5)
                }
              }
              sum *= weight
              out[x] = RGB(max(0, sum.x), max(0, sum.y), max(0, sum.z))
            }
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private static func cubic(_ rows: PixelRows<RGB<Float>>, _ x: Double, _ y: Double) -> SIMD4<Float> {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let across = weights(Float(x - left))
    let down = weights(Float(y - top))
    let (column, line) = (Int(left), Int(top))
    var sum = SIMD4<Float>()
    for j in 0..<4 {
      let row = rows.row(max(0, min(rows.height - 1, line + j - 1)))
      var part = SIMD4<Float>()
      for i in 0..<4 {
        let pixel = row[max(0, min(rows.width - 1, column + i - 1))]
        part += SIMD4(pixel.red, pixel.green, pixel.blue, 0) * across[i]
      }
      sum += part * down[j]
    }
    return sum
  }

  /// - Source: Catmull, Rom 1974, "A class of local interpolating splines".
  @inline(__always)
  private static func weights(_ t: Float) -> SIMD4<Float> {
    let (t2, t3) = (t * t, t * t * t)
    return SIMD4(-t + 2 * t2 - t3, 2 - 5 * t2 + 3 * t3, t + 4 * t2 - 3 * t3, t3 - t2) * 0.5
  }
}
