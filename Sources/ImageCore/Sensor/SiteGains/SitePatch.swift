/// How the sites of the cell differ from the mean of their cluster in one small part of a mosaic.
struct SitePatch: Sendable {
  /// By the place in the cell that starts at the mosaic's first photosite: signal over the cluster's mean, less 1.
  let ratios: [Double]
  /// Inverse variances of the ratios.
  let weights: [Double]

  /// Cells along a side of a patch.
  private static let cells = 8
  /// Clusters darker than this share of full scale are mostly noise, brighter ones may be bent or clipped.
  private static let usable: ClosedRange<Float> = 0.02...0.85
  /// Clusters that differ from a neighbour by more than this many times the median of the patch lie on an edge.
  private static let edge: Float = 3
  /// Differences between neighbours that are no edge in any case, as a part of the mean.
  private static let smallestEdge: Float = 0.005
  /// Patches with fewer usable clusters of a colour than this leave it out.
  private static let fewestClusters = 16
  /// Variance below which no patch is believed: flatter ones are synthetic, and one of them must not rule all.
  private static let smallestVariance = 1e-8
  /// Variance of rounding to whole counts.
  private static let rounding = 1.0 / 12

  /// Measures the patches of one mosaic.
  struct Measurer: Sendable {
    private let size: PixelSize
    private let clusters: CFAClusters
    private let period: Int
    /// Black level of the cell's sites, row and column deltas left out: they are the same for a whole cluster's mean
    /// to within what is seen here.
    private let black: BlackLevel
    private let white: Float
    private let range: Float

    init(_ mosaic: Mosaic, _ clusters: CFAClusters) {
      size = mosaic.size
      self.clusters = clusters
      period = 2 * clusters.side
      black = mosaic.levels.black
      white = mosaic.levels.white[0]
      range = max(1, white - black.mean)
    }

    /// Means of a patch's clusters of one colour, with one more all around.
    func scratch() -> [Float] { Array(repeating: 0, count: (SitePatch.cells + 2) * (SitePatch.cells + 2)) }

    /// Corners of the cells in which patches begin, spread over a rectangle.
    func places(columns: Range<Int>, rows: Range<Int>, most: Int) -> [(x: Int, y: Int)] {
      // Spread evenly about the middle, so that the mean of the patches is that of the zone's centre.
      func spread(_ range: Range<Int>, _ origin: Int, _ length: Int) -> [Int] {
        let cells = SitePatch.cells + 2
        let first = max(0, range.lowerBound - origin + period - 1) / period
        let free = max(0, (min(range.upperBound, length) - origin) / period - first)
        let room = free / cells
        let count = min(room, most)
        return (0..<count).map {
          origin + (first + free % cells / 2 + (2 * $0 + 1) * room / (2 * count) * cells) * period
        }
      }
      let xs = spread(columns, clusters.originX, size.width)
      return spread(rows, clusters.originY, size.height).flatMap { y in xs.map { (x: $0, y: y) } }
    }

    /// One patch; `nil` when no colour has usable clusters enough.
    func patch(_ rows: PixelRows<UInt16>, at place: (x: Int, y: Int), _ means: inout [Float]) -> SitePatch? {
      let sites = period * period
      var ratios = [Double](repeating: 0, count: sites)
      var weights = ratios
      var found = false
      for cluster in 0..<4 {
        let corner = (x: place.x + cluster % 2 * clusters.side, y: place.y + cluster / 2 * clusters.side)
        fill(&means, rows, corner)
        guard let sums = sums(rows, corner, means) else { continue }
        found = true
        for site in 0..<clusters.side * clusters.side {
          let x = (corner.x + site % clusters.side) % period
          let y = (corner.y + site / clusters.side) % period
          ratios[y * period + x] = sums.residuals[site] / sums.signal
          weights[y * period + x] = sums.weight
        }
      }
      return found ? SitePatch(ratios: ratios, weights: weights) : nil
    }

