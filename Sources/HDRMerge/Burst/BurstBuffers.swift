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
    let count = Self.area * blocks * (2 * phases + 5) + blocks * (3 * phases + Self.blockRows)
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

  /// Means of ``share`` over neighbouring coefficients.
  var neighbourhood: UnsafeMutablePointer<Float> { memory + (2 * phases + 3) * plane }
  private var lines: UnsafeMutablePointer<Float> { memory + (2 * phases + 4) * plane }

  private var rows: UnsafeMutablePointer<Float> { memory + (2 * phases + 5) * plane }
  /// The leader's mean light; 1 / noise of a difference over the number of phases; the same for the mean.
  func mean(_ phase: Int) -> UnsafeMutablePointer<Float> { rows + phase * blocks }
  func inverse(_ phase: Int) -> UnsafeMutablePointer<Float> { rows + (phases + phase) * blocks }
  func inverseOfMean(_ phase: Int) -> UnsafeMutablePointer<Float> { rows + (2 * phases + phase) * blocks }
  /// Values of blocks.
  func row(_ index: Int) -> UnsafeMutablePointer<Float> { rows + (3 * phases + index) * blocks }

  /// How many coefficients the neighbourhood of one has: 4 in a corner, 9 inside.
  static func neighbours(_ k: Int) -> Int {
    func along(_ index: Int) -> Int { index == 0 || index == side - 1 ? 2 : 3 }
    return along(k / side) * along(k % side)
  }

  /// Fills ``neighbourhood`` from ``share``.
  func smooth(_ count: Int) {
    let side = Self.side
    for k in 0..<Self.area { Self.add(share, k, step: 1, at: k % side, into: lines, blocks, count) }
    for k in 0..<Self.area {
      Self.add(lines, k, step: side, at: k / side, into: neighbourhood, blocks, count)
      let out = neighbourhood + k * blocks
      let part = 1 / Float(Self.neighbours(k))
      for b in 0..<count { out[b] *= part }
    }
  }

  /// Coefficient `k` and its neighbours on both sides.
  private static func add(
    _ values: UnsafePointer<Float>, _ k: Int, step: Int, at place: Int, into out: UnsafeMutablePointer<Float>,
    _ blocks: Int, _ count: Int
  ) {
    let (here, target) = (values + k * blocks, out + k * blocks)
    let before = values + (place > 0 ? k - step : k) * blocks
    let after = values + (place < side - 1 ? k + step : k) * blocks
    let (first, last): (Float, Float) = (place > 0 ? 1 : 0, place < side - 1 ? 1 : 0)
    for b in 0..<count { target[b] = here[b] + first * before[b] + last * after[b] }
  }
}
