/// Luma of two pictures at half, a quarter … of their size, for similarity at scales and for alignment.
enum LumaPyramid {
  /// Weights of the five scales, Wang et al. 2003, section 3.2.
  static let weights = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333]
  /// Pixels up to which pictures are aligned at full size; larger ones at half, a quarter … of it.
  static let wholeAlignmentArea = 2_000_000
  private static let rowsPerTile = ComparisonGrid.slabHeight

  /// Means of 2 x 2 samples of two rows.
  static func halve(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int
  ) {
    for x in 0..<count {
      out[x] = 0.25 * ((upper[2 &* x] + upper[2 &* x &+ 1]) + (lower[2 &* x] + lower[2 &* x &+ 1]))
    }
  }

  /// How many of the five scales hold a whole window.
  static func scales(of size: PixelSize) -> Int {
    var side = min(size.width, size.height)
    var count = 0
    while count < weights.count && side > 2 * SimilarityKernel.radius {
      count += 1
      side /= 2
    }
    return count
  }

  /// MS-SSIM from the first scale's sums and the luma at half size; `nil` when not even one scale fits.
  static func multiScale(
    first: SimilarityTally, halves: [Image<Float>], size: PixelSize, resources: Resources
  ) -> Comparison.MultiScale? {
    let count = scales(of: size)
    guard count > 0 else { return nil }
    var tallies = [first]
    var level = halves
    while tallies.count < count {
      tallies.append(tally(level, resources))
      if tallies.count < count { level = level.map { halved($0, resources) } }
    }
    let total = weights[..<count].reduce(0, +)
    var value = 1.0
    for (scale, tally) in tallies.enumerated() {
      let mean = (scale == count - 1 ? tally.whole : tally.structure) / Double(max(1, tally.windows))
      value *= Elementary.power(max(0, mean), weights[scale] / total)
    }
    return Comparison.MultiScale(value: tallies.allSatisfy(\.isPerfect) ? 1 : value, scales: count)
  }

  private static func halved(_ image: Image<Float>, _ resources: Resources) -> Image<Float> {
    var half = Image<Float>(
      uninitialized: PixelSize(width: image.width / 2, height: image.height / 2), in: resources.pool)
    image.withRows { from in
      half.withMutableRows { to in
        resources.workers.forEachBand(of: to.height, rowsPerBand: rowsPerTile) { rows in
          for y in rows { halve(from.row(2 * y), from.row(2 * y + 1), into: to.row(y), count: to.width) }
        }
      }
    }
    return half
  }

  /// Similarity of two planes of luma less a half.
  private static func tally(_ level: [Image<Float>], _ resources: Resources) -> SimilarityTally {
    let size = level[0].size
    let across = ComparisonGrid.tilesAcross(size.width)
    let down = (size.height + rowsPerTile - 1) / rowsPerTile
    return level[0].withRows { left in
      level[1].withRows { right in
        let sides = [left, right]
        let tallies = resources.workers.map(count: across * down, scratch: ComparisonScratch.init) { index, scratch in
          let top = index / across * rowsPerTile
          let tile = ComparisonTile(
            index: index % across, slab: top..<min(size.height, top + rowsPerTile), width: size.width)
          copy(tile, of: size, sides, to: scratch)
          return SimilarityKernel.tally(tile, of: size, scratch)
        }
        return tallies.reduce(into: SimilarityTally()) { $0.add($1) }
      }
    }
  }

  private static func copy(
    _ tile: ComparisonTile, of size: PixelSize, _ sides: [PixelRows<Float>], to scratch: ComparisonScratch
  ) {
    let reach = SimilarityKernel.radius
    let left = max(0, tile.x.lowerBound - reach)
    let count = min(size.width, tile.x.upperBound + reach) - left
    for y in max(0, tile.y.lowerBound - reach)..<min(size.height, tile.y.upperBound + reach) {
      let row = (y - tile.y.lowerBound + ComparisonGrid.halo) * ComparisonGrid.stride
      let place = row + ComparisonGrid.halo - (tile.x.lowerBound - left)
      for side in 0..<2 { (scratch.luma[side] + place).update(from: sides[side].row(y) + left, count: count) }
    }
  }

  /// How the right luma lies on the left one.
  ///
  /// - Parameter scale: pixels of the picture in one of the luma's.
  static func alignment(_ luma: [Image<Float>], scale: Double, resources: Resources) -> Comparison.Alignment? {
    guard min(luma[0].width, luma[0].height) >= smallestAligned else { return nil }
    if luma[0].size.area > largestAligned {
      return alignment(luma.map { halved($0, resources) }, scale: 2 * scale, resources: resources)
    }
    let pyramids = luma.map { GreyPyramid($0, resources: resources) }
    let found = GlobalAlignment(reference: pyramids[0], other: pyramids[1], workers: resources.workers)
    guard found.structure > flat else { return nil }
    // Where no motion explains the pictures as well, there is none.
    let isMoved = found.similarity > found.similarityAtRest || (found.preference > 0 && found.gain > 0)
    let motion = isMoved ? found.motion : .identity
    let degrees = 180 / 3.14159265358979
    return Comparison.Alignment(
      x: motion.shiftX * scale, y: motion.shiftY * scale, turn: motion.turn * degrees,
      similarity: isMoved ? found.similarity : found.similarityAtRest)
  }

  /// Larger luma is halved first: what is left places pictures to a few hundredths of a pixel.
  private static let largestAligned = 4_000_000
  /// Sides below this hold too little to be laid on each other.
  private static let smallestAligned = 32
  /// Mean squared gradient of a picture without structure: a tenth of a code of 255.
  private static let flat = 1.5e-7
}

extension SimilarityTally {
  /// Whether every window was alike, so far as sums tell.
  var isPerfect: Bool { whole == Double(windows) && structure == Double(windows) }
}
