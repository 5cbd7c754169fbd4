/// What the pixels of a mosaic say about its colour filter array.
public struct CFAMeasurement: Sendable, Hashable, Codable {
  /// A measurement of at least this confidence is acted on.
  public static let certain = 0.6

  /// The pattern that fits the pixels, phased to the mosaic; `nil` when nothing fits or nothing can be seen.
  ///
  /// Pixels show which photosites share a colour and which colour is green. Red cannot be told from blue: the declared
  /// order is kept, and where the greens lie on the other diagonal the declared cell is moved by one column.
  public let pattern: CFAPattern?
  /// 0...1: how much of the contrast between neighbours is explained by the pattern, less three standard errors.
  ///
  /// With H, L the mean absolute difference of direct neighbours of different and of one colour, and E that of
  /// photosites one period apart, it is `(H - L - 3 SE) / max(H - E, H - L, H/10)`, the smaller of both axes: 1 when
  /// photosites of one cluster differ no more than photosites of one colour do elsewhere, 0 when it cannot be told
  /// from chance. Where no two neighbours share a colour (2x2), photosites two apart take the part of L.
  public let confidence: Double

  /// A measurement from its parts.
  public init(pattern: CFAPattern?, confidence: Double) {
    self.pattern = pattern
    self.confidence = confidence
  }

  /// Whether the confidence suffices to act on the pattern.
  public var isCertain: Bool { confidence >= Self.certain }
}

/// Measures a mosaic's colour filter array from its pixels.
///
/// Phone applications tag the 4x4 mosaic of a quad sensor as 2x2, and sensors start at any column and row of the cell.
/// Up to 300 small windows are looked at. In each, absolute differences of direct neighbours are averaged by their
/// place in a 24x24 cell, the common multiple of all periods. A pattern predicts which of them join two photosites of
/// one colour. The flattest half of the windows is averaged and the pattern whose prediction explains most of the
/// variance is taken; the scatter between windows tells how far it can be trusted. Texture, noise and clipping do not
/// know the cell, so they cancel in the mean; constant gains of photosites weaken the result but do not turn it.
public struct CFAProbe: Sendable {
  /// Windows at most, across and down.
  private static let mostWindows = PixelSize(width: 20, height: 15)
  /// Fewer windows than this tell nothing of their scatter.
  private static let fewestWindows = 4
  /// Standard errors that a finding must exceed.
  static let doubt = 3.0
  /// Contrasts below this share of the difference between neighbours count for less.
  static let faintContrast = 0.1
  /// The greens are found when the diagonals' differences are unequal by this share of their sum.
  private static let greenContrast = 0.15

  /// A probe.
  public init() {}

  /// Measures.
  ///
  /// - Complexity: independent of the size beyond 1000x800 photosites; about 5 ms.
  public func measure(_ mosaic: Mosaic, workers: Workers = .serial) -> CFAMeasurement {
    let unknown = CFAMeasurement(pattern: nil, confidence: 0)
    guard mosaic.cfa.distinctColours.count > 1 else { return unknown }
    let places = Self.places(in: mosaic.size)
    let saturated = ProbeWindow.saturation * mosaic.levels.white[0]
    let all = ProbeWindow.measure(mosaic.samples, places, saturated: saturated, workers: workers)
    let windows = Self.flattestHalf(of: all)
    guard windows.count >= Self.fewestWindows else { return unknown }
    var best = Finding(hypothesis: nil, confidence: Self.confidenceOfPlainCell(windows))
    if let hypothesis = CFAHypothesis.best(for: windows, declared: mosaic.cfa) {
      let confidence = hypothesis.confidence(windows)
      if confidence > best.confidence { best = Finding(hypothesis: hypothesis, confidence: confidence) }
    }
    guard best.confidence > 0 else { return unknown }
    let pattern = Self.pattern(of: best, mosaic, windows.map(\.place))
    return CFAMeasurement(pattern: pattern, confidence: best.confidence)
  }

  private struct Finding {
    /// `nil` when no two neighbours share a colour.
    let hypothesis: CFAHypothesis?
    let confidence: Double
  }

  /// Top left corners of the windows: multiples of the cell, spread evenly.
  private static func places(in size: PixelSize) -> [(x: Int, y: Int)] {
    func spread(_ length: Int, _ most: Int) -> [Int] {
      let room = (length - ProbeWindow.margin) / ProbeWindow.side
      let count = max(0, min(room, most))
      return (0..<count).map { $0 * room / count * ProbeWindow.side }
    }
    let columns = spread(size.width, mostWindows.width)
    return spread(size.height, mostWindows.height).flatMap { y in columns.map { (x: $0, y: y) } }
  }

