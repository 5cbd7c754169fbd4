import ImageCore

/// Demosaics a Bayer or quad array with trained tables, tile by tile.
struct TrainedDemosaic: Sendable {
  /// Columns of a tile: with the reach of the network a row is a whole number of the kernel's steps.
  static let tileWidth = 472
  static let tileHeight = 256
  /// Sensors narrower or lower than this are not worth a block.
  static let smallestSide = 16

  let encoder: MosaicEncoder
  let network: BlockNetwork
  /// The second stage of the best quality.
  let refinement: ClassRefinement?
  let pattern: TrainedPattern
  /// The method, for the report.
  let name: String
  let quality: DemosaicQuality
  private let range: ColourRange?
  /// Where a red cluster starts.
  private let array: ClusteredArray
  /// What the encoder's light must be divided by.
  private let lightScale: Float
  /// Whether light is passed on exactly where it was measured, beyond what codes resolve.
  private let keepsMeasured: Bool

  /// `nil` when the array or its size is not one that tables exist for.
  init?(
    _ mosaic: Mosaic, multipliers: [CFAColour: Double], quality: DemosaicQuality, clips: Bool
  ) {
    guard let array = ClusteredArray(mosaic.cfa), let pattern = TrainedPattern(rawValue: Int32(2 * array.side)),
      min(mosaic.size.width, mosaic.size.height) >= Self.smallestSide,
      let table = NetworkTable(pattern, sigma: 0, quality == .fast ? .leastSquares : .network)
    else { return nil }
    self.array = array
    self.pattern = pattern
    network = BlockNetwork(table, pattern)
    refinement =
      quality == .best ? ClassTable(pattern, sigma: 0).map { ClassRefinement($0, pattern) } : nil
    self.quality = quality == .fast ? .fast : refinement == nil ? .balanced : .best
    name = quality == .fast ? "least squares" : refinement == nil ? "network" : "network, class filters"
    let brightest = clips ? 1 : multipliers.values.max() ?? 1
    let scale = min(1, CodeScale.brightest / brightest)
    lightScale = Float(scale)
    let clippedCodes = [CFAColour.red, .green, .blue].map { colour -> Int16 in
      let light = clips ? 1 : Float((multipliers[colour] ?? 1) * scale)
      return Int16(min(CodeScale.unit * (light + MosaicEncoder.offset).squareRoot() - 1, Float(Int16.max)))
    }
    range = table.predictsMeasured ? nil : ColourRange(pattern, clipped: clippedCodes)
    encoder = MosaicEncoder(mosaic, multipliers: multipliers.mapValues { $0 * scale }, clips: clips)
    keepsMeasured = !clips && !table.predictsMeasured
  }

  /// Tiles that cover `rect`, cut so that all but the outer ones are whole blocks.
  func tiles(of rect: PixelRect) -> [PixelRect] {
    let side = NetworkTable.blockSide
    let (left, top) = (array.x % side - side, array.y % side - side)
    var tiles: [PixelRect] = []
    for y in stride(from: top, to: rect.y + rect.height, by: Self.tileHeight) {
      for x in stride(from: left, to: rect.x + rect.width, by: Self.tileWidth) {
        let tile = PixelRect(x: x, y: y, width: Self.tileWidth, height: Self.tileHeight).intersection(rect)
        if !tile.isEmpty { tiles.append(tile) }
      }
    }
    return tiles
  }

  /// Finds all colours of a tile; afterwards ``row(_:of:scratch:into:)`` may be called.
  func prepare(_ core: PixelRect, scratch: TrainedScratch) {
    let side = NetworkTable.blockSide
    let blocks = self.blocks(of: core)
    let tile = CodeTile(
      base: scratch.codes, stride: scratch.codeStride, blocksWide: blocks.width + 2 * network.reach,
      blocksHigh: blocks.height + 2 * network.reach)
    let left = blocks.x * side + array.x % side - side - network.reach * side
    let top = blocks.y * side + array.y % side - side - network.reach * side
    for y in 0..<tile.blocksHigh * side {
      let count = tile.blocksWide * side
      encoder.encodeRow(y: top + y, x: left, count: count, into: scratch.line)
      Self.code(scratch.line, count, into: tile.row(y))
    }
    network.run(tile, into: scratch.colours, range: range, scratch: scratch.network)
    if let refinement, let refined = scratch.refined, let buffers = scratch.refinement {
      refinement.run(
        scratch.colours, width: blocks.width * side, height: blocks.height * side,
        codes: tile.row(network.reach * side) + network.reach * side, codeStride: tile.stride, into: refined,
        scratch: buffers)
    }
  }

