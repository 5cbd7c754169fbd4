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
    /// Of each column: its place in the patch in steps, and where it lies between columns of the flow.
    var places: [Int32] = []
    var tiles: [Int32] = []
    var parts: [Float] = []
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
    // The vector loads read one float beyond the last pixel.
    let needed = 3 * patch.width * patch.height + 8
    if patch.pixels.count < needed { patch.pixels = [Float](repeating: 0, count: needed) }
    let (x, width) = (patch.x, patch.width)
    patch.pixels.withUnsafeMutableBufferPointer { buffer in
      for row in 0..<patch.height {
        let from = composite.row(max(0, min(composite.height - 1, patch.y + row)))
        let to = buffer.baseAddress! + 3 * width * row
        for slot in 0..<width {
          let pixel = from[max(0, min(composite.width - 1, x &+ slot))]
          (to[3 &* slot], to[3 &* slot &+ 1], to[3 &* slot &+ 2]) = (pixel.red, pixel.green, pixel.blue)
        }
      }
    }
    preparePlaces(rect, &patch)
  }

  private func preparePlaces(_ rect: PixelRect, _ patch: inout Patch) {
    patch.places.removeAll(keepingCapacity: true)
    patch.tiles.removeAll(keepingCapacity: true)
    patch.parts.removeAll(keepingCapacity: true)
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
    let lines = (red, green, blue)
    if let flow {
      flow.line(y: geometry.compositeY(y), scale: Float(taps.steps), x: &patch.lineX, y: &patch.lineY)
      displaced(place, patch, lines)
    } else {
      still(place, patch, lines)
    }
    let balance = domain.balance
    encode(red, count, balance.x)
    encode(green, count, balance.y)
    encode(blue, count, balance.z)
  }

  private typealias Lines = (
    UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
  )

  private func still(_ place: Int32, _ patch: Patch, _ out: Lines) {
    let (steps, tapCount) = (Int32(taps.steps), FusionTaps.Enlarge.taps)
    let stride = 3 * patch.width
    let row = place / steps
    taps.weights.withUnsafeBufferPointer { weights in
      patch.pixels.withUnsafeBufferPointer { pixels in
        patch.places.withUnsafeBufferPointer { places in
          let base = pixels.baseAddress! + (Int(row) - 2) * stride - 6
          let down = weights.baseAddress! + Int(place - row * steps) * tapCount
          for i in 0..<places.count {
            let column = places[i] / steps
            let across = weights.baseAddress! + Int(places[i] &- column &* steps) &* tapCount
            let sum = cv_sum6x6_rgb(base + 3 &* Int(column), stride, across, down)
            (out.0[i], out.1[i], out.2[i]) = (sum.x, sum.y, sum.z)
          }
        }
      }
    }
  }

  private func displaced(_ place: Int32, _ patch: Patch, _ out: Lines) {
    let (steps, tapCount) = (Int32(taps.steps), FusionTaps.Enlarge.taps)
    let stride = 3 * patch.width
    let last = Int32(patch.lineX.count - 1)
    taps.weights.withUnsafeBufferPointer { weights in
      patch.pixels.withUnsafeBufferPointer { pixels in
        patch.lineX.withUnsafeBufferPointer { lineX in
          patch.lineY.withUnsafeBufferPointer { lineY in
            for i in 0..<patch.places.count {
              let (tile, part) = (Int(patch.tiles[i]), patch.parts[i])
              let next = Int(min(last, patch.tiles[i] &+ 1))
              let (dx, dy) = (
                lineX[tile] + part * (lineX[next] - lineX[tile]), lineY[tile] + part * (lineY[next] - lineY[tile])
              )
              let h = patch.places[i] &+ Int32(dx.rounded(.toNearestOrEven))
              let v = place &+ Int32(dy.rounded(.toNearestOrEven))
              let (column, row) = (h / steps, v / steps)
              let sum = cv_sum6x6_rgb(
                pixels.baseAddress! + ((Int(row) &- 2) &* stride &+ 3 &* Int(column) &- 6), stride,
                weights.baseAddress! + Int(h &- column &* steps) &* tapCount,
                weights.baseAddress! + Int(v &- row &* steps) &* tapCount)
              (out.0[i], out.1[i], out.2[i]) = (sum.x, sum.y, sum.z)
            }
          }
        }
      }
    }
  }

  private func encode(_ line: UnsafeMutablePointer<Float>, _ count: Int, _ gain: Float) {
    let domain = domain
    for i in 0..<count { line[i] = domain.root(line[i] * gain) }
  }
}
