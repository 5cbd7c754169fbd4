/// The two pictures in blocks of 4 x 4 composite pixels, the composite in register: for matching and for finding what
/// moved or is saturated.
struct BlockComparison: Sendable {
  /// Mean white-balanced light; lane 3: the largest sample in parts of the detail frame's saturation.
  let detail: Image<SIMD4<Float>>
  /// Mean white-balanced light; lane 3: the largest sample in parts of the detail frame's white, -1 where the composite
  /// does not show the block as a whole.
  let composite: Image<SIMD4<Float>>

  init(
    _ reduced: ReducedDetail, _ pixels: Image<RGB<Float>>, _ geometry: FusionGeometry, _ light: FusionLight,
    flow: TileFlow?, _ resources: Resources
  ) {
    detail = reduced.blocks
    var blocks = Image<SIMD4<Float>>(uninitialized: detail.size, in: resources.pool)
    let balance = light.domain.balance
    // Composite units in the detail frame's.
    let unit = balance.x / light.white.x
    pixels.withRows { from in
      blocks.withMutableRows { to in
        resources.workers.forEach(tiles: to.height) { row in
          let out = to.row(row)
          var (lineX, lineY) = ([Float](), [Float]())
          let side = FusionLight.blockSide
          let centre = Double(side - 1) / 2
          flow?.line(y: Double(row * side) + centre, x: &lineX, y: &lineY)
          for column in 0..<to.width {
            let d = flow?.displacement(x: Double(column * side) + centre, lineX, lineY) ?? (x: 0, y: 0)
            let block = PixelRect(x: column * side, y: row * side, width: side, height: side)
              .intersection(PixelRect(x: 0, y: 0, width: from.width, height: from.height))
            let scale = SIMD4<Float>(balance.x, balance.y, balance.z, unit)
            out[column] = Self.mean(from, block, d) * scale
          }
        }
      }
    }
    composite = blocks
  }

  /// The mean of a block displaced by parts of pixels, straight lines between pixels.
  private static func mean(
    _ rows: PixelRows<RGB<Float>>, _ block: PixelRect, _ d: (x: Float, y: Float)
  ) -> SIMD4<Float> {
    let (wholeX, wholeY) = (d.x.rounded(.down), d.y.rounded(.down))
    let (partX, partY) = (d.x - wholeX, d.y - wholeY)
    let (left, top) = (block.x + Int(wholeX), block.y + Int(wholeY))
    var sum = SIMD4<Float>.zero
    var most: Float = 0
    for y in 0...block.height {
      let weightY = y == 0 ? 1 - partY : y == block.height ? partY : 1
      let row = rows.row(max(0, min(rows.height - 1, top + y)))
      var line = SIMD4<Float>.zero
      for x in 0...block.width {
        let weightX = x == 0 ? 1 - partX : x == block.width ? partX : 1
        let p = row[max(0, min(rows.width - 1, left + x))]
        line += weightX * SIMD4(p.red, p.green, p.blue, 0)
        most = max(most, p.red, p.green, p.blue)
      }
      sum += weightY * line
    }
    sum *= 1 / Float(block.width * block.height)
    // A pixel beyond the border is repeated light, not the scene; half a pixel of it does not matter.
    let inside =
      left >= -1 && top >= -1 && left + block.width <= rows.width && top + block.height <= rows.height
    sum.w = inside ? most : -1
    return sum
  }

  /// Y, C1, C2 of a block's roots of light.
  @inline(__always)
  static func planes(_ light: SIMD4<Float>, _ domain: FusionDomain) -> SIMD4<Float> {
    let (r, g, b) = (domain.root(light.x), domain.root(light.y), domain.root(light.z))
    return SIMD4(0.25 * r + 0.5 * g + 0.25 * b, 0.5 * r - 0.5 * b, -0.25 * r + 0.5 * g - 0.25 * b, 0)
  }

  func differenceVariance(_ domain: FusionDomain) -> SIMD4<Float> {
    Self.variance(detail.size) { x, y in Self.planes(detail[x, y], domain) - Self.planes(composite[x, y], domain) }
  }

  static func colourVariance(_ blocks: Image<SIMD4<Float>>, _ domain: FusionDomain) -> SIMD4<Float> {
    variance(blocks.size) { x, y in
      let a = blocks[x, y]
      return SIMD4(domain.root(a.x), domain.root(a.y), domain.root(a.z), 0)
    }
  }

  private static func variance(_ size: PixelSize, _ value: (Int, Int) -> SIMD4<Float>) -> SIMD4<Float> {
    let border = 3
    var (sum, squares, count) = (SIMD4<Double>.zero, SIMD4<Double>.zero, 0.0)
    for y in border..<size.height - border {
      for x in border..<size.width - border {
        let d = SIMD4<Double>(value(x, y))
        sum += d
        squares += d * d
        count += 1
      }
    }
    let mean = sum / count
    let result = squares / count - mean * mean
    return SIMD4(Float(max(0, result.x)), Float(max(0, result.y)), Float(max(0, result.z)), 0)
  }
}

/// Roots of brightness of the composite, as ``ReducedDetail/grey``.
enum GreyRoots {
  private static let rowsPerBand = 32

  static func image(of pixels: Image<RGB<Float>>, _ light: FusionLight, _ resources: Resources) -> Image<Float> {
    var grey = Image<Float>(uninitialized: pixels.size, in: resources.pool)
    let balance = light.domain.balance
    pixels.withRows { from in
      grey.withMutableRows { to in
        resources.workers.forEachBand(of: to.height, rowsPerBand: rowsPerBand) { band in
          for y in band {
            let (row, out) = (from.row(y), to.row(y))
            for x in 0..<to.width {
              let p = row[x]
              out[x] = light.grey(SIMD4(p.red * balance.x, p.green * balance.y, p.blue * balance.z, 0))
            }
          }
        }
      }
    }
    return grey
  }
}
