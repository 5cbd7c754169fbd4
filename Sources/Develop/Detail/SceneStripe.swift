import ImageCore

/// Whole rows of a picture on their way through ``DetailFinisher``: root of light as luma and two colour differences,
/// and all three at half resolution.
///
/// Only as many rows are held as one step needs; row `y` lies in the same place as row `y + capacity`.
final class SceneStripe: @unchecked Sendable {
  /// What the whole picture covers, in photo coordinates; beyond it rows and columns are mirrored.
  let region: PixelRect
  /// Column and row of the photo, 0 or 1, at which cells of half resolution start.
  let origin: (x: Int, y: Int)
  /// Cells that the region touches.
  let cells: PixelRect
  /// Rows held now, in photo coordinates.
  private(set) var rows: Range<Int>

  private static let planes = 3
  private let capacity: Int
  private let memory: UnsafeMutablePointer<Float>
  private let halves: UnsafeMutablePointer<Float>

  /// Room for `capacity` rows of `region`; an even number.
  init(region: PixelRect, origin: (x: Int, y: Int), capacity: Int) {
    self.region = region
    self.origin = origin
    self.capacity = capacity
    let (left, top) = (Self.cell(region.x, origin.x), Self.cell(region.y, origin.y))
    cells = PixelRect(
      x: left, y: top, width: Self.cell(region.x + region.width - 1, origin.x) + 1 - left,
      height: Self.cell(region.y + region.height - 1, origin.y) + 1 - top)
    rows = region.y..<region.y
    memory = .allocate(capacity: region.width * capacity * Self.planes)
    halves = .allocate(capacity: cells.width * (capacity / 2 + 1) * Self.planes)
  }

  deinit {
    memory.deallocate()
    halves.deallocate()
  }

  /// The cell that a column or row belongs to.
  static func cell(_ index: Int, _ origin: Int) -> Int { (index - origin + 2) / 2 - 1 }

  /// Drops the rows above `first` and makes room for those up to `end`.
  func advance(from first: Int, to end: Int) {
    precondition(first >= rows.lowerBound && end - first <= capacity, "rows \(first)..<\(end) do not fit")
    rows = first..<end
  }

  /// Row `y`, one of ``rows``, from column `region.x` on. Plane 0 is luma, 1 and 2 are chroma.
  @inline(__always)
  func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    memory + (plane &* capacity &+ (y &- region.y) % capacity) &* region.width
  }

  /// Row `y` of cells, from cell `cells.x` on. Plane 0 is light with ``RootLight/offset``, 1 and 2 are chroma.
  @inline(__always)
  func halfRow(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    let held = capacity / 2 + 1
    return halves + (plane &* held &+ (y &- cells.y) % held) &* cells.width
  }

  /// Fills the cells of `rect`, whose pixels are all there: means of four, at the region's edge of what there is.
  func halve(_ rect: PixelRect) {
    let columns = Self.cell(rect.x, origin.x)...Self.cell(rect.x + rect.width - 1, origin.x)
    for y in Self.cell(rect.y, origin.y)...Self.cell(rect.y + rect.height - 1, origin.y) {
      let top = 2 * y + origin.y
      let (upper, lower) = (Self.mirrored(top, region.rows), Self.mirrored(top + 1, region.rows))
      for plane in 0..<Self.planes {
        let (a, b) = (row(plane, upper) - region.x, row(plane, lower) - region.x)
        let out = halfRow(plane, y) - cells.x
        var (first, end) = (columns.lowerBound, columns.upperBound + 1)
        let edge = region.x + region.width
        if 2 * first + origin.x < region.x {
          out[first] = (a[region.x] + b[region.x]) * 0.5
          first += 1
        }
        if end > first, 2 * end - 1 + origin.x >= edge {
          end -= 1
          out[end] = (a[edge - 1] + b[edge - 1]) * 0.5
        }
        if end > first { DetailKernels.halve(a + origin.x, b + origin.x, first..<end, into: out) }
      }
      DetailKernels.square(halfRow(0, y) - cells.x, columns.lowerBound..<columns.upperBound + 1)
    }
  }

  /// Copies `count` values of luma from column `x` on; columns and rows beyond the region are mirrored at its edge.
  func readLuma(x: Int, y: Int, count: Int, into out: UnsafeMutablePointer<Float>) {
    Self.read(row(0, Self.mirrored(y, region.rows)) - region.x, region.columns, x: x, count: count, into: out)
  }

  /// The same with cells of half resolution.
  func readHalf(_ plane: Int, x: Int, y: Int, count: Int, into out: UnsafeMutablePointer<Float>) {
    Self.read(halfRow(plane, Self.mirrored(y, cells.rows)) - cells.x, cells.columns, x: x, count: count, into: out)
  }

  private static func read(
    _ source: UnsafePointer<Float>, _ columns: Range<Int>, x: Int, count: Int, into out: UnsafeMutablePointer<Float>
  ) {
    let start = max(x, columns.lowerBound)
    let inner = start..<max(start, min(x + count, columns.upperBound))
    (out + (inner.lowerBound - x)).update(from: source + inner.lowerBound, count: inner.count)
    for column in x..<x + count where !inner.contains(column) { out[column - x] = source[mirrored(column, columns)] }
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
