import CVector
import ImageCore

/// Codes: whole numbers for square-root light, `16384 * sqrt(x + offset)` for white-balanced light `x` with the offset
/// of ``MosaicEncoder``. `Int16` holds light up to 4.
enum CodeScale {
  static let unit: Float = 16384
  /// The most light that a code can hold, with some room for noise.
  static let brightest = 3.9
}

/// Photosites of a tile as codes, in rows. The first photosite is the first of a block.
struct CodeTile {
  let base: UnsafeMutablePointer<Int16>
  let stride: Int
  /// Columns and rows of whole blocks.
  let blocksWide: Int
  let blocksHigh: Int

  func row(_ y: Int) -> UnsafeMutablePointer<Int16> { base + y &* stride }
}

/// Three colours of a tile as codes: planes of rows.
struct ColourTile {
  let base: UnsafeMutablePointer<Int16>
  let stride: Int
  let rows: Int

  func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Int16> { base + (plane &* rows &+ y) &* stride }
}

/// Runs a ``NetworkTable`` over a tile, row of blocks by row of blocks: every convolution keeps only the rows that the
/// next one still needs, so all activations stay in a core's cache.
struct BlockNetwork: Sendable {
  /// Blocks around the tile that must be given.
  let reach: Int
  let convolutions: [BlockConvolution]
  /// Channels that each convolution reads; the last one also reads the deviations.
  let channels: [Int]
  /// For each colour and each site of a block: the output that predicts it, or `nil` where the measured value stays.
  private let sources: [Int?]

  init(_ table: NetworkTable, _ pattern: TrainedPattern) {
    reach = table.reach
    channels = [NetworkTable.sites] + table.hidden.map(\.outputs)
    let hidden = table.hidden.map {
      BlockConvolution(outputs: $0.outputs, shift: $0.shift, bias: $0.bias, tensors: [($0.inputs, $0.weights)])
    }
    let last = table.last
    let skip = (inputs: NetworkTable.sites, weights: table.skip)
    let tensors = hidden.isEmpty ? [skip] : [(last.inputs, last.weights), skip]
    convolutions =
      hidden + [BlockConvolution(outputs: last.outputs, shift: last.shift, bias: last.bias, tensors: tensors)]
    var next = 0
    var sources: [Int?] = []
    for colour in 0..<3 {
      for site in 0..<NetworkTable.sites {
        let predicted = table.predictsMeasured || pattern.colour(ofSite: site) != colour
        sources.append(predicted ? next : nil)
        if predicted { next += 1 }
      }
    }
    precondition(next == last.outputs, "an embedded table predicts other colours than its pattern lacks")
    self.sources = sources
  }

  /// Predicts all blocks of the tile but ``reach`` at its borders. Row 0, column 0 of `out` is the first of those.
  ///
  /// - Parameter range: limits predictions to what was measured around them; `nil` for noisy data.
  func run(_ tile: CodeTile, into out: ColourTile, range: ColourRange? = nil, scratch: NetworkScratch) {
    var rows = NetworkRows(self, tile, range, scratch)
    for row in 0..<tile.blocksHigh - 2 * reach {
      rows.finish(row)
      assemble(row, tile, rows.means(row + reach - 1) + (reach - 1), scratch, into: out)
    }
  }

  /// Mean plus residual, clamped, or the measured value: one row of blocks.
  private func assemble(
    _ row: Int, _ tile: CodeTile, _ means: UnsafePointer<Int32>, _ scratch: NetworkScratch, into out: ColourTile
  ) {
    let side = NetworkTable.blockSide
    let blocks = tile.blocksWide - 2 * reach
    for dy in 0..<side {
      let measured = tile.row((row + reach) * side + dy) + reach * side
      for colour in 0..<3 {
        let to = out.row(colour, row * side + dy)
        let columns = (0..<side).map { sources[colour * NetworkTable.sites + dy * side + $0] }
        if columns.contains(nil) { to.update(from: measured, count: blocks * side) }
        for (dx, source) in columns.enumerated() {
          guard let source else { continue }
          Self.place(
            scratch.residuals + source * scratch.stride, means, scratch.allowed + colour * scratch.stride,
            scratch.allowed + (3 + colour) * scratch.stride, blocks, to + dx)
        }
      }
    }
  }

  @inline(__always)
  private static func place(
    _ residuals: UnsafePointer<Int16>, _ means: UnsafePointer<Int32>, _ least: UnsafePointer<Int16>,
    _ greatest: UnsafePointer<Int16>, _ blocks: Int, _ to: UnsafeMutablePointer<Int16>
  ) {
    for block in 0..<blocks {
      let value = means[block] &+ Int32(residuals[block])
      let (low, high) = (Int32(least[block]), Int32(greatest[block]))
      let risen = value > low ? value : low
      to[block &* 4] = Int16(truncatingIfNeeded: risen < high ? risen : high)
    }
  }
}

extension TrainedPattern {
  /// 0 red, 1 green, 2 blue at a site (row by row) of a 4x4 block.
  func colour(ofSite site: Int) -> Int {
    let cluster = self == .quad ? 2 : 1
    return site / NetworkTable.blockSide / cluster % 2 + site % NetworkTable.blockSide / cluster % 2
  }
}
