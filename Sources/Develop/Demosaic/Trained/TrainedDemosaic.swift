import ImageCore

/// Demosaics an array of clusters with trained tables, tile by tile.
struct TrainedDemosaic: Sendable {
  /// What finds the colours first.
  enum Predictor: Sendable {
    case network(BlockNetwork, ColourRange?)
    case phases(PhaseFilters)
  }

  /// Columns of the largest tile with its margin: the first convolution's rows are then a whole number of the kernel's
  /// steps.
  static let tileWidth = 488
  static let tileHeight = 256
  /// Sensors narrower or lower than this are not worth a tile.
  static let smallestSide = 16

  let encoder: MosaicEncoder
  let predictor: Predictor
  /// The second stage of the best quality.
  let refinement: ClassRefinement?
  /// Photosites along the side of the cells that tiles are made of.
  let cell: Int
  /// The method, for the report.
  let name: String
  let quality: DemosaicQuality
  /// Whether measured values are kept: the capture is not noisy.
  let isClean: Bool
  /// Where a red cluster starts.
  let array: ClusteredArray
  /// What the encoder's light must be divided by.
  private let lightScale: Float
  /// Whether light is passed on exactly where it was measured, beyond what codes resolve.
  private let keepsMeasured: Bool

  /// `nil` when the array or its size is not one that tables exist for.
  ///
  /// - Parameters:
  ///   - limit: light at which samples are cut, see ``MosaicEncoder``.
  ///   - passesLight: whether measured light is passed on as it is when the capture is not noisy.
  ///   - whiteIsKnown: whether `multipliers` are the file's or the user's, not a guess.
  ///   - wanted: colours that are needed at each site of a block of the network.
  init?(
    _ mosaic: Mosaic, noise: NoiseProfile?, multipliers: [CFAColour: Double], quality: DemosaicQuality,
    limit: Double?, passesLight: Bool, whiteIsKnown: Bool = true,
    wanted: (_ colour: Int, _ site: Int) -> Bool = { _, _ in true }
  ) {
    guard let array = ClusteredArray(mosaic.cfa),
      min(mosaic.size.width, mosaic.size.height) >= Self.smallestSide,
      let tables = DemosaicTables(array, NoiseLevel(noise), quality)
    else { return nil }
    self.array = array
    let most = multipliers.values.max() ?? 1
    let brightest = min(most, limit ?? most)
    let scale = min(1, CodeScale.brightest / brightest)
    lightScale = Float(scale)
    isClean = tables.sigma == 0
    switch tables.first {
    case .network(let table, let pattern):
      let clipped = [CFAColour.red, .green, .blue].map { Float(min(multipliers[$0] ?? 1, brightest) * scale) }
      predictor = .network(
        BlockNetwork(table, pattern, wanted: wanted), isClean ? ColourRange(pattern, clipped: clipped) : nil)
      cell = NetworkTable.blockSide
      refinement = tables.classes.map { ClassRefinement($0, pattern, whiteIsKnown: whiteIsKnown) }
    case .phases(let filters):
      predictor = .phases(filters)
      cell = filters.period
      refinement = nil
    }
    name = tables.name
    self.quality = tables.quality
    encoder = MosaicEncoder(
      mosaic, multipliers: multipliers.mapValues { $0 * scale }, limit: limit.map { $0 * scale },
      noise: Double(tables.sigma) / 255)
    keepsMeasured = passesLight && isClean
  }

  /// Cells around a tile that must be given.
  var reach: Int {
    switch predictor {
    case .network(let network, _): network.reach
    case .phases(let filters): filters.reach
    }
  }

  /// Tiles that cover `rect`, cut so that all but the outer ones are whole cells.
  func tiles(of rect: PixelRect) -> [PixelRect] {
    let (width, height) = ((Self.tileWidth - 2 * margin) / cell * cell, Self.tileHeight / cell * cell)
    let (left, top) = (array.x % cell - cell, array.y % cell - cell)
    var tiles: [PixelRect] = []
    for y in stride(from: top, to: rect.y + rect.height, by: height) {
      for x in stride(from: left, to: rect.x + rect.width, by: width) {
        let tile = PixelRect(x: x, y: y, width: width, height: height).intersection(rect)
        if !tile.isEmpty { tiles.append(tile) }
      }
    }
    return tiles
  }

