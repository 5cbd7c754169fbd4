import CVector
import ImageCore

/// Fills padded tiles with the light of a frame that lies displaced.
struct WarpedReader {
  let frame: SourceFrame
  let flow: TileFlow
  /// White balance of red, green and blue.
  let balance: [Float]
  let patch: WarpPatch
  /// For filter arrays other than Bayer's.
  let kernels: SiteKernels?

  private var cell: SampleCell { frame.cell }

  /// Reads the cells `target` of the reference into `out`. Samples made of saturated ones become saturated.
  ///
  /// - Parameters:
  ///   - places: two planes of cells for displacements.
  func read(
    _ target: PixelRect, samples: PixelRows<UInt16>, into out: Plane, places: (x: Plane, y: Plane)
  ) {
    let (least, most) = displace(target, places)
    patch.load(frame, samples, target: target, least: least, most: most)
    let saturation = Saturation(frame)
    let isMarked = mark(saturation)
    // A tile with its halo is never narrower.
    let lanes = 8
    if cell.isBayer {
      let bayer = BayerInterpolation(patch: patch, cell: cell, balance: balance)
      bayer.prepare()
      for row in 0..<target.height {
        let y = Float((target.y + row) * cell.pixelHeight - patch.top)
        let (dx, dy) = (places.x.row(row), places.y.row(row))
        for start in stride(from: 0, to: target.width, by: lanes) {
          // The last lanes overlap those before them.
          let column = min(start, target.width - lanes)
          bayer.sample(
            Float((target.x + column) * cell.pixelWidth - patch.left), y,
            places: (UnsafePointer(dx) + column, UnsafePointer(dy) + column), into: out, column: column * 2,
            row: row * 2)
        }
      }
    } else if cell.isPicture {
      eachCell(target, places) { x, y, column, row in
        picture(x, y, into: out.row(row) + column * cell.width)
      }
    } else if let kernels {
      let sparse = SparseInterpolation(patch: patch, cell: cell, kernels: kernels)
      eachCell(target, places) { x, y, column, row in
        sparse.sample(x, y, into: out, column: column * cell.width, row: row * cell.height)
      }
    }
    if isMarked { spread(target, places, saturation.end * 1.001, into: out) }
  }

  /// Displacements in pixels; returns their bounds, with differences beyond the patch's slack cut off.
  private func displace(
    _ target: PixelRect, _ places: (x: Plane, y: Plane)
  ) -> (least: (x: Float, y: Float), most: (x: Float, y: Float)) {
    let unit = Float(cell.pixelWidth)
    var least = (x: Float.greatestFiniteMagnitude, y: Float.greatestFiniteMagnitude)
    var most = (x: -Float.greatestFiniteMagnitude, y: -Float.greatestFiniteMagnitude)
    for y in 0..<target.height {
      let (dx, dy) = (places.x.row(y), places.y.row(y))
      flow.displacements(x: target.x, y: target.y + y, count: target.width, dx: dx, dy: dy)
      for x in 0..<target.width { dx[x] *= unit }
      for x in 0..<target.width { dy[x] *= unit }
      cv_extent_f32(dx, target.width, &least.x, &most.x)
      cv_extent_f32(dy, target.width, &least.y, &most.y)
    }
    let slack = Float(WarpPatch.slack)
    if most.x - least.x > slack || most.y - least.y > slack {
      (most.x, most.y) = (min(most.x, least.x + slack), min(most.y, least.y + slack))
      for y in 0..<target.height {
        for x in 0..<target.width {
          places.x.row(y)[x] = min(places.x.row(y)[x], most.x)
          places.y.row(y)[x] = min(places.y.row(y)[x], most.y)
        }
      }
    }
    return (least, most)
  }

  /// Marks saturated cells of the patch and their neighbours, which interpolation mixes in.
  private func mark(_ saturation: Saturation) -> Bool {
    let (cells, size) = (patch.cells, patch.size)
    let isMarked = (0..<size.height).contains { y in
      var (least, most) = (saturation.end, -saturation.end)
      cv_extent_f32(patch.light.row(y), size.width, &least, &most)
      return most >= saturation.end
    }
    guard isMarked else { return false }
    for y in 0..<cells.height {
      let row = patch.marks.row(y)
      CellKernels.maximum(patch.light, cell, row: y, count: cells.width, into: row)
      for x in 0..<cells.width { row[x] = row[x] < saturation.end ? 0 : 1 }
    }
    return true
  }

  @inline(__always)
  private func eachCell(
    _ target: PixelRect, _ places: (x: Plane, y: Plane), _ body: (Float, Float, Int, Int) -> Void
  ) {
    for row in 0..<target.height {
      let (dx, dy) = (places.x.row(row), places.y.row(row))
      let y = Float((target.y + row) * cell.pixelHeight - patch.top)
      let x = Float(target.x * cell.pixelWidth - patch.left)
      for column in 0..<target.width {
        body(x + Float(column * cell.pixelWidth) + dx[column], y + dy[column], column, row)
      }
    }
  }

  private func picture(_ x: Float, _ y: Float, into out: UnsafeMutablePointer<Float>) {
    let (wholeX, wholeY) = (x.rounded(.down), y.rounded(.down))
    let (left, top) = (Int(wholeX), Int(wholeY))
    let (across, down) = (Cubic(x - wholeX), Cubic(y - wholeY))
    for phase in 0..<cell.width {
      func line(_ row: Int) -> Float {
        let p = patch.light.row(row) + left * cell.width + phase
        return across.sum(p[-cell.width], p[0], p[cell.width], p[2 * cell.width])
      }
      out[phase] = down.sum(line(top - 1), line(top), line(top + 1), line(top + 2))
    }
  }

  /// Raises samples whose sources touch marked cells to `level`.
  private func spread(
    _ target: PixelRect, _ places: (x: Plane, y: Plane), _ level: Float, into out: Plane
  ) {
    let cells = patch.cells
    let (w, h) = (Float(cell.pixelWidth), Float(cell.pixelHeight))
    eachCell(target, places) { x, y, column, row in
      let (left, top) = (Int((x / w).rounded(.down)), Int((y / h).rounded(.down)))
      var high: Float = 0
      for v in max(0, top - 1)...max(0, min(cells.height - 1, top + 2)) {
        for u in max(0, left - 1)...max(0, min(cells.width - 1, left + 2)) { high = max(high, patch.marks.row(v)[u]) }
      }
      guard high > 0 else { return }
      for phaseY in 0..<cell.height {
        let samples = out.row(row * cell.height + phaseY) + column * cell.width
        for phase in 0..<cell.width { samples[phase] = level }
      }
    }
  }
}
