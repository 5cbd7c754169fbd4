/// One 3x3 convolution of whole numbers over blocks, as its table stores it.
struct NetworkLayer: Sendable {
  let inputs: Int
  let outputs: Int
  /// Right shift of the sum.
  let shift: Int32
  /// One an output, rounding included.
  let bias: [Int32]
  /// `[output][row][column][input]`.
  let weights: [Int16]
}

/// Predicts the colours of 4x4 blocks of photosites from their neighbourhood: hidden convolutions with a linear path
/// beside them; without hidden layers it is a bank of least-squares filters of 9x9 taps.
///
/// Values are codes ``CodeScale``: square-root light in whole numbers. The table's maker has proved that no sum
/// leaves `Int32`, so results are exact whatever the order of summation.
struct NetworkTable: Sendable {
  /// Photosites along a block's side.
  static let blockSide = 4
  /// Photosites of a block.
  static let sites = blockSide * blockSide

  let hidden: [NetworkLayer]
  let last: NetworkLayer
  /// The linear path: `[output][row][column][site]`.
  let skip: [Int16]
  /// Whether all three colours of every photosite are predicted; otherwise the measured one is kept.
  let predictsMeasured: Bool

  /// Reads an embedded table; `nil` when there is none.
  init?(_ pattern: TrainedPattern, sigma: Int32, _ kind: TableKind) {
    guard var reader = TableLibrary.reader(period: pattern.rawValue, sigma: sigma, kind) else { return nil }
    hidden = (0..<reader.integer()).map { _ in NetworkLayer(&reader) }
    last = NetworkLayer(&reader)
    skip = reader.weights(last.outputs * 9 * Self.sites)
    predictsMeasured = last.outputs == 3 * Self.sites
  }

  /// Blocks around a block that its prediction depends on: the mean, and each convolution, reach one further.
  var reach: Int { hidden.count + 2 }
}

extension NetworkLayer {
  init(_ reader: inout TableReader) {
    inputs = reader.integer()
    outputs = reader.integer()
    shift = Int32(reader.integer())
    bias = reader.integers(outputs)
    weights = reader.weights(outputs * 9 * inputs)
  }
}
