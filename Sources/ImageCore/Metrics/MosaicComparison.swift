internal import CVector

/// Compares two mosaics, filter colour by filter colour: of ``Metric``, those of samples, PSNR-μ and the alignment.
///
/// Samples count from black to white: where the two have other levels, the right one's are brought to the left one's
/// first, so that a wrong black level shows as a shift.
public struct MosaicComparison: Sendable {
  private let left: Mosaic
  private let right: Mosaic
  private let metrics: Set<Metric>
  private let resources: Resources

  private static let rowsPerBand = 64

  /// A comparison; nothing is computed yet.
  ///
  /// - Throws: when sizes or filters differ.
  public init(
    _ left: Mosaic, _ right: Mosaic, metrics: Set<Metric> = Metric.all, resources: Resources = Resources()
  ) throws(ComparisonError) {
    guard left.size == right.size else { throw .sizes(left.size, right.size) }
    guard left.cfa == right.cfa else { throw .filters(left.cfa, right.cfa) }
    (self.left, self.right, self.metrics, self.resources) = (left, right, metrics, resources)
  }

  /// Sums of one band, by filter colour.
  private struct Tally: Sendable {
    var counts: [Int]
    var sums: [Double]
    var squares: [Double]
    var muSquares: [Double]
    var largest: Float = 0
    var place = (x: 0, y: 0)
    var differing = 0

    init(colours: Int) {
      counts = Array(repeating: 0, count: colours)
      sums = Array(repeating: 0, count: colours)
      (squares, muSquares) = (sums, sums)
    }

    mutating func add(_ other: Tally) {
      for k in counts.indices {
        counts[k] += other.counts[k]
        sums[k] += other.sums[k]
        squares[k] += other.squares[k]
        muSquares[k] += other.muSquares[k]
      }
      if other.largest > largest { (largest, place) = (other.largest, other.place) }
      differing += other.differing
    }
  }

  /// White less black of the left mosaic, counts.
  private var span: Float { max(1, left.levels.white[0] - left.levels.black.mean) }

  /// Compares the two.
  ///
  /// - Complexity: O(width × height); for the alignment, one Float a period of the pattern more memory.
  public func run() -> Comparison {
    let colours = left.cfa.distinctColours
    let size = left.size
    let bands = (size.height + Self.rowsPerBand - 1) / Self.rowsPerBand
    let total = left.samples.withRows { a in
      right.samples.withRows { b in
        resources.workers.map(count: bands, scratch: { Lines(width: size.width) }) { band, lines in
          var tally = Tally(colours: colours.count)
          for y in band * Self.rowsPerBand..<min(size.height, (band + 1) * Self.rowsPerBand) {
            add(a.row(y), b.row(y), y, colours, lines, &tally)
          }
          return tally
        }.reduce(into: Tally(colours: colours.count)) { $0.add($1) }
      }
    }
    return result(total, colours)
  }

  private func result(_ tally: Tally, _ colours: [CFAColour]) -> Comparison {
    let counts = tally.counts.map { Double(max(1, $0)) }
    let all = counts.reduce(0, +)
    let unit = Double(span)
    func byChannel(_ squares: [Double], _ scale: Double) -> (all: Double, channels: [Double]) {
      (squares.reduce(0, +) * scale / all, zip(squares, counts).map { $0 * scale / $1 })
    }
    var result = Comparison(
      size: left.size, channels: colours.map(\.name), fullScale: unit, differingPixels: tally.differing)
    let squares = byChannel(tally.squares, 1 / unit / unit)
    if metrics.contains(.maxAbs) {
      let isSame = tally.largest == 0
      result.maxAbs = Comparison.Largest(
        value: Double(tally.largest), share: Double(tally.largest) / unit, x: isSame ? nil : tally.place.x,
        y: isSame ? nil : tally.place.y, channel: isSame ? nil : left.cfa[tally.place.x, tally.place.y].name)
    }
    if metrics.contains(.rmse) {
      result.rmse = .init(all: squares.all.squareRoot(), channels: squares.channels.map { $0.squareRoot() })
    }
    func psnr(_ squares: (all: Double, channels: [Double])) -> Comparison.ByChannel {
      .init(
        all: PictureComparison.decibels(squares.all), channels: squares.channels.map(PictureComparison.decibels))
    }
    if metrics.contains(.psnr) { result.psnr = psnr(squares) }
    if metrics.contains(.psnrMu) { result.psnrMu = psnr(byChannel(tally.muSquares, 1)) }
    if metrics.contains(.shift) { result.shift = zip(tally.sums, counts).map { $0 / $1 / unit } }
    if metrics.contains(.alignment) {
      let cells = [left, right].map(brightness)
      if let cells = cells as? [Image<Float>] {
        result.alignment = LumaPyramid.alignment(cells, scale: Double(left.cfa.width), resources: resources)
      }
    }
    return result
  }