  /// Windows in which photosites of one colour differ least, relative to direct neighbours.
  private static func flattestHalf(of windows: [ProbeWindow]) -> [ProbeWindow] {
    let sorted = windows.enumerated().sorted { ($0.element.busyness, $0.offset) < ($1.element.busyness, $1.offset) }
    return sorted.prefix(max(min(fewestWindows, windows.count), (windows.count + 1) / 2)).map(\.element)
  }

  /// How well the windows fit a 2x2 cell: direct neighbours differ more than photosites two apart.
  private static func confidenceOfPlainCell(_ windows: [ProbeWindow]) -> Double {
    [\ProbeWindow.x, \ProbeWindow.y].map { axis in
      let parts = windows.map { window in
        let differences = window[keyPath: axis]
        return Contrast(
          between: 1, within: differences.lags[0] / differences.neighbours,
          apart: (differences.lags.min() ?? 0) / differences.neighbours)
      }
      return Contrast.confidence(parts)
    }.min() ?? 0
  }

  /// The pattern of a finding: the declared one where it says the same.
  private static func pattern(of finding: Finding, _ mosaic: Mosaic, _ places: [(x: Int, y: Int)]) -> CFAPattern {
    let declared = mosaic.cfa
    let geometry: CFAClusters
    if let hypothesis = finding.hypothesis {
      guard let clusters = hypothesis.pattern.clusters else {
        return hypothesis.agrees(with: declared) ? declared : hypothesis.pattern
      }
      geometry = clusters
    } else {
      guard declared.clusters != nil || CFAHypothesis(declared) != nil else {
        return declared  // a pattern of another kind without neighbours of one colour
      }
      geometry = CFAClusters(side: 1, originX: 0, originY: 0, cell: .rggb)
    }
    var first = declared.clusters?.firstCell ?? .rggb
    if first.isBayer, let green = greenDiagonal(mosaic, geometry, places), green != first.greenDiagonal {
      first = first.shifted(dx: 1, dy: 0)
    }
    let cell = first.shifted(dx: geometry.originX > 0 ? 1 : 0, dy: geometry.originY > 0 ? 1 : 0)
    return CFAClusters(side: geometry.side, originX: geometry.originX, originY: geometry.originY, cell: cell).pattern
  }

  /// On which diagonal the two clusters of one colour lie; 0 for that of the cluster which holds the first photosite.
  /// `nil` when it cannot be told.
  ///
  /// The means of a window's planes are compared: those of the two greens differ less than those of red and blue,
  /// however much noise there is.
  private static func greenDiagonal(_ mosaic: Mosaic, _ clusters: CFAClusters, _ places: [(x: Int, y: Int)]) -> Int? {
    let differences = places.map { place in
      let means = planeMeans(mosaic.samples, clusters, place)
      let (first, second) = (abs(means[0] - means[3]), abs(means[1] - means[2]))
      return (first - second) / max(first + second, .leastNormalMagnitude)
    }
    let sum = differences.reduce(0, +)
    let error = Contrast.standardError(ofSum: differences)
    guard abs(sum) > doubt * error, abs(sum) > greenContrast * Double(places.count) else { return nil }
    return sum < 0 ? 0 : 1
  }

  /// Means of the four planes in a window, counts; the first holds the mosaic's first photosite.
  private static func planeMeans(
    _ samples: Image<UInt16>, _ clusters: CFAClusters, _ place: (x: Int, y: Int)
  ) -> [Double] {
    let side = clusters.side
    let shift = (x: (side - clusters.originX) % side, y: (side - clusters.originY) % side)
    var sums = [0, 0, 0, 0]
    var counts = sums
    samples.withRows { rows in
      for y in place.y..<place.y + ProbeWindow.side {
        let row = rows.row(y)
        let line = (y + shift.y) / side % 2 * 2
        for x in place.x..<place.x + ProbeWindow.side {
          let plane = line + (x + shift.x) / side % 2
          sums[plane] += Int(row[x])
          counts[plane] += 1
        }
      }
    }
    return zip(sums, counts).map { Double($0) / Double($1) }
  }
}

extension CFAClusters {
  /// Colours of the clusters from the one that holds the first photosite, which the border may cut.
  var firstCell: CFAPattern { cell.shifted(dx: originX > 0 ? 1 : 0, dy: originY > 0 ? 1 : 0) }
}

extension CFAPattern {
  /// Of a Bayer cell: 0 when its first colour is green, else 1.
  fileprivate var greenDiagonal: Int { colours[0] == .green ? 0 : 1 }
}
