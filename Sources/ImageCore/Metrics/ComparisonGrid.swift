/// How two pictures are cut for comparison: slabs of rows that are read one after the other, and tiles of these that
/// threads take. Fixed numbers, so that sums do not depend on threads; even, so that halves of tiles fit together.
enum ComparisonGrid {
  /// Columns of a tile: planes of a tile stay in a CPU's own cache.
  static let tileWidth = 256
  /// Rows of a slab and of its tiles.
  static let slabHeight = 128
  /// Pixels around a tile that filters look at: the radius of the widest, ``FlipFilters/colourRadius``.
  static let halo = 10
  /// Floats from row to row of a tile's plane, with room for groups of sixteen that reach beyond the end.
  static let stride = tileWidth + 2 * halo + 28
  /// Rows of a tile's plane.
  static let rows = slabHeight + 2 * halo

  static func tilesAcross(_ width: Int) -> Int { (width + tileWidth - 1) / tileWidth }
}

/// A part of a slab in coordinates of the picture.
struct ComparisonTile: Sendable {
  let x: Range<Int>
  let y: Range<Int>

  init(index: Int, slab: Range<Int>, width: Int) {
    let left = index * ComparisonGrid.tileWidth
    x = left..<min(width, left + ComparisonGrid.tileWidth)
    y = slab
  }
}

/// What one tile adds to a comparison; folded in tile order.
struct TileTally: Sendable {
  var sums = [Double](repeating: 0, count: 4)
  var squares = [Double](repeating: 0, count: 4)
  var muSquares = [Double](repeating: 0, count: 4)
  var largest: Float = 0
  var place = (x: 0, y: 0, channel: 0)
  var differing = 0
  var nonFinite = Comparison.NonFinite()
  var similarity = SimilarityTally()
  var colourSum = 0.0
  var colourMax: Float = 0
  var flipSum = 0.0
  var flipMax: Float = 0

  mutating func add(_ other: TileTally) {
    for channel in sums.indices {
      sums[channel] += other.sums[channel]
      squares[channel] += other.squares[channel]
      muSquares[channel] += other.muSquares[channel]
    }
    // The first in row order: tiles come slab by slab, but a tile to the left may have its worst pixel further down.
    let isFirst = other.largest == largest && (other.place.y, other.place.x) < (place.y, place.x)
    if other.largest > largest || (other.largest > 0 && isFirst) { (largest, place) = (other.largest, other.place) }
    differing += other.differing
    nonFinite.left += other.nonFinite.left
    nonFinite.right += other.nonFinite.right
    nonFinite.mismatched += other.nonFinite.mismatched
    similarity.add(other.similarity)
    colourSum += other.colourSum
    colourMax = max(colourMax, other.colourMax)
    flipSum += other.flipSum
    flipMax = max(flipMax, other.flipMax)
  }
}

/// Sums of SSIM and of its contrast-structure part over windows.
struct SimilarityTally: Sendable {
  var whole = 0.0
  var structure = 0.0
  var windows = 0

  mutating func add(_ other: SimilarityTally) {
    whole += other.whole
    structure += other.structure
    windows += other.windows
  }
}

/// A thread's planes for one tile of two pictures, and rows for what lies between steps. Index 0 is the left picture.
final class ComparisonScratch {
  typealias Floats = UnsafeMutablePointer<Float>

  /// Samples of one row in units of the finer code, one row a channel.
  let codes: [[Floats]]
  /// Linear light of the same row.
  let light: [[Floats]]
  /// Luma of stored values, less a half.
  let luma: [Floats]
  /// Relative to white: Y, X − Y, Y − Z.
  let opponents: [[Floats]]
  /// Of the two pictures together: products for SSIM.
  let products: [Floats]
  /// Rows for whatever a step needs.
  let lines: [Floats]
  private let memory: Floats

  private static let planeCount = 2 + 6 + 2
  private static let lineCount = 8 + 8 + FlipKernel.lineCount + 1

  init() {
    let plane = ComparisonGrid.stride * ComparisonGrid.rows
    let line = ComparisonGrid.stride
    // Sixteen more on either side, for the groups of filters.
    let total = Self.planeCount * plane + Self.lineCount * line + 32
    let start = UnsafeMutablePointer<Float>.allocate(capacity: total)
    start.initialize(repeating: 0, count: total)
    memory = start
    let planes = (0..<Self.planeCount).map { start + 16 + $0 * plane }
    let rows = (0..<Self.lineCount).map { start + 16 + Self.planeCount * plane + $0 * line }
    luma = Array(planes[0..<2])
    opponents = [Array(planes[2..<5]), Array(planes[5..<8])]
    products = Array(planes[8..<10])
    codes = [Array(rows[0..<4]), Array(rows[4..<8])]
    light = [Array(rows[8..<12]), Array(rows[12..<16])]
    lines = Array(rows[16...])
  }

  deinit { memory.deallocate() }
}
