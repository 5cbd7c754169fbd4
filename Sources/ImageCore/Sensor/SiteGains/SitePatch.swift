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

  /// Stands for a clipped photosite: makes its cluster too dark to be used.
  private static let clipped: Float = -1e9

  /// Measures the patches of one mosaic.
  struct Measurer: Sendable {
    private let size: PixelSize
    private let clusters: CFAClusters
    private let period: Int
    /// A row of black levels for each row of the black cell, one after the other. Deltas of rows and columns are left
    /// out: they are smaller than what is seen here.
    private let blacks: [Float]
    private let blackRows: Int
    private let white: Float
    private let usable: ClosedRange<Float>

    init(_ mosaic: Mosaic, _ clusters: CFAClusters) {
      let black = mosaic.levels.black
      let width = mosaic.size.width
      size = mosaic.size
      self.clusters = clusters
      period = 2 * clusters.side
      blackRows = black.height
      blacks = (0..<black.height * width).map { black.values[$0 / width * black.width + $0 % width % black.width] }
      white = mosaic.levels.white[0]
      let range = max(1, white - black.mean)
      usable = SitePatch.usable.lowerBound * range...SitePatch.usable.upperBound * range
    }

    /// Buffers that patches reuse.
    struct Scratch {
      /// The patch and one more cell all around, above black.
      var signal: [Float]
      /// Means of the clusters of one colour.
      var means: [Float]
    }

    func scratch() -> Scratch {
      let cells = SitePatch.cells + 2
      return Scratch(
        signal: Array(repeating: 0, count: cells * period * cells * period),
        means: Array(repeating: 0, count: cells * cells))
    }

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
    func patch(_ rows: PixelRows<UInt16>, at place: (x: Int, y: Int), _ scratch: inout Scratch) -> SitePatch? {
      let side = clusters.side
      var ratios = [Double](repeating: 0, count: period * period)
      var weights = ratios
      var found = false
      load(rows, place, &scratch.signal)
      for cluster in 0..<4 {
        let corner = (x: cluster % 2 * side, y: cluster / 2 * side)
        average(scratch.signal, corner, &scratch.means)
        guard let sums = sums(scratch.signal, corner, scratch.means) else { continue }
        found = true
        for site in 0..<side * side {
          let x = (place.x + corner.x + site % side) % period
          let y = (place.y + corner.y + site / side) % period
          ratios[y * period + x] = sums.residuals[site] / sums.signal
          weights[y * period + x] = sums.weight
        }
      }
      return found ? SitePatch(ratios: ratios, weights: weights) : nil
    }

    /// Columns and rows of a patch with the cells around it.
    private var span: Int { (SitePatch.cells + 2) * period }

    private func load(_ rows: PixelRows<UInt16>, _ place: (x: Int, y: Int), _ signal: inout [Float]) {
      let span = span
      signal.withUnsafeMutableBufferPointer { signal in
        blacks.withUnsafeBufferPointer { blacks in
          for y in 0..<span {
            let counts = rows.row(place.y + y) + place.x
            let black = blacks.baseAddress! + ((place.y + y) % blackRows * size.width + place.x)
            let out = signal.baseAddress! + y * span
            for x in 0..<span {
              let count = Float(counts[x])
              out[x] = count >= white ? SitePatch.clipped : count - black[x]
            }
          }
        }
      }
    }

    /// Means of the clusters at `corner` and every period from it.
    private func average(_ signal: [Float], _ corner: (x: Int, y: Int), _ means: inout [Float]) {
      let side = clusters.side
      let across = SitePatch.cells + 2
      for row in 0..<across {
        for column in 0..<across {
          var sum: Float = 0
          for dy in 0..<side {
            let first = (corner.y + row * period + dy) * span + corner.x + column * period
            for x in first..<first + side { sum += signal[x] }
          }
          means[row * across + column] = sum / Float(side * side)
        }
      }
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

    /// How far each cluster of a patch is from its neighbours; infinity when one of them is too dark or too bright.
    private func steps(_ means: [Float]) -> [Float] {
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
    private func sums(_ signal: [Float], _ corner: (x: Int, y: Int), _ means: [Float]) -> Sums? {
      let side = clusters.side
      let centre = Float(side - 1) / 2
      let steps = steps(means)
      let finite = steps.filter(\.isFinite).sorted()
      guard finite.count >= SitePatch.fewestClusters else { return nil }
      let limit = SitePatch.edge * finite[finite.count / 2]
      var residuals = [Double](repeating: 0, count: side * side)
      var squares = 0.0
      var total = 0.0
      var count = 0.0
      for row in 1...SitePatch.cells {
        for column in 1...SitePatch.cells {
          let near = Surroundings(means, row: row, column: column, period: period)
          let step = steps[(row - 1) * SitePatch.cells + column - 1]
          guard step <= max(limit, SitePatch.smallestEdge * near.mean) else { continue }
          for site in 0..<side * side {
            let (dx, dy) = (site % side, site / side)
            let value = signal[(corner.y + row * period + dy) * span + corner.x + column * period + dx]
            let slope = near.slopeX * (Float(dx) - centre) + near.slopeY * (Float(dy) - centre)
            let residual = Double(value - (near.mean + slope))
            residuals[site] += residual
            squares += residual * residual
          }
          total += Double(near.mean)
          count += 1
        }
      }
      guard count >= Double(SitePatch.fewestClusters) else { return nil }
      let sites = Double(side * side)
      let steady = residuals.reduce(0) { $0 + $1 * $1 } / count
      let scatter = max(0, squares - steady) / (sites * count) + SitePatch.rounding
      let mean = total / count
      let variance = scatter / (count * mean * mean) + SitePatch.smallestVariance
      return Sums(residuals: residuals, signal: total, weight: 1 / variance)
    }
  }
}