    /// Means above black of the clusters at `corner` and every period from it; a negative one marks a clipped cluster.
    private func fill(_ means: inout [Float], _ rows: PixelRows<UInt16>, _ corner: (x: Int, y: Int)) {
      let side = clusters.side
      let across = SitePatch.cells + 2
      let ceiling = white
      for row in 0..<across {
        for column in 0..<across {
          var sum: Float = 0
          var clipped = false
          for dy in 0..<side {
            let y = corner.y + row * period + dy
            for dx in 0..<side {
              let x = corner.x + column * period + dx
              let count = Float(rows.row(y)[x])
              if count >= ceiling { clipped = true }
              sum += count - cellBlack(x, y)
            }
          }
          means[row * across + column] = clipped ? -1 : sum / Float(side * side)
        }
      }
    }

    private func cellBlack(_ x: Int, _ y: Int) -> Float {
      black.values[y % black.height * black.width + x % black.width]
    }

    private struct Sums {
      var residuals: [Double]
      var signal: Double
      /// Inverse variance of a ratio.
      var weight: Double
    }

    /// A cluster's mean and how it changes from one neighbour of its colour to the next.
    private struct Surroundings {
      let mean: Float
      let slopeX: Float
      let slopeY: Float
      /// The largest difference to one of the four neighbours.
      let step: Float
      let least: Float
      let most: Float

      init(_ means: [Float], row: Int, column: Int, period: Int) {
        let across = SitePatch.cells + 2
        let index = row * across + column
        mean = means[index]
        let (left, right) = (means[index - 1], means[index + 1])
        let (above, below) = (means[index - across], means[index + across])
        least = min(min(min(left, right), min(above, below)), mean)
        most = max(max(max(left, right), max(above, below)), mean)
        step = max(most - mean, mean - least)
        slopeX = (right - left) / Float(2 * period)
        slopeY = (below - above) / Float(2 * period)
      }
    }

    /// Clusters of a patch whose brightness is right, and a step beyond which they lie on an edge.
    private func steps(_ means: [Float]) -> [Float] {
      let usable = SitePatch.usable.lowerBound * range...SitePatch.usable.upperBound * range
      var steps: [Float] = []
      for row in 1...SitePatch.cells {
        for column in 1...SitePatch.cells {
          let near = Surroundings(means, row: row, column: column, period: period)
          let isUsable = usable.contains(near.least) && usable.contains(near.most)
          steps.append(isUsable ? near.step : .infinity)
        }
      }
      return steps
    }

    /// What is left of each site after the mean of its cluster and the slope across it are taken out.
    private func sums(_ rows: PixelRows<UInt16>, _ corner: (x: Int, y: Int), _ means: [Float]) -> Sums? {
      let side = clusters.side
      let centre = Float(side - 1) / 2
      let steps = steps(means)
      let finite = steps.filter(\.isFinite).sorted()
      guard finite.count >= SitePatch.fewestClusters else { return nil }
      let limit = SitePatch.edge * finite[finite.count / 2]
      var residuals = [Double](repeating: 0, count: side * side)
      var squares = 0.0
      var signal = 0.0
      var count = 0.0
      for row in 1...SitePatch.cells {
        for column in 1...SitePatch.cells {
          let near = Surroundings(means, row: row, column: column, period: period)
          let step = steps[(row - 1) * SitePatch.cells + column - 1]
          guard step <= max(limit, SitePatch.smallestEdge * near.mean) else { continue }
          for site in 0..<side * side {
            let (dx, dy) = (site % side, site / side)
            let (x, y) = (corner.x + column * period + dx, corner.y + row * period + dy)
            let value = Float(rows.row(y)[x]) - cellBlack(x, y)
            let slope = near.slopeX * (Float(dx) - centre) + near.slopeY * (Float(dy) - centre)
            let residual = Double(value - (near.mean + slope))
            residuals[site] += residual
            squares += residual * residual
          }
          signal += Double(near.mean)
          count += 1
        }
      }
      guard count >= Double(SitePatch.fewestClusters) else { return nil }
      let sites = Double(side * side)
      let steady = residuals.reduce(0) { $0 + $1 * $1 } / count
      let scatter = max(0, squares - steady) / (sites * count) + SitePatch.rounding
      let mean = signal / count
      let variance = scatter / (count * mean * mean) + SitePatch.smallestVariance
      return Sums(residuals: residuals, signal: signal, weight: 1 / variance)
    }
  }
}
