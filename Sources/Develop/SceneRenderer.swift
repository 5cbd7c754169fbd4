import ImageCore

/// Stored counts → rows of scene light: demosaic, highlights, colour.
struct SceneRenderer: Sendable {
  let source: ColourSource
  /// `nil` when values stay proportional to light.
  let highlights: Highlights?
  let colour: ColourKernel

  /// How work on `rect` is cut: the same for any number of threads.
  func tiles(of rect: PixelRect) -> [PixelRect] {
    if case .trained(let demosaic) = source { demosaic.tiles(of: rect) } else { TileGrid.tiles(of: rect) }
  }

  /// The parity of columns and rows at which tiles of a rectangle with an even start begin.
  var cellOrigin: (x: Int, y: Int) {
    if case .trained(let demosaic) = source { (demosaic.array.x & 1, demosaic.array.y & 1) } else { (0, 0) }
  }

  /// Buffers of one thread.
  func scratch() -> DevelopScratch { DevelopScratch(source) }

  /// Row `y` of the tile that `scratch` was prepared for; valid until the next.
  @inline(__always)
  func row(_ y: Int, of core: PixelRect, scratch: DevelopScratch) -> SceneRow {
    let camera = scratch.rows.cameraRow(count: core.width)
    let scene = scratch.rows.sceneRow(count: core.width)
    scratch.cameraRow(y, of: core, into: camera)
    highlights?.apply(camera)
    colour.apply(camera, into: scene)
    return scene
  }
}
