/// A 2x2 pattern whose every colour covers a square cluster of photosites: quad 2x2, nona 3x3, hexadeca 4x4; a plain
/// 2x2 pattern has clusters of one photosite.
public struct CFAClusters: Sendable, Hashable {
  /// The sides that sensors have.
  public static let sides = 1...4

  /// Photosites along a side of a cluster, 1...4.
  public let side: Int
  /// Column at which the first whole cluster begins, `0 ..< side`.
  public let originX: Int
  /// Row at which the first whole cluster begins, `0 ..< side`.
  public let originY: Int
  /// Colours of the clusters, 2x2, phased to the first whole cluster.
  public let cell: CFAPattern

  /// Columns and rows of whole clusters in a mosaic; what the border cuts off is left out. Either may be 0.
  public func count(in size: PixelSize) -> PixelSize {
    PixelSize(width: max(0, size.width - originX) / side, height: max(0, size.height - originY) / side)
  }

  /// The pattern these clusters make, phased to the mosaic.
  public var pattern: CFAPattern {
    CFAPattern(cell: cell, clusterSide: side)!.shifted(dx: 2 * side - originX, dy: 2 * side - originY)
  }

  /// Clusters from their parts; `cell` is 2x2, the origin in `0 ..< side`.
  public init(side: Int, originX: Int, originY: Int, cell: CFAPattern) {
    precondition(Self.sides.contains(side) && cell.width == 2 && cell.height == 2, "clusters of a 2x2 cell")
    precondition((0..<side).contains(originX) && (0..<side).contains(originY), "the origin is in the first cluster")
    self.side = side
    self.originX = originX
    self.originY = originY
    self.cell = cell
  }
}

extension CFAPattern {
  /// The pattern that gives each colour of a 2x2 cell a square cluster of photosites.
  ///
  /// - Returns: `nil` when the cell is not 2x2 or the side not in 1...4.
  public init?(cell: CFAPattern, clusterSide side: Int) {
    guard cell.width == 2, cell.height == 2, CFAClusters.sides.contains(side) else { return nil }
    let period = 2 * side
    self.init(
      width: period, height: period,
      colours: (0..<period * period).map { cell[$0 % period / side, $0 / period / side] })
  }

  /// The clusters of this pattern: of side 1 for a 2x2 pattern, `nil` when it has none (X-Trans, monochrome …).
  public var clusters: CFAClusters? {
    guard width == height, width % 2 == 0, CFAClusters.sides.contains(width / 2) else { return nil }
    let side = width / 2
    for originY in 0..<side {
      for originX in 0..<side {
        let cell = CFAPattern(
          width: 2, height: 2,
          colours: (0..<4).map { self[originX + $0 % 2 * side, originY + $0 / 2 * side] })!
        let clusters = CFAClusters(side: side, originX: originX, originY: originY, cell: cell)
        if clusters.pattern == self { return clusters }
      }
    }
    return nil
  }
}
