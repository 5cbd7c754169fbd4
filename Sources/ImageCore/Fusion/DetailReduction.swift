import CVector

/// One picture a colour.
struct ColourPlanes<Pixel: BitwiseCopyable & Sendable>: Sendable {
  var red: Image<Pixel>
  var green: Image<Pixel>
  var blue: Image<Pixel>

  init(_ size: PixelSize, _ pool: MemoryPool?) {
    (red, green, blue) = (
      Image(uninitialized: size, in: pool), Image(uninitialized: size, in: pool), Image(uninitialized: size, in: pool)
    )
  }

  subscript(colour: Int) -> Image<Pixel> { colour == 0 ? red : colour == 1 ? green : blue }
}

/// What remains of the detail frame after it was read once: its picture at the result's size, and what registration
/// and matching need.
struct ReducedDetail: Sendable {
  /// Codes of ``FusionDomain`` at the result's size; light is not yet matched to the composite.
  var planes: ColourPlanes<Int16>
  /// Roots of brightness on the composite's grid, cut at ``FusionLight/ceiling``.
  var grey: Image<Float>
  /// Mean light of blocks; the fourth lane is the largest sample of any colour in parts of its saturation.
  var blocks: Image<SIMD4<Float>>
}

/// How light is judged on the composite's grid.
struct FusionLight: Sendable {
  /// Composite pixels along a block's side.
  static let blockSide = 4
  /// Samples at this part of the white level count as saturated.
  static let saturated: Float = 0.95

  let domain: FusionDomain
  /// White-balanced composite light of the detail frame's white, for each colour.
  let white: SIMD4<Float>
  /// Roots of light at which the detail frame saturates.
  let ceiling: SIMD4<Float>

  init(domain: FusionDomain, lightAtWhite: Double) {
    self.domain = domain
    white = domain.balance * Float(lightAtWhite)
    let cut = white * Self.saturated
    ceiling = SIMD4(domain.root(cut.x), domain.root(cut.y), domain.root(cut.z), 1)
  }

  /// Brightness of white-balanced light as a root, cut where the detail frame saturates.
  @inline(__always)
  func grey(_ light: SIMD4<Float>) -> Float {
    let r = min(domain.root(light.x), ceiling.x)
    let g = min(domain.root(light.y), ceiling.y)
    let b = min(domain.root(light.z), ceiling.z)
    return 0.25 * r + 0.5 * g + 0.25 * b
  }
}

/// Reads the detail frame band by band and reduces it.
struct DetailReduction {
  let geometry: FusionGeometry
  let light: FusionLight
  /// Units of the detail frame in white-balanced composite light.
  let scale: SIMD4<Float>
  let resources: Resources
  private let taps: FusionTaps.Shrink

  private static let rowsPerTile = 8
  /// Floats of a row that are summed at once, so that they stay in the first cache.
  private static let chunk = 2048

  init(_ geometry: FusionGeometry, light: FusionLight, resources: Resources) {
    (self.geometry, self.light, self.resources) = (geometry, light, resources)
    scale = light.white
    taps = FusionTaps.Shrink(numerator: geometry.numerator, denominator: geometry.denominator)
  }

  static func blockGrid(_ composite: PixelSize) -> PixelSize {
    let side = FusionLight.blockSide
    return PixelSize(width: (composite.width + side - 1) / side, height: (composite.height + side - 1) / side)
  }

  func run(_ detail: FusionDetail) -> ReducedDetail {
    let size = geometry.detail
    var reduced = ReducedDetail(
      planes: ColourPlanes(geometry.size, resources.pool),
      grey: Image(uninitialized: geometry.composite, in: resources.pool),
      blocks: Image(uninitialized: Self.blockGrid(geometry.composite), in: resources.pool))
    // Rows of the bands before that are still needed.
    let kept = max(taps.taps, FusionGeometry.cluster * FusionLight.blockSide) + FusionGeometry.cluster
    var carry = Image<RGB<Float>>(uninitialized: PixelSize(width: size.width, height: kept), in: resources.pool)
    var (rowsDone, blocksDone) = (0, 0)
    var band = Image<RGB<Float>>(
      uninitialized: PixelSize(width: size.width, height: min(size.height, FusionDetail.rowsPerBand)),
      in: resources.pool)
    for start in stride(from: 0, to: size.height, by: FusionDetail.rowsPerBand) {
      let end = min(size.height, start + FusionDetail.rowsPerBand)
      if end - start < band.height {
        band = band.cropped(to: PixelRect(x: 0, y: 0, width: size.width, height: end - start))
      }
      detail.read(start..<end, &band)
      band.withRows { new in
        carry.withRows { old in
          let rows = DetailRows(new: new, old: old, start: start, height: size.height)
          let rowsReady = ready(geometry.size.height, from: rowsDone, end == size.height) { taps.last($0) < end }
          shrink(rows, rowsDone..<rowsReady, into: &reduced.planes)
          rowsDone = rowsReady
          let blocksReady = ready(reduced.blocks.height, from: blocksDone, end == size.height) {
            geometry.originY + FusionGeometry.cluster * FusionLight.blockSide * ($0 + 1) <= end
          }
          bin(rows, blocksDone..<blocksReady, into: &reduced)
          blocksDone = blocksReady
        }
      }
      keep(&carry, of: band, start: start)
    }
    return reduced
  }

