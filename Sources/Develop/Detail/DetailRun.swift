import ImageCore

/// Develops a rectangle through ``DetailFinisher``: stripes are filled tile by tile, then finished tile by tile. Only a
/// few hundred rows (or columns) are held.
struct DetailRun: Sendable {
  let scene: SceneRenderer
  let finisher: DetailFinisher
  /// The whole photo: pixels around the rectangle are developed too where there are any, so that a crop of the result
  /// is the result of the crop.
  let bounds: PixelRect
  let sweep: Sweep

  /// Pixels developed around the rectangle: the halo, and one column or row for its even start.
  private var margin: Int { finisher.depth.halo + 2 }

  /// Hands each finished row of `rect` to `store`, from several threads at once.
  ///
  /// - Parameter store: the row, the place of its first pixel in the rectangle, and the band that it belongs to.
  func run<Pixel>(
    _ rect: PixelRect, into target: BandTarget<Pixel>, resources: Resources,
    _ store: @Sendable (_ row: SceneRow, _ x: Int, _ y: Int, _ band: Band<Pixel>) -> Void
  ) {
    let depth = finisher.depth
    // An even start: cells of half resolution are the same for every rectangle.
    let region = PixelRect(
      x: (rect.x - margin) & ~1, y: (rect.y - margin) & ~1, width: rect.width + 2 * margin + 2,
      height: rect.height + 2 * margin + 2
    ).intersection(bounds)
    let steps = sweep.steps(scene.tiles(of: region), of: region)
    let stripe = stripe(of: region, steps, pool: resources.pool)
    let fillers = Shelf { scene.scratch() }
    let finishers = Shelf { DetailScratch(depth) }
    var progress = Progress(self, rect, region: region, origin: scene.cellOrigin)
    for step in steps {
      stripe.hold(sweep.part(progress.held(for: step.lines), of: region))
      target.work(
        resources.workers, tiles: step.tiles.count, scratch: { fillers.take() }, handsOn: .whatFits
      ) { index, loan in
        fill(step.tiles[index], of: stripe, scratch: loan.item)
      }
      guard let part = progress.finished(by: step.lines) else { continue }
      let lines = part.clamped(to: sweep.lines(of: rect))
      let band = target.begin(sweep.resultRows(lines, of: rect))
      let tiles = Self.tiles(of: sweep.part(part, of: progress.whole))
      target.work(resources.workers, tiles: tiles.count, scratch: { finishers.take() }, handsOn: .all) {
        index, loan in
        finish(tiles[index], of: stripe, in: rect, scratch: loan.item) { store($0, $1, $2, band) }
      }
      target.end()
      if target.isStopped { return }
    }
  }

  private func stripe(of region: PixelRect, _ steps: [Sweep.Step], pool: MemoryPool?) -> SceneStripe {
    let lines = ((steps.map { $0.lines.count }.max() ?? 0) + 2 * margin + 3) & ~1
    let whole = sweep.lines(of: region)
    let held = sweep.part(whole.lowerBound..<whole.lowerBound + lines, of: region)
    return SceneStripe(region: region, origin: scene.cellOrigin, capacity: held.size, pool: pool)
  }

  /// How far the lines of a rectangle are finished.
  private struct Progress {
    let sweep: Sweep
    let halo: Int
    /// Lines that are developed, and those wanted, from the start of a cell on.
    let region: Range<Int>
    let wanted: Range<Int>
    /// The rectangle, from the start of a cell on.
    let whole: PixelRect
    private let origin: Int
    /// The end of what is finished: the start of a cell.
    private var done: Int

    init(_ run: DetailRun, _ rect: PixelRect, region: PixelRect, origin: (x: Int, y: Int)) {
      sweep = run.sweep
      halo = run.finisher.depth.halo
      let (x, y) = (Self.floor(rect.x, origin.x), Self.floor(rect.y, origin.y))
      whole = PixelRect(x: x, y: y, width: rect.x + rect.width - x, height: rect.y + rect.height - y)
      self.region = sweep.lines(of: region)
      wanted = sweep.lines(of: whole)
      self.origin = sweep.line == .row ? origin.y : origin.x
      done = sweep.isReversed ? wanted.upperBound : wanted.lowerBound
    }

    /// Lines of the region that must be held while those of a step are filled: these, and what is not finished yet with
    /// its surroundings.
    func held(for step: Range<Int>) -> Range<Int> {
      sweep.isReversed
        ? step.lowerBound..<max(step.upperBound, min(region.upperBound, done + halo))
        : min(step.lowerBound, max(region.lowerBound, done - halo))..<step.upperBound
    }

    /// Lines that can be finished once those of a step are filled; `nil` when there are none.
    mutating func finished(by step: Range<Int>) -> Range<Int>? {
      if sweep.isReversed {
        let isLast = step.lowerBound == region.lowerBound
        let start =
          isLast ? wanted.lowerBound : max(wanted.lowerBound, Self.floor(step.lowerBound + halo + 1, origin))
        guard start < done else { return nil }
        defer { done = start }
        return start..<done
      }
      let isLast = step.upperBound == region.upperBound
      let end = isLast ? wanted.upperBound : min(wanted.upperBound, Self.floor(step.upperBound - halo, origin))
      guard end > done else { return nil }
      defer { done = end }
      return done..<end
    }

    /// The start of the cell of half resolution that a column or row belongs to.
    private static func floor(_ index: Int, _ origin: Int) -> Int { 2 * SceneStripe.cell(index, origin) + origin }
  }

  private static func tiles(of rect: PixelRect) -> [PixelRect] {
    let (columns, rows) = (rect.columns, rect.rows)
    return stride(from: rows.lowerBound, to: rows.upperBound, by: DetailScratch.height).flatMap { y in
      stride(from: columns.lowerBound, to: columns.upperBound, by: DetailScratch.width).map { x in
        PixelRect(x: x, y: y, width: DetailScratch.width, height: DetailScratch.height).intersection(rect)
      }
    }
  }

  private func fill(_ core: PixelRect, of stripe: SceneStripe, scratch: DevelopScratch) {
    scratch.prepare(core)
    for y in 0..<core.height {
      let row = scene.row(y, of: core, scratch: scratch)
      RootLight.split(
        row, luma: stripe.row(0, core.y + y) + core.x, stripe.row(1, core.y + y) + core.x,
        stripe.row(2, core.y + y) + core.x)
    }
    stripe.halve(core)
  }

  private func finish(
    _ core: PixelRect, of stripe: SceneStripe, in rect: PixelRect, scratch: DetailScratch,
    _ store: (SceneRow, Int, Int) -> Void
  ) {
    scratch.load(core, from: stripe)
    finisher.prepare(core, scratch: scratch)
    // The first tile may start a column or a row before the rectangle.
    let left = max(0, rect.x - core.x)
    for y in max(0, rect.y - core.y)..<core.height {
      let row = finisher.row(y, of: core, from: stripe, scratch: scratch)
      let shown = SceneRow(base: row.base + left, count: row.count - left, stride: row.stride, spare: row.spare)
      store(shown, core.x + left - rect.x, core.y + y - rect.y)
    }
  }
}
