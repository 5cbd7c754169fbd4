/// Compares two pictures in one pass over their rows, from top to bottom: all metrics that are asked for, and no other.
///
/// Memory: two slabs of 148 rows, planes of 128 rows for per-pixel metrics, and a quarter of the pictures' luma where
/// MS-SSIM or the alignment is asked for. Results are the same for any number of threads.
public struct PictureComparison: Sendable {
  /// Takes rows of a ``DifferenceMap``: the first row's number, and the values of rows, `width` apart.
  public typealias MapWriter = (Int, UnsafeBufferPointer<Float>) -> Void

  private let left: ComparedPicture
  private let right: ComparedPicture
  private let metrics: Set<Metric>
  private let resources: Resources
  /// The code of full scale in which differences are counted: the finer of the two integer types, 1 for floating point.
  private let unit: Double

  /// A comparison; nothing is read yet.
  ///
  /// - Throws: when sizes or channels differ.
  public init(
    _ left: ComparedPicture, _ right: ComparedPicture, metrics: Set<Metric> = Metric.all,
    resources: Resources = Resources()
  ) throws(ComparisonError) {
    guard left.size == right.size else { throw .sizes(left.size, right.size) }
    guard left.format.channels == right.format.channels else {
      throw .channels(left.format.channels, right.format.channels)
    }
    (self.left, self.right, self.metrics, self.resources) = (left, right, metrics, resources)
    let samples = [left.format.sample, right.format.sample]
    unit = samples.contains(.float32) ? 1 : samples.contains(.uint16) ? UInt16.fullScale : UInt8.fullScale
  }

  /// Reads both pictures and compares them.
  ///
  /// - Parameters:
  ///   - map: what is drawn of each pixel, if anything.
  ///   - writeMap: takes its rows in order.
  /// - Throws: what reading throws.
  public func run<Left: ComparedRows, Right: ComparedRows>(
    left leftRows: Left, right rightRows: Right, map: DifferenceMap? = nil, writeMap: MapWriter? = nil
  ) throws(Left.Failure) -> Comparison where Left.Failure == Right.Failure {
    let comparer = TileComparer(left, right, unit: unit, metrics: metrics, map: map)
    let state = ComparisonState(comparer, [left, right], resources)
    let height = left.size.height
    for top in stride(from: 0, to: height, by: ComparisonGrid.slabHeight) {
      let slab = top..<min(height, top + ComparisonGrid.slabHeight)
      try state.slabs[0].move(to: slab, halo: comparer.halo, of: height, leftRows)
      try state.slabs[1].move(to: slab, halo: comparer.halo, of: height, rightRows)
      state.compare(slab)
      if let writeMap, let rows = state.mapRows(slab) { writeMap(top, rows) }
    }
    return result(state)
  }

  private func result(_ state: ComparisonState) -> Comparison {
    let tally = state.tally
    let layout = left.format.channels
    let names = Self.names(layout)
    let size = left.size
    let pixels = Double(size.area)
    var result = Comparison(
      size: size, channels: names, fullScale: unit, differingPixels: tally.differing)
    result.nonFinite = tally.nonFinite
    let squares = tally.squares.prefix(names.count).map { $0 / pixels / (unit * unit) }
    let mean = squares.reduce(0, +) / Double(squares.count)
    if metrics.contains(.maxAbs) {
      let value = Double(tally.largest)
      let isSame = value == 0
      result.maxAbs = Comparison.Largest(
        value: value, share: value / unit, x: isSame ? nil : tally.place.x, y: isSame ? nil : tally.place.y,
        channel: isSame ? nil : names[tally.place.channel])
    }
    if metrics.contains(.rmse) {
      result.rmse = Comparison.ByChannel(all: mean.squareRoot(), channels: squares.map { $0.squareRoot() })
    }
    if metrics.contains(.psnr) { result.psnr = Self.psnr(Array(squares)) }
    if metrics.contains(.shift) { result.shift = tally.sums.prefix(names.count).map { $0 / pixels / unit } }
    if metrics.contains(.psnrMu) {
      result.psnrMu = Self.psnr(tally.muSquares.prefix(layout.count < 3 ? 1 : 3).map { $0 / pixels })
    }
    if metrics.contains(.colour) {
      result.colour = Comparison.Distribution(
        mean: tally.colourSum / pixels,
        p999: state.colours.percentile(0.999, of: size.area, largest: Double(tally.colourMax)),
        max: Double(tally.colourMax))
    }
    if metrics.contains(.flip) {
      result.flip = Comparison.Distribution(
        mean: tally.flipSum / pixels,
        p999: state.flips.percentile(0.999, of: size.area, largest: Double(tally.flipMax)),
        max: Double(tally.flipMax))
    }
    addStructure(state, to: &result)
    return result
  }

