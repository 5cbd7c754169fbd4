/// Separable resampling with a Lanczos window of three lobes.
///
/// Weights are whole numbers of 2⁻²⁰ that sum to exactly 1 for each result pixel, and sums are Doubles: products and
/// sums of 8-, 16- and 24-bit samples of one magnitude are exact, so a constant picture stays the same constant to
/// the last bit, for any number of threads and on any CPU.
/// Source: Duchon 1979, "Lanczos filtering in one and two dimensions"; Turkowski 1990, "Filters for common resampling
/// tasks" (Graphics Gems).
public enum Resample {
  /// Lobes on either side.
  static let lobes = 3.0
  /// One in the weights' fixed-point unit: 2²⁰.
  static let one = 1 << 20
  /// Result rows of one tile of work.
  static let rowsPerBand = 8

  /// The weights of one axis: result pixel `i` is the sum of `weights[i * taps + k] * source[first[i] + k]`.
  struct Axis: Sendable {
    var taps: Int
    var first: [Int]
    var weights: [Double]
  }

  /// Pixel centres lie at half-integers, so both ends of the two grids coincide. When shrinking, the window grows by
  /// the factor, so that every source pixel counts by its area. Beyond the border the border pixel is repeated.
  static func axis(from source: Int, to target: Int) -> Axis {
    let scale = Double(source) / Double(target)
    let stretch = max(1, scale)
    let reach = lobes * stretch
    let taps = min(source, Int(2 * reach) + 2)
    var axis = Axis(taps: taps, first: [], weights: [])
    for index in 0..<target {
      let centre = (Double(index) + 0.5) * scale - 0.5
      let from = Int((centre - reach).rounded(.up))
      let to = Int((centre + reach).rounded(.down))
      let first = min(max(0, from), source - taps)
      var values = [Double](repeating: 0, count: taps)
      for position in from...max(from, to) {
        let slot = min(max(position, 0), source - 1) - first
        values[min(max(slot, 0), taps - 1)] += lanczos((Double(position) - centre) / stretch)
      }
      axis.first.append(first)
      axis.weights += quantised(values)
    }
    return axis
  }

  /// Whole multiples of 2⁻²⁰ that sum to 1; what rounding left goes to the largest weight.
  static func quantised(_ values: [Double]) -> [Double] {
    let sum = values.reduce(0, +)
    var whole = values.map { Int(($0 / sum * Double(one)).rounded()) }
    let largest = whole.indices.max { whole[$0] < whole[$1] }!
    whole[largest] += one - whole.reduce(0, +)
    return whole.map { Double($0) / Double(one) }
  }

  /// sinc(x) sinc(x / 3) inside ±3, 0 outside.
  static func lanczos(_ x: Double) -> Double { abs(x) < lobes ? sinc(x) * sinc(x / lobes) : 0 }

  /// sin(πx) / (πx) from + − × ÷ alone: the C library's sine differs between CPUs.
  static func sinc(_ x: Double) -> Double {
    if x == 0 { return 1 }
    let turns = x.rounded()
    let angle = (x - turns) * Double.pi
    // Taylor's series on ±π/2: the term after the tenth is below 2⁻⁵³.
    let seriesTerms = 10
    var term = angle
    var sine = angle
    for k in 1...seriesTerms {
      term *= -angle * angle / Double(2 * k * (2 * k + 1))
      sine += term
    }
    return (Int(turns) & 1 == 0 ? sine : -sine) / (Double.pi * x)
  }

  static func rgb<Sample: IntensitySample>(
    _ image: Image<RGB<Sample>>, to target: PixelSize, _ resources: Resources
  ) -> Image<RGB<Sample>> {
    let columns = axis(from: image.width, to: target.width)
    let rows = axis(from: image.height, to: target.height)
    var result = Image<RGB<Sample>>(uninitialized: target, in: resources.pool)
    let bands = (target.height + rowsPerBand - 1) / rowsPerBand
    image.withRows { source in
      result.withMutableRows { destination in
        resources.workers.forEach(
          tiles: bands, scratch: { [RGB<Double>](repeating: RGB(0, 0, 0), count: source.width) }
        ) { band, sums in
          for y in band * rowsPerBand..<min(target.height, (band + 1) * rowsPerBand) {
            sumRows(source, rows, y, into: &sums)
            sumColumns(sums, columns, into: destination.row(y), count: target.width)
          }
        }
      }
    }
    return result
  }

  private static func sumRows<Sample: IntensitySample>(
    _ source: PixelRows<RGB<Sample>>, _ rows: Axis, _ y: Int, into sums: inout [RGB<Double>]
  ) {
    for x in sums.indices { sums[x] = RGB(0, 0, 0) }
    for tap in 0..<rows.taps {
      let weight = rows.weights[y * rows.taps + tap]
      if weight == 0 { continue }
      let row = source.row(rows.first[y] + tap)
      for x in sums.indices {
        sums[x].red += weight * row[x].red.intensity
        sums[x].green += weight * row[x].green.intensity
        sums[x].blue += weight * row[x].blue.intensity
      }
    }
  }

  private static func sumColumns<Sample: IntensitySample>(
    _ sums: [RGB<Double>], _ columns: Axis, into row: UnsafeMutablePointer<RGB<Sample>>, count: Int
  ) {
    for x in 0..<count {
      var total = RGB<Double>(0, 0, 0)
      for tap in 0..<columns.taps {
        let weight = columns.weights[x * columns.taps + tap]
        let pixel = sums[columns.first[x] + tap]
        total.red += weight * pixel.red
        total.green += weight * pixel.green
        total.blue += weight * pixel.blue
      }
      row[x] = RGB(
        Sample(intensity: total.red), Sample(intensity: total.green), Sample(intensity: total.blue))
    }
  }
}

extension Image where Pixel == RGB<UInt8> {
  /// The picture at another size, for thumbnails and pixels that are not square; see ``Resample``.
  ///
  /// - Complexity: O(width × result height × taps) with one row of Doubles a thread.
  public func resampled(to size: PixelSize, resources: Resources = Resources()) -> Image {
    Resample.rgb(self, to: size, resources)
  }
}

extension Image where Pixel == RGB<UInt16> {
  /// The picture at another size; see ``Resample``.
  public func resampled(to size: PixelSize, resources: Resources = Resources()) -> Image {
    Resample.rgb(self, to: size, resources)
  }
}

extension Image where Pixel == RGB<Float> {
  /// The picture at another size; see ``Resample``. Values are not clamped.
  public func resampled(to size: PixelSize, resources: Resources = Resources()) -> Image {
    Resample.rgb(self, to: size, resources)
  }
}