  /// Finds all colours of a tile; afterwards ``row(_:of:scratch:into:)`` may be called.
  func prepare(_ core: PixelRect, scratch: TrainedScratch) {
    let cells = self.cells(of: core)
    let tile = CodeTile(
      base: scratch.codes, stride: scratch.codeStride, blocksWide: cells.width + 2 * reach,
      blocksHigh: cells.height + 2 * reach)
    let left = (cells.x - 1 - reach) * cell + array.x % cell
    let top = (cells.y - 1 - reach) * cell + array.y % cell
    let count = tile.blocksWide * cell
    for y in 0..<tile.blocksHigh * cell {
      encoder.encodeRow(y: top + y, x: left, count: count, into: scratch.line)
      Self.code(scratch.line, count, into: tile.row(y))
    }
    let (width, height) = (cells.width * cell, cells.height * cell)
    switch predictor {
    case .network(let network, let range):
      guard let rows = scratch.network else { return }
      network.run(tile, into: scratch.colours, range: range, scratch: rows)
    case .phases(let filters):
      filters.run(tile.base, stride: tile.stride, width: width, height: height, into: scratch.colours)
    }
    if let refinement, let refined = scratch.refined, let buffers = scratch.refinement {
      refinement.run(
        scratch.colours, width: width, height: height, codes: tile.row(reach * cell) + reach * cell,
        codeStride: tile.stride, into: refined, scratch: buffers)
    }
  }

  /// Pixels around a tile that the first stage must predict.
  var margin: Int { refinement == nil ? 0 : ClassRefinement.margin }

  /// The cells that a tile touches, with the margin; cell 0 starts one cell before the first that is whole.
  private func cells(of core: PixelRect) -> PixelRect {
    let (left, top) = (core.x - array.x % cell + cell, core.y - array.y % cell + cell)
    let (right, bottom) = (left + core.width, top + core.height)
    let around = margin / cell
    return PixelRect(
      x: left / cell - around, y: top / cell - around,
      width: (right + cell - 1) / cell - left / cell + 2 * around,
      height: (bottom + cell - 1) / cell - top / cell + 2 * around)
  }

  /// Nearest codes.
  @inline(__always)
  static func code(_ roots: UnsafePointer<Float>, _ count: Int, into out: UnsafeMutablePointer<Int16>) {
    for x in 0..<count {
      let code = roots[x] * CodeScale.unit
      // Adding 2²³ rounds to a whole number and leaves it in the low bits.
      out[x] = Int16(truncatingIfNeeded: ((code < 32767 ? code : 32767) + 0x1p23).bitPattern)
    }
  }

  /// One finished row, `y` counted from the tile's core.
  func row(_ y: Int, of core: PixelRect, scratch: TrainedScratch, into out: CameraRow) {
    let dx = (core.x - array.x % cell + cell) % cell + margin
    let dy = (core.y - array.y % cell + cell) % cell + margin
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
  /// For networks.
  let network: NetworkScratch?
  private let planes: UnsafeMutablePointer<Int16>

  init(_ demosaic: TrainedDemosaic) {
    let cell = demosaic.cell
    // A tile that starts within a cell touches one cell more.
    let around = 2 * demosaic.margin / cell + 1
    let (wide, high) = (TrainedDemosaic.tileWidth / cell + 1, TrainedDemosaic.tileHeight / cell + around)
    let (width, height) = (wide * cell, high * cell)
    let reach = 2 * demosaic.reach
    codeStride = (wide + reach) * cell
    var slack = 16  // vectors reach beyond the last value
    if case .phases(let filters) = demosaic.predictor { slack = filters.slack }
    let codeCount = codeStride * (high + reach) * cell + slack
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
    if case .network(let network, _) = demosaic.predictor {
      self.network = NetworkScratch(blocks: wide + reach, network)
    } else {
      network = nil
    }
  }

  deinit {
    codes.deallocate()
    planes.deallocate()
    line.deallocate()
  }
}
