import ImageCore

/// Runs the tiles and makes a photo of what they give.
struct MergeRun {
  /// Count of black in the result: leaves room for noise below it.
  static let black = 512
  static let white = 65535

  let solved: SolvedBracket
  let wantsGhostMap: Bool
  let resources: Resources

  private var plan: MergePlan { solved.plan }

  func result() -> MergeResult {
    let range = self.range
    let store = CountStore(black: Float(Self.black), scale: Float(Double(Self.white - Self.black) / range))
    let size = plan.frames[0].size
    let cell = plan.layout.cell
    var ghosts = wantsGhostMap ? Image<UInt8>(plan.layout.grid, repeating: 0, in: resources.pool) : nil
    let photo: RawPhoto
    let statistics: MergeStatistics
    if cell.isPicture {
      let pixels = PixelSize(width: size.width / cell.width, height: size.height)
      var image = Image<RGB<UInt16>>(uninitialized: pixels, in: resources.pool)
      statistics = image.withMutableRows { rows in
        let base = UnsafeMutableRawPointer(rows.base).assumingMemoryBound(to: UInt16.self)
        let samples = MutablePixelRows(
          base: base, width: size.width, height: size.height, stride: rows.stride * cell.width)
        return run(&ghosts) { store.store($0.light, count: $0.count, into: samples.row($0.y) + $0.x) }
      }
      let white = Array(repeating: Float(Self.white), count: cell.width)
      let levels = SensorLevels(black: BlackLevel(uniform: Float(Self.black), planes: cell.width), white: white)
      photo = makePhoto(.linear(LinearPicture(samples: image, levels: levels)), range, statistics)
    } else {
      var image = Image<UInt16>(uninitialized: size, in: resources.pool)
      statistics = image.withMutableRows { rows in
        run(&ghosts) { store.store($0.light, count: $0.count, into: rows.row($0.y) + $0.x) }
      }
      let levels = SensorLevels(black: Float(Self.black), white: Float(Self.white))
      guard case .mosaic(let mosaic) = solved.reference.pixels else { preconditionFailure("cells are of a mosaic") }
      photo = makePhoto(.mosaic(Mosaic(samples: image, cfa: mosaic.cfa, levels: levels)), range, statistics)
    }
    return MergeResult(photo: photo, report: report(statistics, range), ghostMap: ghosts)
  }

  /// The light that full scale stands for: where the shortest frame saturates, or the brightest it has measured.
  var range: Double {
    let saturation = plan.frames.map { Double($0.saturation) / $0.exposure }.max() ?? 1
    return max(1, min(saturation, Self.margin * solved.brightest, Self.largestRange))
  }

  /// Room above the brightest sample, which averaging with others may raise a little.
  private static let margin = 1.05
  /// Eight stops above the reference's white leave it 8 bits; more would be coarser than its noise.
  private static let largestRange = 256.0

  private func makePhoto(_ pixels: RawPhoto.Pixels, _ range: Double, _ statistics: MergeStatistics) -> RawPhoto {
    var photo = solved.reference
    photo.pixels = pixels
    photo.baselineExposure += Elementary.log2(range)
    photo.noise = statistics.noise(range: range, rounding: 1 / Double(Self.white - Self.black))
    return photo
  }

  func report(_ statistics: MergeStatistics, _ range: Double) -> MergeReport {
    var report = solved.report
    let cells = Double(plan.layout.grid.area)
    report.headroom = Elementary.log2(range)
    report.clippedShare = Double(statistics.clipped) / cells
    report.ghostShare = Double(statistics.ghosts) / cells
    for index in report.frames.indices {
      report.frames[index].ghostShare = Double(statistics.frameGhosts[index]) / cells
    }
    return report
  }

  /// Merges all tiles; each row of each tile is handed to `sink` once, from any thread.
  func run(_ ghosts: inout Image<UInt8>?, _ sink: @Sendable (MergedRow) -> Void) -> MergeStatistics {
    let tiles = plan.layout.tiles
    let slots = TileSlots(repeating: MergeStatistics(frames: plan.frames.count), count: tiles.count)
    Self.withRows(of: &ghosts) { ghostRows in
      withAllSamples { samples in runTiles(tiles, samples, ghostRows, slots, sink) }
    }
    return slots.values.reduce(into: MergeStatistics(frames: plan.frames.count)) { $0.add($1) }
  }

  private func runTiles(
    _ tiles: [PixelRect], _ samples: [PixelRows<UInt16>], _ ghostRows: MutablePixelRows<UInt8>?,
    _ slots: TileSlots<MergeStatistics>, _ sink: @Sendable (MergedRow) -> Void
  ) {
    let size = plan.frames[0].size
    resources.workers.forEach(
      tiles: tiles.count, scratch: { TileBuffers(plan.layout, frames: plan.frames.count) }
    ) { index, buffers in
      let core = tiles[index]
      let merger = TileMerger(plan: plan, buffers: buffers)
      merger.prepare(core, samples: samples)
      var statistics = MergeStatistics(frames: plan.frames.count)
      statistics.countCells(core, plan, buffers, map: ghostRows)
      let cell = plan.layout.cell
      let (light, variance) = (buffers.spareRow(2), buffers.spareRow(3))
      let (left, top) = (core.x * cell.width, core.y * cell.height)
      let count = min(core.width * cell.width, size.width - left)
      for y in 0..<min(core.height * cell.height, size.height - top) {
        merger.row(y, core: core, light: light, variance: variance)
        sink(
          MergedRow(light: UnsafePointer(light), variance: UnsafePointer(variance), x: left, y: top + y, count: count)
        )
        statistics.countNoise(light, variance, count: count)
      }
      slots[index] = statistics
    }
  }

  private static func withRows(
    of image: inout Image<UInt8>?, _ body: (MutablePixelRows<UInt8>?) -> Void
  ) {
    if image == nil { body(nil) } else { image!.withMutableRows { body($0) } }
  }

  /// Pointers to all frames' samples, for the time of `body`.
  private func withAllSamples(_ body: ([PixelRows<UInt16>]) -> Void) {
    func open(_ index: Int, _ opened: [PixelRows<UInt16>]) {
      if index == plan.frames.count { return body(opened) }
      plan.frames[index].withSamples { open(index + 1, opened + [$0]) }
    }
    open(0, [])
  }
}

/// A row of one tile: light and variance of `count` samples from column `x` of row `y` on.
struct MergedRow {
  let light: UnsafePointer<Float>
  let variance: UnsafePointer<Float>
  let x: Int
  let y: Int
  let count: Int
}

/// Light → counts.
struct CountStore: Sendable {
  let black: Float
  let scale: Float

  func store(_ light: UnsafePointer<Float>, count: Int, into out: UnsafeMutablePointer<UInt16>) {
    let top = Float(MergeRun.white)
    for x in 0..<count {
      let value = light[x] * scale + (black + 0.5)
      let positive = value > 0 ? value : 0
      out[x] = UInt16(truncatingIfNeeded: Int32(positive < top ? positive : top))
    }
  }
}
