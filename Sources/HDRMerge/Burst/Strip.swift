import ImageCore

/// One row of blocks of a tile: how its samples become blocks and blocks become samples.
struct Strip {
  /// Cells from the padded tile's left edge to the first block.
  let left: Int
  /// Blocks.
  let count: Int
  let cell: SampleCell
  /// Blocks from one coefficient to the next in the buffers.
  let blocks: Int

  /// Where the samples of a phase begin in row `row` of the strip.
  @inline(__always)
  private func start(_ plane: Plane, _ y: Int, _ row: Int, phase: Int) -> UnsafeMutablePointer<Float> {
    plane.row((y + row) * cell.height + phase / cell.width) + left * cell.width + phase % cell.width
  }

  /// Mean of each block's samples, not below 0.
  func means(_ light: Plane, _ y: Int, phase: Int, into out: UnsafeMutablePointer<Float>) {
    let (width, hop) = (cell.width, BurstBuffers.step * cell.width)
    for b in 0..<count { out[b] = 0 }
    for row in 0..<BurstBuffers.side {
      let samples = UnsafePointer(start(light, y, row, phase: phase))
      for column in 0..<BurstBuffers.side {
        let first = samples + column * width
        for b in 0..<count { out[b] += first[b &* hop] }
      }
    }
    let share = 1 / Float(BurstBuffers.area)
    for b in 0..<count { out[b] = CellKernels.larger(out[b] * share, 0) }
  }

  /// Samples of `a` less those of `b`, block by block.
  func differences(_ a: Plane, _ b: Plane, _ y: Int, phase: Int, into out: UnsafeMutablePointer<Float>) {
    let (width, hop) = (cell.width, BurstBuffers.step * cell.width)
    for row in 0..<BurstBuffers.side {
      let p = UnsafePointer(start(a, y, row, phase: phase))
      let q = UnsafePointer(start(b, y, row, phase: phase))
      for column in 0..<BurstBuffers.side {
        let target = out + (row * BurstBuffers.side + column) * blocks
        let (first, second) = (p + column * width, q + column * width)
        for b in 0..<count { target[b] = first[b &* hop] - second[b &* hop] }
      }
    }
  }

  /// Adds blocks of samples under a window.
  func add(
    _ values: UnsafePointer<Float>, _ across: [Float], _ down: [Float], _ y: Int, phase: Int, into plane: Plane
  ) {
    let (width, hop) = (cell.width, BurstBuffers.step * cell.width)
    for row in 0..<BurstBuffers.side {
      let samples = start(plane, y, row, phase: phase)
      for column in 0..<BurstBuffers.side {
        let weight = down[row] * across[column]
        let source = values + (row * BurstBuffers.side + column) * blocks
        let first = samples + column * width
        for b in 0..<count { first[b &* hop] += weight * source[b] }
      }
    }
  }

  /// Adds one value a block under a window to a plane of cells.
  func add(_ values: UnsafePointer<Float>, _ window: [Float], _ y: Int, into plane: Plane) {
    for row in 0..<BurstBuffers.side {
      let cells = plane.row(y + row) + left
      for column in 0..<BurstBuffers.side {
        let weight = window[row] * window[column]
        for b in 0..<count { cells[b &* BurstBuffers.step &+ column] += weight * values[b] }
      }
    }
  }
}
