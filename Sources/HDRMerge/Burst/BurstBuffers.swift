import ImageCore

/// Coefficients of eight blocks side by side, for all phases of the cell: each thread has one, small enough to stay in
/// the nearest cache.
///
/// A block is 8x8 samples of one phase; coefficient `k` (row by row) of block `b` of the eight lies at `8 k + b`.
final class BurstBuffers {
  /// Samples on a block's side, and from one block to the next.
  static let side = 8
  static let step = 4
  static let area = side * side
  /// Blocks that are worked on at once.
  static let lanes = 8
  /// Floats of all coefficients of one phase.
  static let plane = area * lanes

  let phases: Int
  /// Groups of four cells, half a block each, of a row of the padded tile.
  let groups: Int
  private let memory: UnsafeMutablePointer<Float>
  private let memoryOfSums: UnsafeMutablePointer<Float>
  private let groupRows: Int

  /// Rows of lanes besides three a phase.
  private static let rowCount = 8

  init(_ layout: TileLayout) {
    phases = layout.cell.count
    groupRows = layout.paddedCells.height
    // Whole lanes are read, and half a block more.
    groups = layout.paddedCells.width / Self.step + Self.lanes + 1
    let count = Self.plane * (2 * phases + 3) + Self.lanes * (3 * phases + Self.rowCount)
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    let sums = groups * layout.paddedCells.height * phases + layout.paddedSamples.width
    memoryOfSums = .allocate(capacity: sums)
    memoryOfSums.initialize(repeating: 0, count: sums)
  }

  deinit {
    memory.deallocate()
    memoryOfSums.deallocate()
  }

  /// Differences of the leader from a member, phase by phase.
  var differences: UnsafeMutablePointer<Float> { memory }
  func difference(_ phase: Int) -> UnsafeMutablePointer<Float> { memory + phase * Self.plane }
  /// What is taken off the leader, phase by phase.
  var corrections: UnsafeMutablePointer<Float> { memory + phases * Self.plane }
  func correction(_ phase: Int) -> UnsafeMutablePointer<Float> { corrections + phase * Self.plane }
  /// Mean square over noise of a coefficient, then the part of the difference that is taken over.
  var share: UnsafeMutablePointer<Float> { memory + 2 * phases * Self.plane }
  /// Sums over members of the shares, and of their squares.
  var shareSum: UnsafeMutablePointer<Float> { memory + (2 * phases + 1) * Self.plane }
  var squareSum: UnsafeMutablePointer<Float> { memory + (2 * phases + 2) * Self.plane }

  private var rows: UnsafeMutablePointer<Float> { memory + (2 * phases + 3) * Self.plane }
  /// The leader's mean light; 1 / noise of a difference over the number of phases; the same for the mean: phase by phase.
  func mean(_ phase: Int) -> UnsafeMutablePointer<Float> { rows + phase * Self.lanes }
  var inverses: UnsafeMutablePointer<Float> { rows + phases * Self.lanes }
  var inversesOfMean: UnsafeMutablePointer<Float> { rows + 2 * phases * Self.lanes }
  /// Values of blocks.
  func row(_ index: Int) -> UnsafeMutablePointer<Float> { rows + (3 * phases + index) * Self.lanes }

  /// Sums over four neighbouring cells of a row of the leader, one phase of it.
  func groupSums(cell y: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
    memoryOfSums + (y * phases + phase) * groups
  }
  /// A row of samples of the padded tile.
  var spareSamples: UnsafeMutablePointer<Float> { memoryOfSums + groups * (groupRows * phases) }
}
