import CVector

/// The composite on the result's grid, part by part.
///
/// - Source: Lanczos interpolation as in ``Resample``; places are exact where nothing moves.
struct CompositeSampler: Sendable {
  let geometry: FusionGeometry
  let domain: FusionDomain
  /// `nil` when nothing moves.
  let flow: TileFlow?
  private let taps: FusionTaps.Enlarge

  /// Pixels around what displacements reach: the taps and one for rounding.
  private static let margin = FusionTaps.Enlarge.taps / 2 + 1

  init(_ geometry: FusionGeometry, domain: FusionDomain, flow: TileFlow?) {
    (self.geometry, self.domain, self.flow) = (geometry, domain, flow)
    taps = FusionTaps.Enlarge(phases: geometry.compositePhases)
  }

  /// The composite's pixels around a part of the result, the border repeated where it is left; and where the part's
  /// columns lie in them.
  struct Patch {
    var pixels: [Float] = []
    var x = 0
    var y = 0
    var width = 0
    var height = 0
    /// Whether any sample is saturated, see ``FusionDomain/saturated``.
    var isSaturated = false
    /// Of each column: its place in the patch in steps, and where it lies between columns of the flow.
    var places: [Int32] = []
    var tiles: [Int32] = []
    var parts: [Float] = []
    /// Of each column for one row: the composite's pixel before it, and steps from there.
    var columns: [Int32] = []
    var rows: [Int32] = []
    var acrosses: [Int32] = []
    var downs: [Int32] = []
    /// Sums of six rows.
    var line: [Float] = []
    /// Displacements in steps at the flow's columns, for one row.
    var lineX: [Float] = []
    var lineY: [Float] = []
  }

  /// Copies what the rectangle of the result (inside it) needs.
  func prepare(_ rect: PixelRect, of composite: PixelRows<RGB<Float>>, patch: inout Patch) {
    let (left, right) = (geometry.compositeX(rect.x), geometry.compositeX(rect.x + rect.width - 1))
    let (top, bottom) = (geometry.compositeY(rect.y), geometry.compositeY(rect.y + rect.height - 1))
    let reach = flow?.range(left: left, right: right, top: top, bottom: bottom) ?? FlowRange()
    patch.x = Int((left + Double(reach.leastX)).rounded(.down)) - Self.margin
    patch.y = Int((top + Double(reach.leastY)).rounded(.down)) - Self.margin
    patch.width = Int((right + Double(reach.mostX)).rounded(.up)) + Self.margin - patch.x + 1
    patch.height = Int((bottom + Double(reach.mostY)).rounded(.up)) + Self.margin - patch.y + 1
    // The vector loads read up to eight floats beyond the last pixel.
    let needed = 3 * patch.width * patch.height + 16
    if patch.pixels.count < needed { patch.pixels = [Float](repeating: 0, count: needed) }
    let (x, width) = (patch.x, patch.width)
    var most = SIMD4<Float>.zero
    patch.pixels.withUnsafeMutableBufferPointer { buffer in
      for row in 0..<patch.height {
        let from = composite.row(max(0, min(composite.height - 1, patch.y + row)))
        let to = buffer.baseAddress! + 3 * width * row
        for slot in 0..<width {
          let pixel = from[max(0, min(composite.width - 1, x &+ slot))]
          (to[3 &* slot], to[3 &* slot &+ 1], to[3 &* slot &+ 2]) = (pixel.red, pixel.green, pixel.blue)
          if pixel.red > most.x { most.x = pixel.red }
          if pixel.green > most.y { most.y = pixel.green }
          if pixel.blue > most.z { most.z = pixel.blue }
        }
      }
    }
    most *= domain.balance
    patch.isSaturated = max(most.x, most.y, most.z) >= FusionDomain.saturated
    preparePlaces(rect, &patch)
  }

  private func preparePlaces(_ rect: PixelRect, _ patch: inout Patch) {
    patch.places.removeAll(keepingCapacity: true)
    patch.tiles.removeAll(keepingCapacity: true)
    patch.parts.removeAll(keepingCapacity: true)
    let none = [Int32](repeating: 0, count: rect.width)
    (patch.columns, patch.rows, patch.acrosses, patch.downs) = (none, none, none, none)
    // The vector stores go up to seven floats beyond the last.
    let needed = 3 * patch.width + 16
    if patch.line.count < needed { patch.line = [Float](repeating: 0, count: needed) }
    for i in 0..<rect.width {
      let place = geometry.compositeX(rect.x + i)
      patch.places.append(Int32(((place - Double(patch.x)) * Double(taps.steps)).rounded()))
      if let slot = flow?.columnSlot(place) {
        patch.tiles.append(Int32(slot.first))
        patch.parts.append(slot.part)
      }
    }
  }

  /// Roots of white-balanced light of row `y` of the rectangle that the patch was prepared for.
  func row(
    y: Int, patch: inout Patch, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    blue: UnsafeMutablePointer<Float>
  ) {
    let count = patch.places.count
    let place = Int32(((geometry.compositeY(y) - Double(patch.y)) * Double(taps.steps)).rounded())
    if let flow {
      flow.line(y: geometry.compositeY(y), scale: Float(taps.steps), x: &patch.lineX, y: &patch.lineY)
      displace(place, &patch)
    } else {
      for i in 0..<count { patch.downs[i] = place }
    }
    split(&patch)
    sum(&patch, (red, green, blue))
    if patch.isSaturated { hold(patch, (red, green, blue)) }
    let balance = domain.balance
    encode(red, count, balance.x)
    encode(green, count, balance.y)
    encode(blue, count, balance.z)
  }

