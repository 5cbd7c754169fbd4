/// What becomes of the counts of one cluster.
public enum BinMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// Their mean, rounded to the nearest integer, halves up. Levels stay.
  case mean
  /// Their sum; levels grow with it, so that nothing is rounded.
  case sum
}

/// Why a mosaic cannot be binned; one line without the file's name.
public enum BinningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Photosites of one colour do not lie in clusters.
  case noClusters(CFAPattern)
  /// The picture has all colours at every pixel.
  case notMosaic
  /// No whole cell of clusters lies inside.
  case tooSmall(PixelSize)
  /// Sums would need more than 16 bits.
  case sumTooLarge(white: Int, count: Int)

  /// What was found and what to do.
  public var description: String {
    switch self {
    case .noClusters(let pattern):
      "has no clusters to bin: its colour filter array is \(pattern); if that is wrong, say so with --cfa quad-rggb"
    case .notMosaic: "has no clusters to bin: it is a linear picture, not a mosaic"
    case .tooSmall(let size): "is too small to bin: \(size) holds no 2x2 whole clusters"
    case .sumTooLarge(let white, let count):
      "cannot be summed: \(count) times its white level \(white) is more than 16 bits hold; use --bin-mode mean"
    }
  }
}

/// Same-colour binning: each cluster of a quad, nona or hexadeca mosaic becomes one photosite of a 2x2 mosaic.
///
/// Clusters that the border cuts are left out. The photosite `X` of the result stands for the columns
/// `originX + side * X ..< originX + side * (X + 1)`; its centre lies at column `originX + side * X + (side - 1) / 2`,
/// half a photosite right of (and below) the cluster's first one for quad, for all colours alike. A cluster with a
/// photosite at or above white is clipped: it becomes the result's white level.
public struct ClusterBinning: Sendable {
  /// Where the clusters lie.
  public let clusters: CFAClusters
  /// Columns and rows of the result.
  public let size: PixelSize
  /// What becomes of the counts of one cluster.
  public let mode: BinMode
  private let mosaic: Mosaic
  /// The least clipped count.
  private let saturated: UInt16

  /// Checks that the mosaic can be binned.
  public init(_ mosaic: Mosaic, mode: BinMode) throws(BinningError) {
    guard let clusters = mosaic.cfa.clusters, clusters.side > 1 else { throw .noClusters(mosaic.cfa) }
    size = clusters.count(in: mosaic.size)
    guard size.width >= 2, size.height >= 2 else { throw .tooSmall(mosaic.size) }
    let white = max(1, min(mosaic.levels.white[0], Float(UInt16.max)))
    saturated = UInt16(white.rounded(.up))
    let count = clusters.side * clusters.side
    if mode == .sum, count * Int(saturated) > Int(UInt16.max) {
      throw .sumTooLarge(white: Int(saturated), count: count)
    }
    self.clusters = clusters
    self.mode = mode
    self.mosaic = mosaic
  }

  /// Photosites of a cluster.
  public var photosites: Int { clusters.side * clusters.side }

  /// Bins, exactly.
  ///
  /// - Complexity: O(photosites); for quad as fast as copying the bytes.
  public func mosaic(resources: Resources = Resources()) -> Mosaic {
    var samples = Image<UInt16>(uninitialized: size, in: resources.pool)
    bin(into: &samples, workers: resources.workers)
    return Mosaic(samples: samples, cfa: clusters.cell, levels: levels)
  }

  /// Bins into an image of ``size`` that exists already.
  public func bin(into samples: inout Image<UInt16>, workers: Workers = .serial) {
    precondition(samples.size == size, "the result has the wrong size \(samples.size)")
    let full = mode == .sum ? UInt16(photosites) * saturated : saturated
    let job = BinningKernel.Job(
      side: clusters.side, originX: clusters.originX, originY: clusters.originY, saturated: saturated, full: full,
      isMean: mode == .mean)
    mosaic.samples.withRows { from in
      samples.withMutableRows { to in
        BinningKernel.bin(job, from, to, workers: workers)
      }
    }
  }

  /// Levels of the result: for means, those of the clusters' means; for sums, of their sums.
  private var levels: SensorLevels {
    let factor: Float = mode == .sum ? Float(photosites) : 1
    let white = mosaic.levels.white[0] > Float(UInt16.max) ? mosaic.levels.white[0] : Float(saturated)
    return SensorLevels(
      black: mosaic.levels.black.binned(clusters, size: size, factor: factor), white: [white * factor])
  }

  /// A rectangle of the mosaic in coordinates of the result: the clusters that lie inside it as a whole. The whole
  /// result when there are none.
  public func rect(_ rect: PixelRect) -> PixelRect {
    func span(_ range: Range<Int>, _ origin: Int, _ count: Int) -> Range<Int> {
      let side = clusters.side
      let first = max(0, (range.lowerBound - origin + side - 1) / side)
      let end = min(count, max(0, range.upperBound - origin) / side)
      return first < end ? first..<end : 0..<count
    }
    let columns = span(rect.columns, clusters.originX, size.width)
    let rows = span(rect.rows, clusters.originY, size.height)
    return PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

extension RawPhoto {
  /// The photo with each cluster of its mosaic made one photosite; all that depends on it follows.
  ///
  /// The noise of a mean of n photosites is `S/n x + O/n` (rounding to integers, 1/12 count², is left out).
  public func binned(_ mode: BinMode, resources: Resources = Resources()) throws(BinningError) -> RawPhoto {
    guard case .mosaic(let mosaic) = pixels else { throw .notMosaic }
    let binning = try ClusterBinning(mosaic, mode: mode)
    var photo = self
    photo.pixels = .mosaic(binning.mosaic(resources: resources))
    photo.defaultCrop = binning.rect(defaultCrop)
    let count = Double(binning.photosites)
    photo.noise = noise.map { noise in
      NoiseProfile(planes: noise.planes.map { .init(scale: $0.scale / count, offset: $0.offset / count) })
    }
    return photo
  }
}

extension BlackLevel {
  /// The level of a mosaic whose clusters became photosites: the mean of each cluster's levels, times `factor`.
  func binned(_ clusters: CFAClusters, size: PixelSize, factor: Float) -> BlackLevel {
    let side = clusters.side
    let cellWidth = width / greatestCommonDivisor(width, side)
    let cellHeight = height / greatestCommonDivisor(height, side)
    let offsets = 0..<side * side
    var cell: [Float] = []
    for y in 0..<cellHeight {
      for x in 0..<cellWidth {
        let sum = offsets.reduce(into: Float(0)) { sum, offset in
          let row = (clusters.originY + y * side + offset / side) % height
          let column = (clusters.originX + x * side + offset % side) % width
          sum += values[row * width + column]
        }
        cell.append(sum / Float(side * side) * factor)
      }
    }
    func means(_ deltas: [Float], _ origin: Int, _ count: Int) -> [Float] {
      if deltas.isEmpty { return [] }
      return (0..<count).map { index in
        let first = origin + index * side
        return deltas[first..<first + side].reduce(0, +) / Float(side) * factor
      }
    }
    return BlackLevel(
      width: cellWidth, height: cellHeight, values: cell,
      columnDeltas: means(columnDeltas, clusters.originX, size.width),
      rowDeltas: means(rowDeltas, clusters.originY, size.height))
  }
}
