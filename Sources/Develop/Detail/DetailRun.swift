import ImageCore

/// Develops a rectangle through ``DetailFinisher``: stripes of whole rows are filled tile by tile, then finished tile
/// by tile. Only a few hundred rows are held.
struct DetailRun: Sendable {
  let scene: SceneRenderer
  let finisher: DetailFinisher
  /// The whole photo: pixels around the rectangle are developed too where there are any, so that a crop of the result
  /// is the result of the crop.
  let bounds: PixelRect

  /// Rows filled at a time at least: many against the ones held for the next step's halo.
  private static let stripeRows = 256
  /// Pixels developed around the rectangle: the halo, and one column or row for its even start.
  private var margin: Int { finisher.depth.halo + 2 }

  /// Hands each finished row of `rect` to `store`, from several threads at once.
  ///
  /// - Parameter store: the row, and the place of its first pixel in the rectangle.
  func run(
    _ rect: PixelRect, resources: Resources, _ store: @Sendable (_ row: SceneRow, _ x: Int, _ y: Int) -> Void
  ) {
    let (margin, halo, depth) = (margin, finisher.depth.halo, finisher.depth)
    // An even start: cells of half resolution are the same for every rectangle.
    let region = PixelRect(
      x: (rect.x - margin) & ~1, y: (rect.y - margin) & ~1, width: rect.width + 2 * margin + 2,
      height: rect.height + 2 * margin + 2
    ).intersection(bounds)
    let origin = scene.cellOrigin
    let steps = Self.steps(scene.tiles(of: region))
    let tallest = steps.map { $0.rows.count }.max() ?? 0
    let stripe = SceneStripe(region: region, origin: origin, capacity: (tallest + 2 * margin + 3) & ~1)
    let fillers = Shelf { scene.scratch() }
    let finishers = Shelf { DetailScratch(depth) }
    var done = Self.floor(rect.y, origin.y)
    for step in steps {
      let first = min(step.rows.lowerBound, max(region.y, done - halo))
      stripe.advance(from: first, to: step.rows.upperBound)
      resources.workers.forEach(tiles: step.tiles.count, scratch: { fillers.take() }) { index, loan in
        fill(step.tiles[index], of: stripe, scratch: loan.item)
      }
      let isLast = step.rows.upperBound == region.y + region.height
      let end =
        isLast
        ? rect.y + rect.height
        : min(rect.y + rect.height, Self.floor(step.rows.upperBound - halo, origin.y))
      guard end > done else { continue }
      let tiles = Self.finishTiles(columns: Self.floor(rect.x, origin.x)..<rect.x + rect.width, rows: done..<end)
      resources.workers.forEach(tiles: tiles.count, scratch: { finishers.take() }) { index, loan in
        finish(tiles[index], of: stripe, in: rect, scratch: loan.item, store)
      }
      done = end
    }
  }

  /// The start of the cell of half resolution that a column or row belongs to.
  private static func floor(_ index: Int, _ origin: Int) -> Int { 2 * SceneStripe.cell(index, origin) + origin }

  /// Tiles that are filled together.
  private struct Step {
    var tiles: [PixelRect]
    var rows: Range<Int>
  }

  /// Rows of tiles, put together until a stripe is full.
  private static func steps(_ tiles: [PixelRect]) -> [Step] {
    var steps: [Step] = []
    for tile in tiles {
      if let last = steps.indices.last,
        tile.y < steps[last].rows.upperBound || steps[last].rows.count < stripeRows
      {
        steps[last].tiles.append(tile)
        steps[last].rows = steps[last].rows.lowerBound..<max(steps[last].rows.upperBound, tile.y + tile.height)
      } else {
        steps.append(Step(tiles: [tile], rows: tile.rows))
      }
    }
    return steps
  }

  private static func finishTiles(columns: Range<Int>, rows: Range<Int>) -> [PixelRect] {
    stride(from: rows.lowerBound, to: rows.upperBound, by: DetailScratch.height).flatMap { y in
      stride(from: columns.lowerBound, to: columns.upperBound, by: DetailScratch.width).map { x in
        PixelRect(
          x: x, y: y, width: min(DetailScratch.width, columns.upperBound - x),
          height: min(DetailScratch.height, rows.upperBound - y))
      }
    }
  }

  private func fill(_ core: PixelRect, of stripe: SceneStripe, scratch: DevelopScratch) {
    scratch.prepare(core)
    let x = core.x - stripe.region.x
    for y in 0..<core.height {
      let row = scene.row(y, of: core, scratch: scratch)
      RootLight.split(
        row, luma: stripe.row(0, core.y + y) + x, stripe.row(1, core.y + y) + x, stripe.row(2, core.y + y) + x)
    }
    stripe.halve(core)
  }

  private func finish(
    _ core: PixelRect, of stripe: SceneStripe, in rect: PixelRect, scratch: DetailScratch,
    _ store: @Sendable (SceneRow, Int, Int) -> Void
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
