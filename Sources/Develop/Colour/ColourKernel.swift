import ImageCore

/// ``CameraRow`` → ``SceneRow``: clips what no sensor could tell apart, then applies the colour matrix.
struct ColourKernel: Sendable {
  private let planes: Int
  /// 3 x 4, a missing fourth colour as zeros.
  private let m: [Float]
  /// White-balanced light at which every colour is cut.
  private let limit: Float

  init(matrix: Matrix) {
    planes = matrix.columns
    m = (0..<3).flatMap { row in (0..<4).map { $0 < matrix.columns ? Float(matrix[row, $0]) : 0 } }
    limit = 1
  }

  /// Divides each colour by its multiplier again.
  ///
  /// - Parameter limit: white-balanced light at which colours are cut before; `nil` cuts nothing.
  init(undoing multipliers: [Double], limit: Double?) {
    planes = 3
    m = (0..<3).flatMap { row in (0..<4).map { $0 == row ? Float(1 / multipliers[row]) : 0 } }
    self.limit = limit.map { Float($0) } ?? .greatestFiniteMagnitude
  }

  func apply(_ camera: CameraRow, into scene: SceneRow) {
    let c = (0..<3).map { UnsafePointer(camera.plane($0)) }
    if planes == 4 {
      mix(c[0], c[1], c[2], UnsafePointer(camera.plane(3)), limit, scene)
    } else {
      mix(c[0], c[1], c[2], c[2], limit, scene)
    }
  }

  /// Every white-balanced colour is clipped at 1, where the least sensitive one saturates: clipped light is neutral.
  private func mix(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ c: UnsafePointer<Float>, _ d: UnsafePointer<Float>,
    _ limit: Float, _ scene: SceneRow
  ) {
    for row in 0..<3 {
      let (m0, m1, m2, m3) = (m[row * 4], m[row * 4 + 1], m[row * 4 + 2], m[row * 4 + 3])
      let out = scene.plane(row)
      for x in 0..<scene.count {
        let p = a[x] < limit ? a[x] : limit
        let q = b[x] < limit ? b[x] : limit
        let r = c[x] < limit ? c[x] : limit
        let s = d[x] < limit ? d[x] : limit
        out[x] = (m0 * p + m1 * q) + (m2 * r + m3 * s)
      }
    }
  }
}
