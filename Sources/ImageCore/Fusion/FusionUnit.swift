/// One unit of the result, with its halo.
struct FusionUnit {
  let merger: FusionMerger
  let core: PixelRect
  let scratch: UnitScratch
  /// The part of the result that is inside unit and halo.
  let inside: PixelRect
  /// Where that starts in the buffers.
  private let left: Int
  private let top: Int
  /// Whether no mask reaches into it.
  private var isPlain = true

  private var span: Int { scratch.span }
  var domain: FusionDomain { merger.plan.light.domain }

  init(merger: FusionMerger, core: PixelRect, scratch: UnitScratch) {
    (self.merger, self.core, self.scratch) = (merger, core, scratch)
    let halo = merger.masks == nil ? 0 : DifferenceTiles.halo
    let around = PixelRect(
      x: core.x - halo, y: core.y - halo, width: DifferenceTiles.unit + 2 * halo,
      height: DifferenceTiles.unit + 2 * halo)
    inside = around.intersection(PixelRect(merger.plan.geometry.size))
    (left, top) = (inside.x - core.x + DifferenceTiles.halo, inside.y - core.y + DifferenceTiles.halo)
    isPlain = findPlain()
  }

  @inline(__always)
  private func offset(_ y: Int) -> Int { (top + y) * span + left }

  /// Roots of the composite on the result's grid.
  func sampleComposite(_ composite: PixelRows<RGB<Float>>) {
    merger.sampler.prepare(inside, of: composite, patch: &scratch.patch)
    for y in 0..<inside.height {
      let at = offset(y)
      merger.sampler.row(
        y: inside.y + y, patch: &scratch.patch, red: scratch.base[0] + at,
        green: scratch.base[1] + at, blue: scratch.base[2] + at)
    }
  }

  /// Adds what of the detail frame stands above the noise.
  func addDifference(_ shrinkage: [TileShrinkage]) {
    for y in 0..<inside.height { prepareRow(y) }
    for plane in scratch.difference + [scratch.base[0]] { mirror(plane) }
    let count = span * span
    // Brightness, the last, tells how much detail there is.
    for plane in [1, 2, 0] {
      scratch.sum[plane].update(repeating: 0, count: count)
      scratch.taken.withUnsafeMutableBufferPointer { taken in
        shrinkage[plane].run(
          scratch.difference[plane], brightness: scratch.base[0], into: scratch.sum[plane],
          taken: taken.baseAddress!, scratch: &scratch.tiles!)
      }
    }
    for y in 0..<core.height { finishRow(y) }
  }

  /// Replaces a row of the composite's roots by Y, C1, C2 (the detail frame's low frequencies where it stands alone)
  /// and makes its difference to the detail frame.
  private func prepareRow(_ y: Int) {
    guard let masks = merger.masks else { return }
    let (count, at) = (inside.width, offset(y))
    let (r, g, b) = (scratch.base[0] + at, scratch.base[1] + at, scratch.base[2] + at)
    let lines = scratch.lines
    detailRow(y, into: (lines[0], lines[1], lines[2]))
    settleSaturated(y, composite: [r, g, b], detail: [lines[0], lines[1], lines[2]])
    for x in 0..<count {
      let (red, green, blue) = (r[x], g[x], b[x])
      r[x] = 0.25 * red + 0.5 * green + 0.25 * blue
      g[x] = 0.5 * red - 0.5 * blue
      b[x] = -0.25 * red + 0.5 * green - 0.25 * blue
    }
    if isPlain { lines[9].update(repeating: 1, count: count) } else { applyMasks(masks, y) }
    let usable = lines[9]
    let (y0, c1, c2) = (
      scratch.difference[0] + at, scratch.difference[1] + at, scratch.difference[2] + at
    )
    let (red, green, blue) = (lines[0], lines[1], lines[2])
    for x in 0..<count {
      let (p, q, s) = (red[x], green[x], blue[x])
      y0[x] = usable[x] * (0.25 * p + 0.5 * q + 0.25 * s - r[x])
      c1[x] = usable[x] * (0.5 * p - 0.5 * s - g[x])
      c2[x] = usable[x] * (-0.25 * p + 0.5 * q - 0.25 * s - b[x])
    }
  }

