import ImageCore

/// A part of a picture on its way through ``DetailFinisher``: root of light as luma and two colour differences, and
/// all three at half resolution.
///
/// Only what one step needs is held: some rows, of which row `y` lies in the same place as row `y + capacity`, or some
/// columns, of which those that are still needed are moved to the side.
final class SceneStripe: @unchecked Sendable {
  /// What the whole picture covers, in photo coordinates; beyond it rows and columns are mirrored.
  let region: PixelRect
  /// Column and row of the photo, 0 or 1, at which cells of half resolution start.
  let origin: (x: Int, y: Int)
  /// Cells that the region touches.
  let cells: PixelRect
  /// What is held now, in photo coordinates.
  private(set) var window: PixelRect

  private static let planes = 3
  private let capacity: PixelSize
  /// Rows of cells held.
  private let cellRows: Int
  private let stride: Int
  private let cellStride: Int
  private let storage: (pixels: Image<Float>, cells: Image<Float>)
  private let memory: UnsafeMutablePointer<Float>
  private let halves: UnsafeMutablePointer<Float>

  /// Room for `capacity` columns and rows of `region`; an even number of each unless it is the region's.
  init(region: PixelRect, origin: (x: Int, y: Int), capacity: PixelSize, pool: MemoryPool? = nil) {
    self.region = region
    self.origin = origin
    self.capacity = PixelSize(
      width: min(capacity.width, region.width), height: min(capacity.height, region.height))
    let (left, top) = (Self.cell(region.x, origin.x), Self.cell(region.y, origin.y))
    cells = PixelRect(
      x: left, y: top, width: Self.cell(region.x + region.width - 1, origin.x) + 1 - left,
      height: Self.cell(region.y + region.height - 1, origin.y) + 1 - top)
    window = PixelRect(x: region.x, y: region.y, width: 0, height: 0)
    cellRows = self.capacity.height / 2 + 2
    var pixels = Image<Float>(
      uninitialized: PixelSize(width: self.capacity.width, height: self.capacity.height * Self.planes), in: pool)
    var halved = Image<Float>(
      uninitialized: PixelSize(width: self.capacity.width / 2 + 2, height: cellRows * Self.planes), in: pool)
    (memory, halves) = (pixels.withMutableRows { $0.base }, halved.withMutableRows { $0.base })
    (stride, cellStride) = (pixels.stride, halved.stride)
    storage = (pixels, halved)
  }

  /// The cell that a column or row belongs to.
  static func cell(_ index: Int, _ origin: Int) -> Int { (index - origin + 2) / 2 - 1 }

  /// Makes room for `next`: what it shares with what is held stays, the rest is there when it has been filled.
  func hold(_ next: PixelRect) {
    precondition(next.width <= capacity.width && next.height <= capacity.height, "\(next) does not fit")
    if next.x != window.x { slide(to: next.columns) }
    window = next
  }

  private func slide(to next: Range<Int>) {
    let kept = window.columns.clamped(to: next)
    if kept.isEmpty { return }
    let (from, to) = (kept.lowerBound - window.x, kept.lowerBound - next.lowerBound)
    for slot in 0..<capacity.height * Self.planes {
      let row = memory + slot * stride
      (row + to).update(from: row + from, count: kept.count)
    }
    let first = Self.cell(kept.lowerBound, origin.x)
    let count = Self.cell(kept.upperBound - 1, origin.x) + 1 - first
    let (cellFrom, cellTo) = (
      first - Self.cell(window.x, origin.x), first - Self.cell(next.lowerBound, origin.x)
    )
    for slot in 0..<cellRows * Self.planes {
      let row = halves + slot * cellStride
      (row + cellTo).update(from: row + cellFrom, count: count)
    }
  }

  /// Row `y` of the window; the pointer addresses column 0 of the photo. Plane 0 is luma, 1 and 2 are chroma.
  @inline(__always)
  func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    memory + ((plane &* capacity.height &+ (y &- region.y) % capacity.height) &* stride &- window.x)
  }

  /// Row `y` of cells; the pointer addresses cell 0. Plane 0 is light with ``RootLight/offset``, 1 and 2 are chroma.
  @inline(__always)
  func halfRow(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    halves + ((plane &* cellRows &+ (y &- cells.y) % cellRows) &* cellStride &- Self.cell(window.x, origin.x))
  }

  /// Fills the cells of `rect`, whose pixels are all there: means of four, at the region's edge of what there is.
  func halve(_ rect: PixelRect) {
    let columns = Self.cell(rect.x, origin.x)...Self.cell(rect.x + rect.width - 1, origin.x)
    for y in Self.cell(rect.y, origin.y)...Self.cell(rect.y + rect.height - 1, origin.y) {
      let top = 2 * y + origin.y
      let (upper, lower) = (Self.mirrored(top, region.rows), Self.mirrored(top + 1, region.rows))
      for plane in 0..<Self.planes {
        let (a, b, out) = (row(plane, upper), row(plane, lower), halfRow(plane, y))
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
      DetailKernels.square(halfRow(0, y), columns.lowerBound..<columns.upperBound + 1)
    }
  }

  /// `count` values of luma from column `x` on, where they lie; columns and rows beyond the region are mirrored at its
  /// edge, columns by way of `copy`.
  func luma(x: Int, y: Int, count: Int, copy: UnsafeMutablePointer<Float>) -> UnsafePointer<Float> {
    Self.values(row(0, Self.mirrored(y, region.rows)), region.columns, x: x, count: count, copy: copy)
  }

  /// The same with cells of half resolution.
  func half(_ plane: Int, x: Int, y: Int, count: Int, copy: UnsafeMutablePointer<Float>) -> UnsafePointer<Float> {
    Self.values(halfRow(plane, Self.mirrored(y, cells.rows)), cells.columns, x: x, count: count, copy: copy)
  }

  private static func values(
    _ source: UnsafePointer<Float>, _ columns: Range<Int>, x: Int, count: Int, copy: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    if x >= columns.lowerBound, x + count <= columns.upperBound { return source + x }
    let start = max(x, columns.lowerBound)
    let inner = start..<max(start, min(x + count, columns.upperBound))
    (copy + (inner.lowerBound - x)).update(from: source + inner.lowerBound, count: inner.count)
    for column in x..<x + count where !inner.contains(column) { copy[column - x] = source[mirrored(column, columns)] }
    return UnsafePointer(copy)
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
