/// How much of the structure of two pictures agrees: the correlation of their gradients, which does not care for
/// brightness.
struct GradientCorrelation {
  let reference: PixelRows<Float>
  let other: PixelRows<Float>

  /// The share of the picture that must overlap for a shift to be considered.
  private static let leastOverlap = 0.4

  /// For a whole shift, -1...1; `nil` when too little overlaps or there is no structure.
  func value(shiftX: Int, shiftY: Int) -> Double? {
    let left = max(1, 1 - shiftX)
    let right = min(reference.width - 1, other.width - 1 - shiftX)
    let top = max(1, 1 - shiftY)
    let bottom = min(reference.height - 1, other.height - 1 - shiftY)
    guard right > left, bottom > top,
      Double((right - left) * (bottom - top)) >= Self.leastOverlap * Double(reference.width * reference.height)
    else { return nil }
    var (both, first, second) = (0.0, 0.0, 0.0)
    for y in top..<bottom {
      let (a, aUp, aDown) = (reference.row(y), reference.row(y - 1), reference.row(y + 1))
      let (b, bUp, bDown) = (other.row(y + shiftY), other.row(y + shiftY - 1), other.row(y + shiftY + 1))
      var (sum, sumA, sumB) = (Float(0), Float(0), Float(0))
      for x in left..<right {
        let z = x &+ shiftX
        let (ax, ay) = (a[x &+ 1] - a[x &- 1], aDown[x] - aUp[x])
        let (bx, by) = (b[z &+ 1] - b[z &- 1], bDown[z] - bUp[z])
        sum += ax * bx + ay * by
        sumA += ax * ax + ay * ay
        sumB += bx * bx + by * by
      }
      both += Double(sum)
      first += Double(sumA)
      second += Double(sumB)
    }
    let energy = (first * second).squareRoot()
    return energy > 0 ? both / energy : nil
  }

  /// For a similarity, with interpolation between pixels.
  func value(_ motion: SimilarityMotion) -> Double? {
    let size = PixelSize(width: reference.width, height: reference.height)
    var (both, first, second, count) = (0.0, 0.0, 0.0, 0)
    for y in 1..<size.height - 1 {
      let (a, up, down) = (reference.row(y), reference.row(y - 1), reference.row(y + 1))
      for x in 1..<size.width - 1 {
        let d = motion.displacement(x: Double(x), y: Double(y), in: size)
        let (qx, qy) = (Float(Double(x) + d.x), Float(Double(y) + d.y))
        guard let east = sample(qx + 1, qy), let west = sample(qx - 1, qy), let south = sample(qx, qy + 1),
          let north = sample(qx, qy - 1)
        else { continue }
        let (ax, ay) = (Double(a[x + 1] - a[x - 1]), Double(down[x] - up[x]))
        let (bx, by) = (Double(east - west), Double(south - north))
        both += ax * bx + ay * by
        first += ax * ax + ay * ay
        second += bx * bx + by * by
        count += 1
      }
    }
    let energy = (first * second).squareRoot()
    guard energy > 0, Double(count) >= Self.leastOverlap * Double(size.area) else { return nil }
    return both / energy
  }

  private func sample(_ x: Float, _ y: Float) -> Float? {
    guard x >= 0, y >= 0, x < Float(other.width - 1), y < Float(other.height - 1) else { return nil }
    let (left, top) = (Int(x), Int(y))
    let (u, v) = (x - Float(left), y - Float(top))
    let (r, s) = (other.row(top) + left, other.row(top + 1) + left)
    let upper = r[0] + u * (r[1] - r[0])
    return upper + v * (s[0] + u * (s[1] - s[0]) - upper)
  }
}