  /// Pixels around a tile that the network must predict.
  var margin: Int { refinement == nil ? 0 : ClassRefinement.margin }

  /// The blocks that a tile touches, with the margin; block 0 starts one block before the first that is whole.
  private func blocks(of core: PixelRect) -> PixelRect {
    let side = NetworkTable.blockSide
    let (left, top) = (core.x - array.x % side + side, core.y - array.y % side + side)
    let (right, bottom) = (left + core.width, top + core.height)
    let around = margin / side
    return PixelRect(
      x: left / side - around, y: top / side - around, width: (right + side - 1) / side - left / side + 2 * around,
      height: (bottom + side - 1) / side - top / side + 2 * around)
  }

  /// Nearest codes.
  @inline(__always)
  private static func code(_ roots: UnsafePointer<Float>, _ count: Int, into out: UnsafeMutablePointer<Int16>) {
    for x in 0..<count {
      let code = roots[x] * CodeScale.unit + 0.5
      out[x] = Int16(truncatingIfNeeded: Int32(code < 32767 ? code : 32767))
    }
  }

  /// One finished row, `y` counted from the tile's core.
  func row(_ y: Int, of core: PixelRect, scratch: TrainedScratch, into out: CameraRow) {
    let side = NetworkTable.blockSide
    let dx = (core.x - array.x % side + side) % side + margin
    let dy = (core.y - array.y % side + side) % side + margin
    let colours = scratch.refined ?? scratch.colours
    for plane in 0..<3 {
      Self.light(colours.row(plane, y + dy) + dx, out.count, 1 / lightScale, into: out.plane(plane))
    }
    guard keepsMeasured else { return }
    encoder.lightRow(y: core.y + y, x: core.x, count: out.count, into: scratch.line)
    let cfa = encoder.mosaic.cfa
    for phase in 0..<min(cfa.width, out.count) {
      let plane = Int(cfa[core.x + phase, core.y + y].rawValue)
      let target = out.plane(plane)
      for x in stride(from: phase, to: out.count, by: cfa.width) { target[x] = scratch.line[x] / lightScale }
    }
  }

  @inline(__always)
  private static func light(
    _ codes: UnsafePointer<Int16>, _ count: Int, _ scale: Float, into out: UnsafeMutablePointer<Float>
  ) {
    for x in 0..<count {
      let root = Float(codes[x]) * (1 / CodeScale.unit)
      out[x] = (root * root - MosaicEncoder.offset) * scale
    }
  }
}

/// Buffers of one thread for ``TrainedDemosaic``.
final class TrainedScratch {
  let codes: UnsafeMutablePointer<Int16>
  let codeStride: Int
  let colours: ColourTile
  /// After the second stage, if there is one.
  let refined: ColourTile?
  let refinement: RefinementScratch?
  /// One row of a tile in floating point.
  let line: UnsafeMutablePointer<Float>
  let network: NetworkScratch
  private let planes: UnsafeMutablePointer<Int16>

  init(_ demosaic: TrainedDemosaic) {
    let network = demosaic.network
    let side = NetworkTable.blockSide
    // A tile that starts within a block touches one block more.
    let around = 2 * demosaic.margin / side + 1
    let (wide, high) = (TrainedDemosaic.tileWidth / side + around, TrainedDemosaic.tileHeight / side + around)
    let (width, height) = (wide * side, high * side)
    let reach = 2 * network.reach
    codeStride = (wide + reach) * side
    let slack = 16  // vectors reach beyond the last value
    let codeCount = codeStride * (high + reach) * side + slack
    codes = .allocate(capacity: codeCount)
    codes.initialize(repeating: 0, count: codeCount)
    let planeCount = 3 * width * height + slack
    let stages = demosaic.refinement == nil ? 1 : 2
    planes = .allocate(capacity: stages * planeCount)
    planes.initialize(repeating: 0, count: stages * planeCount)
    colours = ColourTile(base: planes, stride: width, rows: height)
    refined = stages == 1 ? nil : ColourTile(base: planes + planeCount, stride: width, rows: height)
    refinement = stages == 1 ? nil : RefinementScratch(width: width, height: height)
    line = .allocate(capacity: codeStride)
    line.initialize(repeating: 0, count: codeStride)
    self.network = NetworkScratch(blocks: wide + reach, network)
  }

  deinit {
    codes.deallocate()
    planes.deallocate()
    line.deallocate()
  }
}
