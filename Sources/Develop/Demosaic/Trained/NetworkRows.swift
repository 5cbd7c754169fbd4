/// Buffers that one thread needs to run networks over tiles of up to a fixed width.
final class NetworkScratch {
  /// Rows of activations that are kept: the three that a convolution reads, and the one that is written.
  static let keptRows = 4
  /// Rows of deviations that are kept: the linear path reads them after all hidden convolutions have passed.
  static let keptDeviations = 8

  /// Blocks between rows and planes: a multiple of what is computed together, and as much again, which windows at the
  /// end of a row touch.
  let stride: Int
  let deviations: UnsafeMutablePointer<Int16>
  let means: UnsafeMutablePointer<Int32>
  let sums: UnsafeMutablePointer<Int32>
  let activations: [UnsafeMutablePointer<Int16>]
  let residuals: UnsafeMutablePointer<Int16>
  /// Ranges of each row of deviations that is kept, and what predictions may be in the row under way.
  let ranges: UnsafeMutablePointer<Int16>
  let allowed: UnsafeMutablePointer<Int16>
  let rows: BlockRows
  private let memory: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - blocks: the widest tile, reach included.
  ///   - network: the one that will run.
  init(blocks: Int, _ network: BlockNetwork) {
    let lanes = BlockConvolution.lanes
    stride = (blocks + lanes - 1) / lanes * lanes + lanes
    let row = stride * MemoryLayout<Int16>.size
    let hidden = network.channels.dropFirst()
    let outputs = network.convolutions.last!.outputs + BlockConvolution.groupSize
    var size = 0
    func part(_ bytes: Int) -> Int {
      defer { size += (bytes + 63) / 64 * 64 }
      return size
    }
    let deviationsAt = part(Self.keptDeviations * NetworkTable.sites * row)
    let meansAt = part(Self.keptDeviations * stride * MemoryLayout<Int32>.size)
    let sumsAt = part(Self.keptRows * stride * MemoryLayout<Int32>.size)
    let activationsAt = hidden.map { part(Self.keptRows * ($0 + BlockConvolution.groupSize) * row) }
    let residualsAt = part(outputs * row)
    let rangesAt = part(Self.keptDeviations * ColourRange.planes * row)
    let allowedAt = part(ColourRange.planes * row)
    let addresses = 9 * (network.channels.max()! + NetworkTable.sites) / 2
    let rowsAt = part(addresses * MemoryLayout<UnsafePointer<Int16>>.size)
    memory = .allocate(byteCount: size, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    deviations = (memory + deviationsAt).assumingMemoryBound(to: Int16.self)
    means = (memory + meansAt).assumingMemoryBound(to: Int32.self)
    sums = (memory + sumsAt).assumingMemoryBound(to: Int32.self)
    let memory = memory
    activations = activationsAt.map { (memory + $0).assumingMemoryBound(to: Int16.self) }
    residuals = (memory + residualsAt).assumingMemoryBound(to: Int16.self)
    ranges = (memory + rangesAt).assumingMemoryBound(to: Int16.self)
    allowed = (memory + allowedAt).assumingMemoryBound(to: Int16.self)
    rows = BlockRows(addresses: (memory + rowsAt).assumingMemoryBound(to: UnsafePointer<Int16>.self))
  }

  deinit { memory.deallocate() }
}

/// The rows of one tile that are under way: each stage is advanced just as far as the next one asks.
struct NetworkRows {
  private let network: BlockNetwork
  private let tile: CodeTile
  private let range: ColourRange?
  private let scratch: NetworkScratch
  /// Rows that are finished: block sums, deviations, then each hidden convolution.
  private var sumsDone = 0
  private var deviationsDone = 0
  private var done: [Int]

  init(_ network: BlockNetwork, _ tile: CodeTile, _ range: ColourRange?, _ scratch: NetworkScratch) {
    self.network = network
    self.tile = tile
    self.range = range
    self.scratch = scratch
    done = Array(repeating: 0, count: network.convolutions.count - 1)
    if range == nil {
      scratch.allowed.update(repeating: 0, count: 3 * scratch.stride)
      (scratch.allowed + 3 * scratch.stride).update(repeating: .max, count: 3 * scratch.stride)
    }
  }

  /// The mean around each block of a row of deviations.
  func means(_ row: Int) -> UnsafePointer<Int32> {
    UnsafePointer(scratch.means + row % NetworkScratch.keptDeviations * scratch.stride)
  }

  /// Computes the residuals of one row of results.
  mutating func finish(_ row: Int) {
    let last = network.convolutions.count - 1
    advance(last - 1, to: row + 3)
    // Deviations start one block before what the first convolution reads, so the linear path reads `last` further in.
    let first = last == 0 ? 0 : 9 * network.channels[last] / 2
    if last > 0 { setInput(of: last, row: row, offset: 0, first: 0) }
    setDeviations(row: row + last, offset: last, first: first)
    network.convolutions[last].plain(
      scratch.rows, blocks: tile.blocksWide - 2 * network.reach, into: scratch.residuals, stride: scratch.stride)
    if let range {
      range.allow(
        (
          UnsafePointer(ranges(row + last) + last), UnsafePointer(ranges(row + last + 1) + last),
          UnsafePointer(ranges(row + last + 2) + last)
        ), blocks: tile.blocksWide - 2 * network.reach,
        stride: scratch.stride, into: scratch.allowed)
    }
  }

