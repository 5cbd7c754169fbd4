/// Smallest and largest displacements.
struct FlowRange: Sendable {
  var leastX: Float = 0
  var mostX: Float = 0
  var leastY: Float = 0
  var mostY: Float = 0
}

extension TileFlow {
  /// The tile before a place and the way to the next; beyond the outer tiles' centres the outer displacement holds.
  private func slot(_ place: Double, _ count: Int) -> (first: Int, part: Float) {
    let v = (place - Double(spacing - 1) / 2) / Double(spacing)
    let inside = max(0, min(Double(count - 1), v))
    let first = max(0, min(count - 2, Int(inside)))
    return (first, Float(inside - Double(first)))
  }

  func columnSlot(_ place: Double) -> (first: Int, part: Float) { slot(place, columns) }

  /// Displacements times `scale` at row `place` of the picture, for every tile column.
  func line(y place: Double, scale: Float = 1, x outX: inout [Float], y outY: inout [Float]) {
    if outX.count != columns {
      outX = [Float](repeating: 0, count: columns)
      outY = outX
    }
    let (top, part) = slot(place, rows)
    let bottom = min(rows - 1, top + 1)
    for column in 0..<columns {
      let (a, b) = (top * columns + column, bottom * columns + column)
      outX[column] = scale * (x[a] + part * (x[b] - x[a]))
      outY[column] = scale * (y[a] + part * (y[b] - y[a]))
    }
  }

  /// The displacement at column `place` in such a row.
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
