/// The green clusters of a window: means, and the three differences within each (Haar's), square-root encoded.
struct ClusterWindow {
  /// Clusters on a side.
  let side: Int
  /// One a cluster; clusters of other colours are left at 0.
  var means: [Double]
  /// Left minus right, upper minus lower, diagonal minus diagonal; each has the variance of one photosite.
  var differences: [SIMD3<Double>]
  var isGreen: [Bool]

  /// Where the means lie that a cluster's differences are predicted from: the green clusters around it.
  private static let neighbours: [(x: Int, y: Int)] = {
    var result: [(x: Int, y: Int)] = []
    for y in -2...2 {
      for x in -2...2 where (x + y) % 2 == 0 && !(x == 0 && y == 0) { result.append((x, y)) }
    }
    return result
  }()

  init(side: Int) {
    self.side = side
    means = Array(repeating: 0, count: side * side)
    differences = Array(repeating: SIMD3(), count: side * side)
    isGreen = Array(repeating: false, count: side * side)
  }

  /// Mean square of a difference.
  var meanEnergy: Double {
    var (sum, count) = (0.0, 0)
    for index in differences.indices where isGreen[index] {
      let d = differences[index]
      sum += d.x * d.x + d.y * d.y + d.z * d.z
      count += 3
    }
    return sum / Double(max(1, count))
  }

  /// Mean square of what no linear prediction from the means around explains; `nil` when the equations are singular.
  func unexplained() -> Double? {
    let unknowns = Self.neighbours.count
    var equations = NormalEquations(unknowns: unknowns)
    var row = [Double](repeating: 0, count: unknowns)
    var (energy, count) = (0.0, 0)
    for y in 2..<side - 2 {
      for x in 2..<side - 2 where isGreen[y * side + x] {
        let centre = y * side + x
        for (index, place) in Self.neighbours.enumerated() {
          row[index] = means[centre + place.y * side + place.x] - means[centre]
        }
        let d = differences[centre]
        equations.add(row, d)
        energy += d.x * d.x + d.y * d.y + d.z * d.z
        count += 1
      }
    }
    guard count > 2 * unknowns, let explained = equations.explained() else { return nil }
    return max(0, energy - explained) / Double(3 * (count - unknowns))
  }

  /// Reads windows of a quad mosaic.
  struct Reader {
    private let originX: Int
    private let originY: Int
    private let cell: CFAPattern
    private let black: Float
    private let scale: Float
    private let offset: Float
    private let ceiling: Float
    /// Variance of an encoded photosite by the noise profile; 0 without one.
    let variance: Double

    /// Light above this, in parts of white, is not looked at: it may be clipped.
    private static let brightest: Float = 0.9
    /// Photon noise that is assumed when nothing is known, so that the encoding is finite.
    private static let assumedScale = 1e-4

    init?(_ mosaic: Mosaic, _ noise: NoiseProfile?) {
      guard let clusters = mosaic.cfa.clusters, clusters.side == 2 else { return nil }
      (originX, originY, cell) = (clusters.originX, clusters.originY, clusters.cell)
      black = mosaic.levels.black.mean
      scale = 1 / max(mosaic.levels.white[0] - black, 1)
      ceiling = Self.brightest
      let plane = noise?.plane(1)
      let photon = max(plane?.scale ?? Self.assumedScale, Self.assumedScale * 1e-3)
      // Generalised Anscombe transform: sqrt(x + 3/8 S + O / S) has the variance S / 4.
      offset = Float(0.375 * photon + (plane?.offset ?? 0) / photon)
      variance = noise == nil ? 0 : photon / 4
    }

    /// - Returns: false when too much of the window is clipped.
    func read(_ rows: PixelRows<UInt16>, _ place: (x: Int, y: Int), into window: inout ClusterWindow) -> Bool {
      let side = window.side
      var clipped = 0
      for y in 0..<side {
        let top = rows.row(originY + 2 * (place.y + y))
        let bottom = rows.row(originY + 2 * (place.y + y) + 1)
        for x in 0..<side {
          let at = y * side + x
          window.isGreen[at] = cell[place.x + x, place.y + y] == .green
          guard window.isGreen[at] else { continue }
          let column = originX + 2 * (place.x + x)
          let counts = SIMD4(top[column], top[column + 1], bottom[column], bottom[column + 1])
          var light = (SIMD4<Float>(counts) - black) * scale
          if light.max() > ceiling { clipped += 1 }
          light += offset
          light.replace(with: 0, where: light .< 0)
          let u = SIMD4<Double>(light.squareRoot())
          window.means[at] = (u.x + u.y + u.z + u.w) / 4
          window.differences[at] = SIMD3(
            (u.x - u.y + u.z - u.w) / 2, (u.x + u.y - u.z - u.w) / 2, (u.x - u.y - u.z + u.w) / 2)
        }
      }
      let most = 10  // one green cluster in five
      return clipped * most < side * side
    }
  }
}

/// Least squares of three results from the same terms.
private struct NormalEquations {
  private let unknowns: Int
  private var matrix: [Double]
  private var right: [SIMD3<Double>]

  init(unknowns: Int) {
    self.unknowns = unknowns
    matrix = Array(repeating: 0, count: unknowns * unknowns)
    right = Array(repeating: SIMD3(), count: unknowns)
  }

  mutating func add(_ row: [Double], _ result: SIMD3<Double>) {
    for i in 0..<unknowns {
      for j in 0...i { matrix[i * unknowns + j] += row[i] * row[j] }
      right[i] += result * row[i]
    }
  }

  /// Sum of squares that the best prediction explains, by Cholesky's factors; `nil` when there is no one best.
  func explained() -> Double? {
    var factor = matrix
    let ridge = 1e-9 * (0..<unknowns).reduce(0) { $0 + matrix[$1 * unknowns + $1] } / Double(unknowns)
    var solved = right
    var sum = 0.0
    for i in 0..<unknowns {
      for j in 0..<i {
        var value = factor[i * unknowns + j]
        for k in 0..<j { value -= factor[i * unknowns + k] * factor[j * unknowns + k] }
        factor[i * unknowns + j] = value / factor[j * unknowns + j]
      }
      var pivot = factor[i * unknowns + i] + ridge
      for k in 0..<i { pivot -= factor[i * unknowns + k] * factor[i * unknowns + k] }
      guard pivot > 0 else { return nil }
      factor[i * unknowns + i] = pivot.squareRoot()
      // Forward substitution: the squares of L⁻¹ b sum to bᵀ A⁻¹ b.
      for k in 0..<i { solved[i] -= solved[k] * factor[i * unknowns + k] }
      solved[i] /= factor[i * unknowns + i]
      sum += (solved[i] * solved[i]).sum()
    }
    return sum
  }
}
