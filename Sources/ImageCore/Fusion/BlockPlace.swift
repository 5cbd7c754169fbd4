/// Where a row of the result lies among blocks of composite pixels.
struct BlockPlace {
  private let geometry: FusionGeometry
  private let upper: Int
  private let lower: Int
  private let part: Float

  init(_ geometry: FusionGeometry, y: Int, size: PixelSize) {
    self.geometry = geometry
    (upper, lower, part) = Self.slot(geometry.compositeY(y), size.height)
  }

  private static func slot(_ place: Double, _ count: Int) -> (Int, Int, Float) {
    let block = min(max((place + 0.5) / Double(FusionLight.blockSide) - 0.5, 0), Double(count - 1))
    let first = Int(block)
    return (first, min(count - 1, first + 1), Float(block - Double(first)))
  }

  /// Straight lines between blocks; tells whether anything is not 0.
  @discardableResult
  func sample(_ image: Image<Float>, from x: Int, count: Int, into out: UnsafeMutablePointer<Float>) -> Bool {
    image.withRows { rows in
      let (a, b) = (rows.row(upper), rows.row(lower))
      var most: Float = 0
      for i in 0..<count {
        let (left, right, across) = Self.slot(geometry.compositeX(x + i), rows.width)
        let (p, q) = (a[left] + across * (a[right] - a[left]), b[left] + across * (b[right] - b[left]))
        out[i] = p + part * (q - p)
        most = max(most, out[i])
      }
      return most > 0
    }
  }

  func sample(
    _ image: Image<SIMD4<Float>>, from x: Int, count: Int,
    into out: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
  ) {
    image.withRows { rows in
      let (a, b) = (rows.row(upper), rows.row(lower))
      for i in 0..<count {
        let (left, right, across) = Self.slot(geometry.compositeX(x + i), rows.width)
        let (p, q) = (a[left] + across * (a[right] - a[left]), b[left] + across * (b[right] - b[left]))
        let value = p + part * (q - p)
        (out.0[i], out.1[i], out.2[i]) = (value.x, value.y, value.z)
      }
    }
  }
}
