import CVector

/// Corrects the network's colours by filters that are chosen pixel by pixel, row by row.
struct ClassStage: Sendable {
  /// Columns ahead whose filter is asked for: filters of a row lie all over the table.
  private static let prefetched = 16
  /// Weights in a cache line.
  private static let lineValues = 32

  let table: ClassTable
  private let variants: [ClassTable.Variant]
  private let isUpsideDown: [Bool]
  /// Predicted colours of each site.
  private let colours: [[Int]]
  private let turns: [StructureClass.Turn]

  init(_ table: ClassTable, _ pattern: TrainedPattern) {
    self.table = table
    let cluster = Int(pattern.rawValue) / 2
    let sites = (0..<NetworkTable.sites).map { ($0 / NetworkTable.blockSide, $0 % NetworkTable.blockSide) }
    let variants = sites.map { y, x in
      let (row, column) = (y / cluster % 2, x / cluster % 2)
      return ClassTable.Variant(
        table: row + column, isTransposed: (row, column) == (1, 0), isMirrored: x % cluster == 1)
    }
    self.variants = variants
    isUpsideDown = sites.map { y, _ in y % cluster == 1 }
    colours = variants.map { variant in (0..<3).filter { table.predictsMeasured || $0 != variant.table } }
    turns = zip(sites, variants).map { site, variant in
      StructureClass.Turn(
        product: (site.0 % cluster == 1) != variant.isMirrored ? -1 : 1, difference: variant.isTransposed ? -1 : 1)
    }
  }

  /// Corrects columns `range` of row `y` of a tile that starts with a block.
  ///
  /// - Parameters:
  ///   - codes: the mosaic's codes of that place of the tile.
  ///   - channels: rows `y - 1`, `y`, `y + 1` of interleaved colours and medians.
  ///   - classes: of every column of the row.
  func correct(
    _ y: Int, _ range: Range<Int>, codes: UnsafePointer<Int16>, codeStride: Int,
    channels: (UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>), classes: UnsafePointer<Int32>,
    picture: ColourTile, into out: ColourTile
  ) {
    let line = (y & 3) * NetworkTable.blockSide
    let upsideDown = isUpsideDown[line]
    let step = upsideDown ? -codeStride : codeStride
    let (above, below) = upsideDown ? (channels.2, channels.0) : (channels.0, channels.2)
    let filter = table.outputs * ClassTable.lanes
    table.weights.withUnsafeBufferPointer { weights in
      for phase in 0..<NetworkTable.blockSide {
        let site = line + phase
        let base = weights.baseAddress! + variants[site].index * table.classes * filter
        let colours = colours[site]
        let from = colours.map { UnsafePointer(picture.row($0, y)) }
        let to = colours.map { out.row($0, y) }
        let kept = colours.count == 3 ? nil : variants[site].table
        var x = range.lowerBound &+ ((phase &- range.lowerBound) & 3)
        while x < range.upperBound {
          let window = Window(
            codes: codes + x - 2 &* step, step: step,
            (above + (x &- 1) &* 5, channels.1 + (x &- 1) &* 5, below + (x &- 1) &* 5))
          let chosen = base + Int(classes[x]) &* filter
          let soon = base + Int(classes[min(x &+ Self.prefetched, range.upperBound &- 1)]) &* filter
          for value in stride(from: 0, to: filter, by: Self.lineValues) { cv_prefetch(soon + value) }
          for index in 0..<colours.count {
            let sum = window.sum(chosen + index &* ClassTable.lanes) &+ (1 &<< (table.shift &- 1))
            let value = Int32(from[index][x]) &+ (sum &>> table.shift)
            to[index][x] = Int16(truncatingIfNeeded: min(max(value, 0), Int32(Int16.max)))
          }
          if let kept { out.row(kept, y)[x] = picture.row(kept, y)[x] }
          x &+= NetworkTable.blockSide
        }
      }
    }
  }

  /// The turns of the four columns of a row.
  func turns(_ y: Int) -> (StructureClass.Turn, StructureClass.Turn, StructureClass.Turn, StructureClass.Turn) {
    let line = (y & 3) * NetworkTable.blockSide
    return (turns[line], turns[line + 1], turns[line + 2], turns[line + 3])
  }
}

/// The values around one pixel that a filter is laid on, in registers.
private struct Window {
  let mosaic: (SIMD16<Int16>, SIMD16<Int16>, SIMD16<Int16>)
  let channels: (SIMD16<Int16>, SIMD16<Int16>, SIMD16<Int16>)

  /// - Parameters:
  ///   - codes: the top row's pixel itself; its window starts two to the left.
  ///   - rows: of interleaved channels, from the left neighbour on.
  @inline(__always)
  init(
    codes: UnsafePointer<Int16>, step: Int, _ rows: (UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>)
  ) {
    let first = codes - 2
    mosaic = (
      cv_load_two_i16x8(first, first + step), cv_load_two_i16x8(first + 2 &* step, first + 3 &* step),
      cv_load_two_i16x8(first + 4 &* step, first + 4 &* step)
    )
    channels = (cv_load_i16x16(rows.0), cv_load_i16x16(rows.1), cv_load_i16x16(rows.2))
  }

  @inline(__always)
  func sum(_ weights: UnsafePointer<Int16>) -> Int32 {
    var sum = cv_splat_i32(0)
    sum = cv_multiply_add_pairs(sum, mosaic.0, cv_load_i16x16(weights))
    sum = cv_multiply_add_pairs(sum, mosaic.1, cv_load_i16x16(weights + 16))
    sum = cv_multiply_add_pairs(sum, mosaic.2, cv_load_i16x16(weights + 32))
    sum = cv_multiply_add_pairs(sum, channels.0, cv_load_i16x16(weights + 48))
    sum = cv_multiply_add_pairs(sum, channels.1, cv_load_i16x16(weights + 64))
    sum = cv_multiply_add_pairs(sum, channels.2, cv_load_i16x16(weights + 80))
    return cv_sum_i32(sum)
  }
}
