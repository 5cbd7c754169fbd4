import ImageCore

/// Whole rows of a picture on their way through ``DetailFinisher``: root of light as luma and two colour differences.
///
/// Only as many rows are held as one step needs; those that the next step needs too move to the front.
final class SceneStripe: @unchecked Sendable {
  /// What the whole picture covers, in photo coordinates; beyond it rows and columns are mirrored.
  let region: PixelRect
  /// Rows held now, in photo coordinates.
  private(set) var rows: Range<Int>

  private static let planes = 3
  private let capacity: Int
  private let memory: UnsafeMutablePointer<Float>

  /// Room for `capacity` rows of `region`.
  init(region: PixelRect, capacity: Int) {
    self.region = region
    self.capacity = capacity
    rows = region.y..<region.y
    memory = .allocate(capacity: region.width * capacity * Self.planes)
  }

  deinit { memory.deallocate() }

  /// Drops the rows above `first` and makes room for those up to `end`.
  func advance(from first: Int, to end: Int) {
    precondition(first >= rows.lowerBound && end - first <= capacity, "rows \(first)..<\(end) do not fit")
    let kept = max(0, rows.upperBound - first)
    for plane in 0..<Self.planes {
      let start = memory + plane * capacity * region.width
      start.update(from: start + (first - rows.lowerBound) * region.width, count: kept * region.width)
    }
    rows = first..<end
  }

  /// Row `y`, one of ``rows``, from column `region.x` on. Plane 0 is luma, 1 and 2 are chroma.
  @inline(__always)
  func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    memory + (plane &* capacity &+ (y &- rows.lowerBound)) &* region.width
  }

  /// Copies `count` values from column `x` on; columns and rows beyond the region are mirrored at its edge.
  func read(_ plane: Int, x: Int, y: Int, count: Int, into out: UnsafeMutablePointer<Float>) {
    let source = row(plane, Self.mirrored(y, region.rows)) - region.x
    let inner = max(x, region.x)..<max(max(x, region.x), min(x + count, region.x + region.width))
    (out + (inner.lowerBound - x)).update(from: source + inner.lowerBound, count: inner.count)
    for column in x..<x + count where !inner.contains(column) {
      out[column - x] = source[Self.mirrored(column, region.columns)]
    }
  }

  /// The index inside `range` that `index` is the mirror image of; the edge itself is doubled.
  static func mirrored(_ index: Int, _ range: Range<Int>) -> Int {
    var index = index
    while !range.contains(index) {
      index = index < range.lowerBound ? 2 * range.lowerBound - 1 - index : 2 * range.upperBound - 1 - index
    }
    return index
  }
}