  /// Lays the share of the difference that counts into line 9, and the detail frame's low frequencies in place of the
  /// composite where that does not count.
  private func applyMasks(_ masks: FusionMasks, _ y: Int) {
    let (count, at, lines) = (inside.width, offset(y), scratch.lines)
    let place = BlockPlace(merger.plan.geometry, y: inside.y + y, size: masks.usable.size)
    place.sample(masks.usable, from: inside.x, count: count, into: lines[9])
    guard place.sample(masks.ghost, from: inside.x, count: count, into: lines[10]) else { return }
    place.sample(masks.low, from: inside.x, count: count, into: (lines[11], lines[12], lines[13]))
    let share = lines[10]
    for plane in 0..<3 {
      let (base, low) = (scratch.base[plane] + at, lines[11 + plane])
      for x in 0..<count { base[x] += share[x] * (low[x] - base[x]) }
    }
  }

  /// Whether no mask reaches into the unit.
  private func findPlain() -> Bool {
    guard let masks = merger.masks else { return true }
    let (geometry, side) = (merger.plan.geometry, Double(FusionLight.blockSide))
    func range(_ first: Double, _ last: Double, _ count: Int) -> Range<Int> {
      let from = max(0, min(count - 1, Int((first / side).rounded(.down)) - 1))
      return from..<max(from + 1, min(count, Int((last / side).rounded(.up)) + 2))
    }
    return masks.isPlain(
      columns: range(
        geometry.compositeX(inside.x), geometry.compositeX(inside.x + inside.width - 1), masks.usable.width),
      rows: range(
        geometry.compositeY(inside.y), geometry.compositeY(inside.y + inside.height - 1), masks.usable.height))
  }

  /// Roots of the detail frame's light, matched to the composite's.
  private func detailRow(
    _ y: Int,
    into out: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
  ) {
    let size = merger.plan.geometry.size
    let count = inside.width
    let v = (Float(inside.y + y) + 0.5) / Float(size.height)
    // Zones are far larger than a unit: straight lines between a few places are within a rounding of the surface.
    let step = Self.knots.count
    guard let planes = merger.planes else { return }
    let (lines, match) = (scratch.lines, merger.match.line(v))
    var b = match.inverse((Float(inside.x) + 0.5) / Float(size.width))
    for x in stride(from: 0, to: count, by: step) {
      let a = b
      b = match.inverse((Float(inside.x + x + step) + 0.5) / Float(size.width))
      for colour in 0..<3 {
        let (gain, offset) = (lines[3 + colour] + x, lines[6 + colour] + x)
        let (slope, rise) = (b.gain[colour] - a.gain[colour], b.offset[colour] - a.offset[colour])
        let (first, start) = (a.gain[colour], a.offset[colour])
        Self.knots.withUnsafeBufferPointer { knots in
          for i in 0..<min(step, count - x) {
            gain[i] = first + knots[i] * slope
            offset[i] = start + knots[i] * rise
          }
        }
      }
    }
    let domain = domain
    let unit = 1 / domain.codes
    func matched(_ plane: Image<Int16>, _ to: UnsafeMutablePointer<Float>, _ colour: Int) {
      let (gain, offset) = (UnsafePointer(lines[3 + colour]), UnsafePointer(lines[6 + colour]))
      plane.withRows { rows in
        let from = rows.row(inside.y + y) + inside.x
        for x in 0..<count {
          let light = domain.light(Float(from[x]) * unit)
          to[x] = domain.root(light * gain[x] + offset[x])
        }
      }
    }
    matched(planes.red, out.0, 0)
    matched(planes.green, out.1, 1)
    matched(planes.blue, out.2, 2)
  }

  /// Parts of the way from one place where the match is looked up to the next.
  private static let knots: [Float] = (0..<16).map { Float($0) / 16 }

