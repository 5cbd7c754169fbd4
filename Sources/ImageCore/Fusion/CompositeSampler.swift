import CVector

/// Places of the composite for the rows and columns of a part of the result.
///
/// - Source: Lanczos interpolation as in ``Resample``; places are exact where nothing moves.
struct CompositeSampler: Sendable {
  let geometry: FusionGeometry
  let domain: FusionDomain
  /// `nil` when nothing moves.
  let flow: TileFlow?
  private let taps: FusionTaps.Enlarge

  init(_ geometry: FusionGeometry, domain: FusionDomain, flow: TileFlow?) {
    (self.geometry, self.domain, self.flow) = (geometry, domain, flow)
    taps = FusionTaps.Enlarge(phases: geometry.compositePhases)
  }

  /// The composite's pixels around a part of the result, the border repeated where it is left.
  struct Patch {
    var pixels: [Float] = []
    var x = 0
    var y = 0
    var width = 0
    var height = 0
    var line: [Float] = []
    var lineY: [Float] = []
  }

  /// Copies what the rectangle of the result (inside it) needs.
  func prepare(_ rect: PixelRect, of composite: PixelRows<RGB<Float>>, patch: inout Patch) {
    let (left, right) = (geometry.compositeX(rect.x), geometry.compositeX(rect.x + rect.width - 1))
    let (top, bottom) = (geometry.compositeY(rect.y), geometry.compositeY(rect.y + rect.height - 1))
    let reach = flow?.range(left: left, right: right, top: top, bottom: bottom) ?? FlowRange()
    let margin = Double(FusionTaps.Enlarge.taps / 2 + 1)
    patch.x = Int((left + Double(reach.leastX) - margin).rounded(.down))
    patch.y = Int((top + Double(reach.leastY) - margin).rounded(.down))
    patch.width = Int((right + Double(reach.mostX) + margin).rounded(.up)) - patch.x + 1
    patch.height = Int((bottom + Double(reach.mostY) + margin).rounded(.up)) - patch.y + 1
    let needed = 3 * patch.width * patch.height + 8
    if patch.pixels.count < needed { patch.pixels = [Float](repeating: 0, count: needed) }
    let columns = patch.x..<patch.x + patch.width
    patch.pixels.withUnsafeMutableBufferPointer { buffer in
      for row in 0..<patch.height {
        let from = composite.row(max(0, min(composite.height - 1, patch.y + row)))
        let to = buffer.baseAddress! + 3 * patch.width * row
        for (slot, x) in columns.enumerated() {
          let pixel = from[max(0, min(composite.width - 1, x))]
          (to[3 * slot], to[3 * slot + 1], to[3 * slot + 2]) = (pixel.red, pixel.green, pixel.blue)
        }
      }
    }
  }

  /// Roots of white-balanced light of `count` result pixels of row `y` from column `x` on.
  func row(
    y: Int, x: Int, count: Int, patch: inout Patch, red: UnsafeMutablePointer<Float>,
    green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>
  ) {
    let steps = taps.steps
    let placeY = geometry.compositeY(y)
    if let flow { flow.line(y: placeY, x: &patch.line, y: &patch.lineY) }
    let stride = 3 * patch.width
    taps.weights.withUnsafeBufferPointer { weights in
      patch.pixels.withUnsafeBufferPointer { pixels in
        for i in 0..<count {
          let placeX = geometry.compositeX(x &+ i)
          var (h, v) = (Int((placeX * Double(steps)).rounded()), Int((placeY * Double(steps)).rounded()))
          if let flow {
            let d = flow.displacement(x: placeX, patch.line, patch.lineY)
            h += Int((d.x * Float(steps)).rounded())
            v += Int((d.y * Float(steps)).rounded())
          }
          // Places are above -steps × patch margin; shift by the patch's origin before dividing.
          h -= patch.x * steps
          v -= patch.y * steps
          let (column, row) = (h / steps, v / steps)
          let from = pixels.baseAddress! + ((row &- 2) &* stride &+ 3 &* (column &- 2))
          let sum = cv_sum6x6_rgb(
            from, stride, weights.baseAddress! + (h &- column &* steps) &* FusionTaps.Enlarge.taps,
            weights.baseAddress! + (v &- row &* steps) &* FusionTaps.Enlarge.taps)
          red[i] = sum.x
          green[i] = sum.y
          blue[i] = sum.z
        }
      }
    }
    let balance = domain.balance
    encode(red, count, balance.x)
    encode(green, count, balance.y)
    encode(blue, count, balance.z)
  }

  private func encode(_ line: UnsafeMutablePointer<Float>, _ count: Int, _ gain: Float) {
    let domain = domain
    for i in 0..<count { line[i] = domain.root(line[i] * gain) }
  }
}

/// Smallest and largest displacements.
struct FlowRange: Sendable {
  var leastX: Float = 0
  var mostX: Float = 0
  var leastY: Float = 0
  var mostY: Float = 0
}

extension TileFlow {
  private func slot(_ place: Double, _ count: Int) -> (first: Int, part: Float) {
    let v = (place - Double(spacing - 1) / 2) / Double(spacing)
    // Beyond the outer tiles' centres the outer displacement holds.
    let inside = max(0, min(Double(count - 1), v))
    let first = max(0, min(count - 2, Int(inside)))
    return (first, Float(inside - Double(first)))
  }

  /// Displacements between tile rows, at row `y` of the picture, for every tile column.
  func line(y place: Double, x outX: inout [Float], y outY: inout [Float]) {
    if outX.count != columns {
      (outX, outY) = ([Float](repeating: 0, count: columns), [Float](repeating: 0, count: columns))
    }
    let (top, part) = slot(place, rows)
    let bottom = min(rows - 1, top + 1)
    for column in 0..<columns {
      let (a, b) = (top * columns + column, bottom * columns + column)
      outX[column] = x[a] + part * (x[b] - x[a])
      outY[column] = y[a] + part * (y[b] - y[a])
    }
  }

  /// The displacement at column `x` in such a row.
  @inline(__always)
  func displacement(x place: Double, _ lineX: [Float], _ lineY: [Float]) -> (x: Float, y: Float) {
    let (left, part) = slot(place, columns)
    let right = min(columns - 1, left + 1)
    return (lineX[left] + part * (lineX[right] - lineX[left]), lineY[left] + part * (lineY[right] - lineY[left]))
  }

  /// Bounds of the displacements in a part of the picture: of the tiles around it.
  func range(left: Double, right: Double, top: Double, bottom: Double) -> FlowRange {
    let (firstX, lastX) = (slot(left, columns).first, min(columns - 1, slot(right, columns).first + 1))
    let (firstY, lastY) = (slot(top, rows).first, min(rows - 1, slot(bottom, rows).first + 1))
    let start = firstY * columns + firstX
    var range = FlowRange(leastX: x[start], mostX: x[start], leastY: y[start], mostY: y[start])
    for row in firstY...lastY {
      for column in firstX...lastX {
        let index = row * columns + column
        range.leastX = min(range.leastX, x[index])
        range.mostX = max(range.mostX, x[index])
        range.leastY = min(range.leastY, y[index])
        range.mostY = max(range.mostY, y[index])
      }
    }
    return range
  }
}
