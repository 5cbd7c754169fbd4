import ImageCore

/// Coefficients of one row of blocks, for all phases of the cell: each thread has one.
///
/// A block is 8x8 samples of one phase; coefficient `k` (row by row) of block `b` lies at `k * blocks + b`, so that a
/// loop over blocks is a loop over neighbours.
final class BurstBuffers {
  /// Samples on a block's side, and from one block to the next.
  static let side = 8
  static let step = 4
  static let area = side * side
  /// Blocks that are transformed at once.
  static let lanes = 8

  /// Blocks that fit into a row, rounded up to whole lanes.
  let blocks: Int
  let phases: Int
  private let memory: UnsafeMutablePointer<Float>

  private var plane: Int { Self.area * blocks }

  init(_ layout: TileLayout) {
    phases = layout.cell.count
    let across = (layout.paddedCells.width - Self.side) / Self.step + 1
    blocks = (across + Self.lanes - 1) / Self.lanes * Self.lanes
    let count = Self.area * blocks * (2 * phases + 3) + blocks * (3 * phases + Self.blockRows)
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
  }

  deinit { memory.deallocate() }

  private static let blockRows = 8

  /// Difference of the leader from a member.
  func difference(_ phase: Int) -> UnsafeMutablePointer<Float> { memory + phase * plane }
  /// What is taken off the leader.
  func correction(_ phase: Int) -> UnsafeMutablePointer<Float> { memory + (phases + phase) * plane }
  /// Mean square over noise of a coefficient, then the part of the difference that is taken over.
  var share: UnsafeMutablePointer<Float> { memory + 2 * phases * plane }
  /// Sums over members of the shares, and of their squares.
  var shareSum: UnsafeMutablePointer<Float> { memory + (2 * phases + 1) * plane }
  var squareSum: UnsafeMutablePointer<Float> { memory + (2 * phases + 2) * plane }

  private var rows: UnsafeMutablePointer<Float> { memory + (2 * phases + 3) * plane }
  /// The leader's mean light; 1 / noise of a difference over the number of phases; the same for the mean.
  func mean(_ phase: Int) -> UnsafeMutablePointer<Float> { rows + phase * blocks }
  func inverse(_ phase: Int) -> UnsafeMutablePointer<Float> { rows + (phases + phase) * blocks }
  func inverseOfMean(_ phase: Int) -> UnsafeMutablePointer<Float> { rows + (2 * phases + phase) * blocks }
  /// Values of blocks.
  func row(_ index: Int) -> UnsafeMutablePointer<Float> { rows + (3 * phases + index) * blocks }
}