  /// Rows that a thread reuses.
  private final class Lines {
    let values: [UnsafeMutablePointer<Float>]
    private let memory: UnsafeMutablePointer<Float>

    init(width: Int) {
      let start = UnsafeMutablePointer<Float>.allocate(capacity: 5 * width)
      start.initialize(repeating: 0, count: 5 * width)
      memory = start
      values = (0..<5).map { start + $0 * width }
    }

    deinit { memory.deallocate() }
  }

  private func add(
    _ left: UnsafePointer<UInt16>, _ right: UnsafePointer<UInt16>, _ y: Int, _ colours: [CFAColour], _ lines: Lines,
    _ tally: inout Tally
  ) {
    let (width, cfa) = (self.left.size.width, self.left.cfa)
    let (a, b, black, worst) = (lines.values[0], lines.values[1], lines.values[2], lines.values[3])
    for x in 0..<width {
      a[x] = Float(left[x])
      b[x] = Float(right[x])
    }
    let hasSameLevels = self.left.levels == self.right.levels
    if !hasSameLevels || metrics.contains(.psnrMu) {
      for x in 0..<width { black[x] = self.left.levels.black.value(x: x, y: y) }
    }
    if !hasSameLevels {
      let levels = self.right.levels
      let gain = span / max(1, levels.white[0] - levels.black.mean)
      for x in 0..<width { b[x] = (b[x] - levels.black.value(x: x, y: y)) * gain + black[x] }
    }
    let difference = lines.values[4]
    for x in 0..<width {
      let d = b[x] - a[x]
      difference[x] = d
      worst[x] = abs(d)
    }
    let most = cv_largest_f32(worst, width, 0)
    for phase in 0..<min(width, cfa.width) {
      let colour = colours.firstIndex(of: cfa[phase, y])!
      tally.counts[colour] += (width - phase + cfa.width - 1) / cfa.width
      guard most > 0 else { continue }
      for x in stride(from: phase, to: width, by: cfa.width) {
        let d = Double(difference[x])
        tally.sums[colour] += d
        tally.squares[colour] += d * d
      }
    }
    guard most > 0 else { return }
    for x in 0..<width { tally.differing += worst[x] > 0 ? 1 : 0 }
    if most > tally.largest {
      tally.largest = most
      tally.place = ((0..<width).first { worst[$0] == most } ?? 0, y)
    }
    if metrics.contains(.psnrMu) { addMu(a, b, black, y, colours, into: difference, &tally) }
  }

  private func addMu(
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, _ black: UnsafeMutablePointer<Float>,
    _ y: Int,
    _ colours: [CFAColour], into difference: UnsafeMutablePointer<Float>, _ tally: inout Tally
  ) {
    let (width, cfa) = (left.size.width, left.cfa)
    let scale = 1 / span
    for x in 0..<width {
      a[x] = (a[x] - black[x]) * scale
      b[x] = (b[x] - black[x]) * scale
    }
    SampleKernel.compress(a, width, into: a)
    SampleKernel.compress(b, width, into: b)
    for x in 0..<width { difference[x] = b[x] - a[x] }
    for phase in 0..<min(width, cfa.width) {
      let colour = colours.firstIndex(of: cfa[phase, y])!
      for x in stride(from: phase, to: width, by: cfa.width) {
        tally.muSquares[colour] += Double(difference[x]) * Double(difference[x])
      }
    }
  }

  /// One value a period of the pattern: the root of its mean above black, whose noise is alike everywhere.
  private func brightness(_ mosaic: Mosaic) -> Image<Float>? {
    let (width, height) = (mosaic.cfa.width, mosaic.cfa.height)
    let size = PixelSize(width: mosaic.size.width / width, height: mosaic.size.height / height)
    guard width == height, size.area > 0 else { return nil }
    var result = Image<Float>(uninitialized: size, in: resources.pool)
    let (black, scale) = (mosaic.levels.black.mean, 1 / (span * Float(width * height)))
    mosaic.samples.withRows { from in
      result.withMutableRows { to in
        resources.workers.forEachBand(of: size.height, rowsPerBand: Self.rowsPerBand) { band in
          for y in band {
            let out = to.row(y)
            for x in 0..<size.width { out[x] = 0 }
            for line in 0..<height {
              let row = from.row(y * height + line)
              for k in 0..<width {
                for x in 0..<size.width { out[x] += Float(row[x &* width &+ k]) - black }
              }
            }
            for x in 0..<size.width { out[x] = max(0, out[x] * scale).squareRoot() }
          }
        }
      }
    }
    return result
  }
}

extension CFAColour {
  /// The name in reports: `green`.
  var name: String {
    switch self {
    case .red: "red"
    case .green: "green"
    case .blue: "blue"
    case .cyan: "cyan"
    case .magenta: "magenta"
    case .yellow: "yellow"
    case .white: "white"
    }
  }
}