  /// Fills the halo beyond the result's border by reflection.
  private func mirror(_ plane: UnsafeMutablePointer<Float>) {
    let (width, height) = (inside.width, inside.height)
    func reflected(_ i: Int, _ count: Int) -> Int {
      let period = 2 * count
      let m = ((i % period) + period) % period
      return m < count ? m : period - 1 - m
    }
    if width < span {
      for y in 0..<height {
        let row = plane + (top + y) * span
        for x in 0..<span where x < left || x >= left + width { row[x] = row[left + reflected(x - left, width)] }
      }
    }
    if height < span {
      for y in 0..<span where y < top || y >= top + height {
        (plane + y * span).update(from: plane + (top + reflected(y - top, height)) * span, count: span)
      }
    }
  }

  /// Roots of red, green and blue from Y, C1, C2 with the shrunk difference, which counts as it is where the detail
  /// frame stands alone.
  private func finishRow(_ y: Int) {
    let at = (y + DifferenceTiles.halo) * span + DifferenceTiles.halo
    let (r, g, b) = (scratch.base[0] + at, scratch.base[1] + at, scratch.base[2] + at)
    let (s0, s1, s2) = (scratch.sum[0] + at, scratch.sum[1] + at, scratch.sum[2] + at)
    let share = scratch.lines[10]
    if !isPlain, sampleGhosts(y: core.y + y, into: share) {
      for plane in 0..<3 {
        let (sum, whole) = (scratch.sum[plane] + at, scratch.difference[plane] + at)
        for x in 0..<core.width { sum[x] += share[x] * (whole[x] - sum[x]) }
      }
    }
    for x in 0..<core.width {
      let (luma, c1, c2) = (r[x] + s0[x], g[x] + s1[x], b[x] + s2[x])
      let mean = luma - c2
      r[x] = mean + c1
      g[x] = luma + c2
      b[x] = mean - c1
    }
  }

  /// The tiles' shares that start in this unit's part of the map; their sum in parts of 1.
  func storeTaken(_ map: MutablePixelRows<UInt8>) -> Double {
    let (hop, across) = (DifferenceTiles.hop, DifferenceTiles.across)
    var sum = 0.0
    let (count, ghost) = ((core.width + hop - 1) / hop, scratch.lines[10])
    for y in 0..<(core.height + hop - 1) / hop {
      let hasGhosts = sampleGhosts(y: core.y + y * hop, into: ghost)
      let row = map.row(core.y / hop + y) + core.x / hop
      for x in 0..<count {
        var share = min(1, max(0, scratch.taken[y * across + x]))
        if hasGhosts { share += ghost[x * hop] * (1 - share) }
        row[x] = UInt8((255 * share).rounded())
        sum += Double(share)
      }
    }
    return sum
  }

  /// How far the detail frame stands alone at row `y` of the result; tells whether it does anywhere.
  private func sampleGhosts(y: Int, into out: UnsafeMutablePointer<Float>) -> Bool {
    guard let masks = merger.masks, !isPlain else { return false }
    let place = BlockPlace(merger.plan.geometry, y: y, size: masks.ghost.size)
    return place.sample(masks.ghost, from: core.x, count: core.width, into: out)
  }

  /// Counts of the result from roots.
  func store(_ result: MutablePixelRows<RGB<UInt16>>) {
    let (domain, balance) = (domain, domain.inverseBalance)
    let (black, range) = (Fusion.black, Fusion.white - Fusion.black)
    for y in 0..<core.height {
      let at = (y + DifferenceTiles.halo) * span + DifferenceTiles.halo
      let (r, g, b) = (scratch.base[0] + at, scratch.base[1] + at, scratch.base[2] + at)
      let out = result.row(core.y + y) + core.x
      for x in 0..<core.width {
        out[x] = RGB(
          Self.count(domain.light(r[x]) * balance.x, black, range),
          Self.count(domain.light(g[x]) * balance.y, black, range),
          Self.count(domain.light(b[x]) * balance.z, black, range))
      }
      whiten(y, out)
    }
  }

  @inline(__always)
  private static func count(_ light: Float, _ black: Float, _ range: Float) -> UInt16 {
    let scaled = min(max(light * range + black, 0), Fusion.white)
    return UInt16(truncatingIfNeeded: WholeNumber.nearest(scaled))
  }
}
