import CVector
import ImageCore

/// How the samples of a tile become blocks and blocks become samples.
///
/// A block is two groups of four cells wide, and the next block begins with its second group. Rows are sorted so that
/// the samples of one phase and one place in its group lie side by side, one a group: sample `i` of eight blocks side by
/// side is then one run of eight.
struct Strip {
  /// Cells from the padded tile's left edge to the first block.
  let left: Int
  /// Groups of four cells from there on.
  let groups: Int
  let cell: SampleCell

  /// Blocks in a row.
  var count: Int { groups - 1 }

  private var groupWidth: Int { BurstBuffers.step * cell.width }

  /// Writes `a` less `b` to `out`, sorted, for one row of samples.
  func sortDifferences(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>
  ) {
    let (p, q) = (a + left * cell.width, b + left * cell.width)
    let width = groupWidth
    var first = 0
    if width == BurstBuffers.lanes {
      while first + BurstBuffers.lanes <= groups {
        cv_sort8_differences(p + first * width, q + first * width, out + first, groups)
        first += BurstBuffers.lanes
      }
    }
    for index in 0..<width {
      let target = out + index * groups
      for group in first..<groups { target[group] = p[group &* width &+ index] - q[group &* width &+ index] }
    }
  }

  /// The opposite of sorting: takes a sorted row off `light`.
  func subtract(_ sorted: UnsafePointer<Float>, from light: UnsafeMutablePointer<Float>) {
    let target = light + left * cell.width
    let width = groupWidth
    for group in 0..<groups {
      for index in 0..<width { target[group &* width &+ index] -= sorted[index &* groups &+ group] }
    }
  }

  /// Sums over each group of the samples of one phase in a row.
  func sumGroups(_ light: UnsafePointer<Float>, phase: Int, into out: UnsafeMutablePointer<Float>) {
    let samples = light + left * cell.width + phase
    let (width, cellWidth) = (groupWidth, cell.width)
    for group in 0..<groups {
      let first = samples + group &* width
      out[group] = (first[0] + first[cellWidth]) + (first[2 &* cellWidth] + first[3 &* cellWidth])
    }
  }

  /// Where the samples of a phase of eight blocks from `block` on lie in a sorted row: those of their column `column`.
  @inline(__always)
  func place(_ block: Int, phase: Int, column: Int) -> Int {
    let (group, inside) = (column / BurstBuffers.step, column % BurstBuffers.step)
    return (inside * cell.width + phase) * groups + block + group
  }

  /// Coefficients of eight blocks of one phase from sorted differences.
  ///
  /// - Parameter first: the row of samples of the blocks' first row; those of a phase lie a cell apart.
  func load(_ sorted: Plane, row first: Int, block: Int, phase: Int, into out: UnsafeMutablePointer<Float>) {
    let column = phase % cell.width
    let top = first + phase / cell.width
    for row in 0..<BurstBuffers.side {
      let source = sorted.row(top + row * cell.height)
      for x in 0..<BurstBuffers.side {
        cv_store_f32x8(
          out + (row * BurstBuffers.side + x) * BurstBuffers.lanes,
          cv_load_f32x8(source + place(block, phase: column, column: x)))
      }
    }
  }

  /// Adds eight blocks of samples times `scale` under a window to a sorted plane.
  func add(
    _ values: UnsafePointer<Float>, _ window: [Float], times scale: Float, to sorted: Plane, row first: Int,
    block: Int,
    phase: Int
  ) {
    let column = phase % cell.width
    let top = first + phase / cell.width
    for row in 0..<BurstBuffers.side {
      let target = sorted.row(top + row * cell.height)
      for x in 0..<BurstBuffers.side {
        cv_add_scaled_f32x8(
          target + place(block, phase: column, column: x),
          values + (row * BurstBuffers.side + x) * BurstBuffers.lanes, window[row] * (window[x] * scale))
      }
    }
  }

  /// Adds one value a block under a window to a plane of cells: of `count` blocks.
  func add(
    _ values: UnsafePointer<Float>, _ window: [Float], to plane: Plane, cellRow: Int, block: Int, count: Int
  ) {
    for row in 0..<BurstBuffers.side {
      let cells = plane.row(cellRow + row) + left + block * BurstBuffers.step
      for column in 0..<BurstBuffers.side {
        let weight = window[row] * window[column]
        for b in 0..<count { cells[b &* BurstBuffers.step &+ column] += weight * values[b] }
      }
    }
  }
}