  private typealias Lines = (
    UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
  )

  /// Places of a row where the flow says.
  private func displace(_ place: Int32, _ patch: inout Patch) {
    let last = Int32(patch.lineX.count - 1)
    let count = patch.places.count
    patch.lineX.withUnsafeBufferPointer { lineX in
      patch.lineY.withUnsafeBufferPointer { lineY in
        patch.acrosses.withUnsafeMutableBufferPointer { acrosses in
          patch.downs.withUnsafeMutableBufferPointer { downs in
            for i in 0..<count {
              let (tile, part) = (Int(patch.tiles[i]), patch.parts[i])
              let next = Int(min(last, patch.tiles[i] &+ 1))
              let dx = lineX[tile] + part * (lineX[next] - lineX[tile])
              let dy = lineY[tile] + part * (lineY[next] - lineY[tile])
              acrosses[i] = patch.places[i] &+ WholeNumber.nearest(dx)
              downs[i] = place &+ WholeNumber.nearest(dy)
            }
          }
        }
      }
    }
  }

  /// Whole pixels and steps within them.
  private func split(_ patch: inout Patch) {
    let (steps, unit) = (Int32(taps.steps), 1 / Float(taps.steps))
    func divide(_ places: inout [Int32], _ pixels: inout [Int32]) {
      places.withUnsafeMutableBufferPointer { places in
        pixels.withUnsafeMutableBufferPointer { pixels in
          for i in 0..<places.count {
            // The product is rounded up for half of the places, which the rest tells.
            var pixel = WholeNumber.nearest(Float(places[i]) * unit)
            var rest = places[i] &- pixel &* steps
            let below: Int32 = rest < 0 ? 1 : 0
            pixel = pixel &- below
            rest = rest &+ below &* steps
            let above: Int32 = rest >= steps ? 1 : 0
            (pixels[i], places[i]) = (pixel &+ above, rest &- above &* steps)
          }
        }
      }
    }
    if flow == nil { patch.acrosses = patch.places }
    divide(&patch.acrosses, &patch.columns)
    divide(&patch.downs, &patch.rows)
  }

  /// Runs of one vertical place are summed downwards once for all their pixels.
  private func sum(_ patch: inout Patch, _ out: Lines) {
    let stride = 3 * patch.width
    let count = patch.places.count
    let tapCount = FusionTaps.Enlarge.taps
    taps.weights.withUnsafeBufferPointer { weights in
      patch.line.withUnsafeMutableBufferPointer { line in
        let (weights, line) = (weights.baseAddress!, line.baseAddress!)
        patch.pixels.withUnsafeBufferPointer { pixels in
          let pixels = pixels.baseAddress! - 2 * stride - 6
          var start = 0
          while start < count {
            let (row, down) = (patch.rows[start], patch.downs[start])
            var end = start + 1
            while end < count, patch.downs[end] == down, patch.rows[end] == row { end += 1 }
            let from = pixels + Int(row) &* stride
            let weightsDown = weights + Int(down) &* tapCount
            if end - start < Self.shortestRun {
              for i in start..<end {
                let sum = cv_sum6x6_rgb(
                  from + 3 &* Int(patch.columns[i]), stride, weights + Int(patch.acrosses[i]) &* tapCount, weightsDown
                )
                (out.0[i], out.1[i], out.2[i]) = (sum.x, sum.y, sum.z)
              }
            } else {
              // Columns grow along a row but for displacements, whose bounds the patch knows.
              let columns = patch.columns[start..<end]
              let (first, last) = (Int(columns.min()!), Int(columns.max()!))
              cv_sum6_rows(from + 3 &* first, stride, weightsDown, line, 3 &* (last - first + tapCount) + 1)
              for i in start..<end {
                let sum = cv_sum6_rgb(
                  line + 3 &* (Int(patch.columns[i]) - first), weights + Int(patch.acrosses[i]) &* tapCount)
                (out.0[i], out.1[i], out.2[i]) = (sum.x, sum.y, sum.z)
              }
            }
            start = end
          }
        }
      }
    }
  }

  /// Beside saturated samples light stays between its four neighbours: what interpolation adds there is no light, and
  /// as colours saturate at different places it would be coloured.
  private func hold(_ patch: Patch, _ out: Lines) {
    let stride = 3 * patch.width
    let saturated = FusionDomain.saturated * domain.inverseBalance
    patch.pixels.withUnsafeBufferPointer { pixels in
      for i in 0..<patch.places.count {
        let place = pixels.baseAddress! + Int(patch.rows[i]) * stride + 3 * Int(patch.columns[i])
        for (colour, line) in [(0, out.0), (1, out.1), (2, out.2)] {
          let near = (place[colour], place[colour + 3], place[colour + stride], place[colour + stride + 3])
          let most = max(max(near.0, near.1), max(near.2, near.3))
          guard most >= saturated[colour] else { continue }
          line[i] = min(most, max(min(min(near.0, near.1), min(near.2, near.3)), line[i]))
        }
      }
    }
  }

  /// Pixels for which summing downwards beforehand pays.
  private static let shortestRun = 8

  private func encode(_ line: UnsafeMutablePointer<Float>, _ count: Int, _ gain: Float) {
    let domain = domain
    for i in 0..<count { line[i] = domain.root(line[i] * gain) }
  }
}