  private func ready(_ count: Int, from done: Int, _ isLast: Bool, _ isReady: (Int) -> Bool) -> Int {
    if isLast { return count }
    var next = done
    while next < count, isReady(next) { next += 1 }
    return next
  }

  /// The last rows of what was read so far, whose last is the band's last.
  private func keep(_ carry: inout Image<RGB<Float>>, of band: Image<RGB<Float>>, start: Int) {
    let count = carry.height
    let fresh = min(count, band.height)
    carry.withMutableRows { to in
      for row in 0..<count - fresh { to.row(row).update(from: to.row(row + fresh), count: to.width) }
      band.withRows { from in
        for row in 0..<fresh {
          to.row(count - fresh + row).update(from: from.row(band.height - fresh + row), count: to.width)
        }
      }
    }
  }

  // MARK: to the result's size

  private func shrink(_ rows: DetailRows, _ range: Range<Int>, into planes: inout ColourPlanes<Int16>) {
    planes.red.withMutableRows { red in
      planes.green.withMutableRows { green in
        planes.blue.withMutableRows { blue in
          let count = (range.count + Self.rowsPerTile - 1) / Self.rowsPerTile
          let pad = taps.taps
          let planar = 3 * geometry.size.width
          let floats = 3 * (geometry.detail.width + 2 * pad) + 8 + planar
          resources.workers.forEach(tiles: count, scratch: { [Float](repeating: 0, count: floats) }) { tile, line in
            let first = range.lowerBound + tile * Self.rowsPerTile
            for y in first..<min(range.upperBound, first + Self.rowsPerTile) {
              line.withUnsafeMutableBufferPointer { buffer in
                let base = buffer.baseAddress!
                sumRows(rows, y, into: base + 3 * pad)
                extend(base, pad)
                sumColumns(base + 3 * pad, base + floats - planar, (red.row(y), green.row(y), blue.row(y)))
              }
            }
          }
        }
      }
    }
  }

  private func sumRows(_ rows: DetailRows, _ y: Int, into out: UnsafeMutablePointer<Float>) {
    let count = 3 * geometry.detail.width
    let first = taps.first(y)
    let index = taps.weightIndex(y)
    for start in stride(from: 0, to: count, by: Self.chunk) {
      let part = min(Self.chunk, count - start)
      let to = out + start
      for tap in 0..<taps.taps {
        let weight = taps.weights[index + tap]
        let from = rows.floats(first + tap) + start
        if tap == 0 {
          for x in 0..<part { to[x] = weight * from[x] }
        } else {
          for x in 0..<part { to[x] += weight * from[x] }
        }
      }
    }
  }

  /// Repeats the first and the last pixel beyond the row.
  private func extend(_ base: UnsafeMutablePointer<Float>, _ pad: Int) {
    let width = geometry.detail.width
    for x in 0..<pad {
      for c in 0..<3 {
        base[3 * x + c] = base[3 * pad + c]
        base[3 * (pad + width + x) + c] = base[3 * (pad + width - 1) + c]
      }
    }
  }

  /// `planar` holds three lines of the result's width.
  private func sumColumns(
    _ line: UnsafePointer<Float>, _ planar: UnsafeMutablePointer<Float>,
    _ out: (UnsafeMutablePointer<Int16>, UnsafeMutablePointer<Int16>, UnsafeMutablePointer<Int16>)
  ) {
    let domain = light.domain
    let width = geometry.size.width
    let (red, green, blue) = (planar, planar + width, planar + 2 * width)
    taps.weights.withUnsafeBufferPointer { weights in
      taps.starts.withUnsafeBufferPointer { starts in
        let weights = weights.baseAddress!
        for cycle in stride(from: 0, to: width, by: starts.count) {
          let from = line + 3 &* (cycle / starts.count &* geometry.denominator)
          for phase in 0..<min(starts.count, width - cycle) {
            let sum = cv_sum_rgb(from + 3 &* starts[phase], weights + phase &* taps.taps, taps.taps)
            (red[cycle &+ phase], green[cycle &+ phase], blue[cycle &+ phase]) = (sum.x, sum.y, sum.z)
          }
        }
      }
    }
    let scale = scale
    for x in 0..<width { out.0[x] = domain.code(domain.root(red[x] * scale.x)) }
    for x in 0..<width { out.1[x] = domain.code(domain.root(green[x] * scale.y)) }
    for x in 0..<width { out.2[x] = domain.code(domain.root(blue[x] * scale.z)) }
  }
}

/// Rows of the current band and of the end of the one before.
struct DetailRows: Sendable {
  let new: PixelRows<RGB<Float>>
  let old: PixelRows<RGB<Float>>
  /// The first row of the band.
  let start: Int
  let height: Int

  /// Row `y`, or the border row nearest to it.
  func pixels(_ y: Int) -> UnsafePointer<RGB<Float>> {
    let inside = max(0, min(height - 1, y))
    return inside >= start ? new.row(inside - start) : old.row(old.height - (start - inside))
  }

  func floats(_ y: Int) -> UnsafePointer<Float> {
    UnsafeRawPointer(pixels(y)).assumingMemoryBound(to: Float.self)
  }
}