  private func addStructure(_ state: ComparisonState, to result: inout Comparison) {
    let similarity = state.tally.similarity
    if metrics.contains(.ssim) && similarity.windows > 0 {
      result.ssim = similarity.isPerfect ? 1 : similarity.whole / Double(similarity.windows)
    }
    if metrics.contains(.msSSIM) {
      result.msSSIM = LumaPyramid.multiScale(
        first: similarity, halves: state.halves, size: left.size, resources: resources)
    }
    if metrics.contains(.alignment) {
      let (luma, scale) = state.wholes.isEmpty ? (state.halves, 2.0) : (state.wholes, 1.0)
      if luma.count == 2 {
        result.alignment = LumaPyramid.alignment(luma, scale: scale, resources: resources)
      }
    }
  }

  static func psnr(_ squares: [Double]) -> Comparison.ByChannel {
    Comparison.ByChannel(
      all: decibels(squares.reduce(0, +) / Double(squares.count)), channels: squares.map(decibels))
  }

  /// `-10 log₁₀` of a mean square.
  static func decibels(_ meanSquare: Double) -> Double {
    let log10of2 = 0.301029995663981195
    return meanSquare > 0 ? -10 * log10of2 * Elementary.log2(meanSquare) : .infinity
  }

  private static func names(_ channels: ChannelLayout) -> [String] {
    switch channels {
    case .grey: ["grey"]
    case .greyAlpha: ["grey", "alpha"]
    case .rgb: ["red", "green", "blue"]
    case .rgba: ["red", "green", "blue", "alpha"]
    }
  }
}

extension Comparison {
  /// Compares two pictures in memory.
  ///
  /// - Throws: when sizes differ.
  public init<Sample: IntensitySample>(
    _ left: Image<RGB<Sample>>, _ right: Image<RGB<Sample>>, metrics: Set<Metric> = Metric.all,
    encoding: ColourEncoding = .sRGB, resources: Resources = Resources()
  ) throws(ComparisonError) {
    let sample: SampleType =
      switch MemoryLayout<Sample>.size {
      case 1: .uint8
      case 2: .uint16
      default: .float32
      }
    func described(_ image: Image<RGB<Sample>>) -> ComparedPicture {
      ComparedPicture(size: image.size, format: PixelFormat(.rgb, sample), encoding: encoding)
    }
    let comparison = try PictureComparison(described(left), described(right), metrics: metrics, resources: resources)
    self = comparison.run(left: ImageRows(left), right: ImageRows(right))
  }
}

/// An image's rows, from top to bottom.
private final class ImageRows<Pixel: BitwiseCopyable & Sendable>: ComparedRows {
  private let image: Image<Pixel>
  private var next = 0

  init(_ image: Image<Pixel>) { self.image = image }

  func read(rows count: Int, into target: UnsafeMutableRawPointer, bytesPerRow: Int) {
    image.withRows { rows in
      for y in 0..<count {
        (target + y * bytesPerRow).copyMemory(
          from: rows.row(next + y), byteCount: rows.width * MemoryLayout<Pixel>.stride)
      }
    }
    next += count
  }
}
