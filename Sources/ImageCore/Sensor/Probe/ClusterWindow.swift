/// The clusters of a window of a quad mosaic, square-root encoded: the means of all, and for the green ones the three
/// differences within each (Haar's).
struct ClusterWindow {
  /// Clusters on a side.
  let side: Int
  /// One a cluster.
  var means: [Double]
  /// Left minus right, upper minus lower, diagonal minus diagonal; each has the variance of one photosite.
  var differences: [SIMD3<Double>]
  /// The colours, 2x2, from the window's first cluster on.
  var cell = CFAPattern.rggb

  /// Clusters that a prediction looks at, in each direction.
  private static let reach = 2

  init(side: Int) {
    self.side = side
    means = Array(repeating: 0, count: side * side)
    differences = Array(repeating: SIMD3(), count: side * side)
  }

  /// Mean square of a difference in green clusters, and that of diagonals alone: what interpolation makes smallest.
  var meanEnergy: (all: Double, diagonal: Double) {
    var (sum, diagonal, count) = (0.0, 0.0, 0)
    for y in 0..<side {
      for x in 0..<side where cell[x, y] == .green {
        let d = differences[y * side + x]
        sum += (d * d).sum()
        diagonal += d.z * d.z
        count += 1
      }
    }
    return (sum / Double(3 * max(1, count)), diagonal / Double(max(1, count)))
  }

  /// Mean square of what no linear prediction from the means around explains, in green clusters; `nil` when the
  /// equations are singular. Those beside red and those beside blue clusters have predictions of their own.
  ///
  /// - Parameter noise: variance of a photosite: what it adds to predictions is taken off.
  func unexplained(noise: Double) -> Double? {
    var (sum, samples) = (0.0, 0)
    for phase in 0..<2 {
      let first = (0..<2).first { cell[$0, phase] == .green } ?? 0
      guard let (part, count) = unexplained(column: first, row: phase, noise: noise) else { return nil }
      sum += part
      samples += count
    }
    return samples == 0 ? nil : sum / Double(3 * samples)
  }

  private func unexplained(column: Int, row: Int, noise: Double) -> (Double, Int)? {
    let neighbours = Neighbours(cell, column: column, row: row, reach: Self.reach, stride: side)
    var equations = NormalEquations(unknowns: neighbours.count)
    var terms = [Double](repeating: 0, count: neighbours.count)
    var (energy, count) = (0.0, 0)
    for y in stride(from: Self.reach + row, to: side - Self.reach, by: 2) {
      for x in stride(from: Self.reach + column, to: side - Self.reach, by: 2) {
        let d = differences[y * side + x]
        neighbours.read(means, at: y * side + x, into: &terms)
        equations.add(terms, d)
        energy += (d * d).sum()
        count += 1
      }
    }
    guard count > 2 * neighbours.count, let solution = equations.solved() else { return nil }
    // A cluster's mean has a quarter of a photosite's variance.
    let added = solution.squaredWeights * noise / 4 * Double(count)
    let rest = (energy - solution.explained) * Double(count) / Double(count - neighbours.count)
    return (max(0, rest - added), count)
  }

  /// The clusters around one: each as its difference from the mean of those of its colour, so that only their structure
  /// counts and not their colour.
  private struct Neighbours {
    private var groups: [[Int]] = []
    let count: Int

    init(_ cell: CFAPattern, column: Int, row: Int, reach: Int, stride: Int) {
      var byColour: [CFAColour: [Int]] = [:]
      for y in -reach...reach {
        for x in -reach...reach { byColour[cell[column + x, row + y], default: []].append(y * stride + x) }
      }
      groups = byColour.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
      // The last of a colour follows from the others.
      count = groups.reduce(0) { $0 + $1.count - 1 }
    }

    func read(_ means: [Double], at place: Int, into terms: inout [Double]) {
      var index = 0
      for group in groups {
        let mean = group.reduce(0) { $0 + means[place + $1] } / Double(group.count)
        for offset in group.dropLast() {
          terms[index] = means[place + offset] - mean
          index += 1
        }
      }
    }
  }
}

extension ClusterWindow {
  /// Reads windows of a quad mosaic.
  struct Reader {
    private let originX: Int
    private let originY: Int
    private let cell: CFAPattern
    private let black: Float
    private let scale: Float
    private let offset: Float
    /// Variance of an encoded photosite by the noise profile; 0 without one.
    let variance: Double

    /// Light above this, in parts of white, is not looked at: it may be clipped.
    private static let ceiling: Float = 0.9
    /// Photon noise that is assumed when nothing is known, so that the encoding is finite.
    private static let assumedScale = 1e-4

    init?(_ mosaic: Mosaic, _ noise: NoiseProfile?) {
      guard let clusters = mosaic.cfa.clusters, clusters.side == 2 else { return nil }
      (originX, originY, cell) = (clusters.originX, clusters.originY, clusters.cell)
      black = mosaic.levels.black.mean
      scale = 1 / max(mosaic.levels.white[0] - black, 1)
      let plane = noise?.plane(1)
      let photon = max(plane?.scale ?? Self.assumedScale, Self.assumedScale * 1e-3)
      // Generalised Anscombe transform: sqrt(x + 3/8 S + O / S) has the variance S / 4.
      offset = Float(0.375 * photon + (plane?.offset ?? 0) / photon)
      variance = noise == nil ? 0 : photon / 4
    }

    /// - Returns: false when too much of the window is clipped.
    func read(_ rows: PixelRows<UInt16>, _ place: (x: Int, y: Int), into window: inout ClusterWindow) -> Bool {
      let side = window.side
      window.cell = cell.shifted(dx: place.x, dy: place.y)
      var clipped = 0
      for y in 0..<side {
        let top = rows.row(originY + 2 * (place.y + y))
        let bottom = rows.row(originY + 2 * (place.y + y) + 1)
        for x in 0..<side {
          let column = originX + 2 * (place.x + x)
          let counts = SIMD4(top[column], top[column + 1], bottom[column], bottom[column + 1])
          var light = (SIMD4<Float>(counts) - black) * scale
          if light.max() > Self.ceiling { clipped += 1 }
          light += offset
          light.replace(with: 0, where: light .< 0)
          let u = SIMD4<Double>(light.squareRoot())
          window.means[y * side + x] = (u.x + u.y + u.z + u.w) / 4
          window.differences[y * side + x] = SIMD3(
            (u.x - u.y + u.z - u.w) / 2, (u.x + u.y - u.z - u.w) / 2, (u.x - u.y - u.z + u.w) / 2)
        }
      }
      let most = 20  // one cluster in so many
      return clipped * most < side * side
    }
  }
}