  /// Makes sure that `rows` rows of hidden convolution `index` are there; -1 stands for the deviations.
  private mutating func advance(_ index: Int, to rows: Int) {
    guard index >= 0 else {
      while deviationsDone < rows { addDeviations() }
      return
    }
    while done[index] < rows {
      let row = done[index]
      advance(index - 1, to: row + 3)
      if index == 0 {
        setDeviations(row: row, offset: 0, first: 0)
      } else {
        setInput(of: index, row: row, offset: 0, first: 0)
      }
      network.convolutions[index].activate(
        scratch.rows, blocks: tile.blocksWide - 2 * (index + 2), into: activation(index, row), stride: scratch.stride)
      done[index] = row + 1
    }
  }

  private func activation(_ index: Int, _ row: Int) -> UnsafeMutablePointer<Int16> {
    let channels = network.channels[index + 1] + BlockConvolution.groupSize
    return scratch.activations[index] + row % NetworkScratch.keptRows * channels * scratch.stride
  }

  private func setInput(of index: Int, row: Int, offset: Int, first: Int) {
    scratch.rows.set(from: first, pairs: network.channels[index] / 2, stride: scratch.stride) { ky in
      UnsafePointer(activation(index - 1, row + ky) + 2 * offset)
    }
  }

  private func setDeviations(row: Int, offset: Int, first: Int) {
    scratch.rows.set(from: first, pairs: NetworkTable.sites / 2, stride: scratch.stride) { ky in
      UnsafePointer(deviation(row + ky) + 2 * offset)
    }
  }

  private func deviation(_ row: Int) -> UnsafeMutablePointer<Int16> {
    scratch.deviations + row % NetworkScratch.keptDeviations * NetworkTable.sites * scratch.stride
  }

  private func ranges(_ row: Int) -> UnsafeMutablePointer<Int16> {
    scratch.ranges + row % NetworkScratch.keptDeviations * ColourRange.planes * scratch.stride
  }

  private func sums(_ row: Int) -> UnsafeMutablePointer<Int32> {
    scratch.sums + row % NetworkScratch.keptRows * scratch.stride
  }

  /// The next row of deviations from the mean of 3x3 blocks: `floor((sum + 72) / 144)`.
  private mutating func addDeviations() {
    let row = deviationsDone
    while sumsDone < row + 3 {
      addSums(sumsDone)
      sumsDone += 1
    }
    let means = scratch.means + row % NetworkScratch.keptDeviations * scratch.stride
    let (above, here, below) = (sums(row), sums(row + 1), sums(row + 2))
    let blocks = tile.blocksWide - 2
    for x in 0..<blocks {
      let sum =
        above[x] &+ above[x &+ 1] &+ above[x &+ 2] &+ here[x] &+ here[x &+ 1] &+ here[x &+ 2] &+ below[x]
        &+ below[x &+ 1] &+ below[x &+ 2]
      means[x] = Int32(truncatingIfNeeded: UInt32(truncatingIfNeeded: sum &+ 72) / 144)
    }
    for dy in 0..<NetworkTable.blockSide {
      let source = tile.row((row + 1) * NetworkTable.blockSide + dy) + NetworkTable.blockSide
      let pairs = deviation(row) + dy * 4 * scratch.stride
      Self.subtract(source, means, blocks, pairs, pairs + 2 * scratch.stride)
    }
    range?.find(deviation(row), means, blocks: blocks, stride: scratch.stride, into: ranges(row))
    deviationsDone = row + 1
  }

  /// Codes of four sites of each block less the mean, as two rows of pairs.
  @inline(__always)
  private static func subtract(
    _ source: UnsafePointer<Int16>, _ means: UnsafePointer<Int32>, _ blocks: Int,
    _ left: UnsafeMutablePointer<Int16>, _ right: UnsafeMutablePointer<Int16>
  ) {
    for x in 0..<blocks {
      let mean = Int16(truncatingIfNeeded: means[x])
      left[2 &* x] = source[4 &* x] &- mean
      left[2 &* x &+ 1] = source[4 &* x &+ 1] &- mean
      right[2 &* x] = source[4 &* x &+ 2] &- mean
      right[2 &* x &+ 1] = source[4 &* x &+ 3] &- mean
    }
  }

  private func addSums(_ row: Int) {
    let out = sums(row)
    for dy in 0..<NetworkTable.blockSide {
      let codes = tile.row(row * NetworkTable.blockSide + dy)
      for x in 0..<tile.blocksWide {
        let sum =
          Int32(codes[4 &* x]) &+ Int32(codes[4 &* x &+ 1]) &+ Int32(codes[4 &* x &+ 2])
          &+ Int32(codes[4 &* x &+ 3])
        out[x] = dy == 0 ? sum : out[x] &+ sum
      }
    }
  }
}
