import ImageCore

/// Buffers of one thread of ``DetailFinisher``, reused by all its tiles.
final class DetailScratch {
  /// Columns and rows of a full tile, even.
  static let width = 256
  static let height = 128

  private static let lumaWidth = width + 2 * DetailDepth.full.lumaHalo
  private static let lumaHeight = height + 2 * DetailDepth.full.lumaHalo
  private static let halfWidth = width / 2 + 2 * DetailDepth.full.chromaHalo
  private static let halfHeight = height / 2 + 2 * DetailDepth.full.chromaHalo

  /// Under the transform a band of luma, with its halo, afterwards the next smooth plane.
  var luma: DetailPlane
  var lumaSmooth: DetailPlane
  let lumaSpread: DetailPlane
  /// Luma as it came.
  let lumaBefore: DetailPlane
  /// Finished luma, without halo.
  let sum: DetailPlane

  /// The same of chroma at half resolution.
  var red: DetailPlane
  var blue: DetailPlane
  var redSmooth: DetailPlane
  var blueSmooth: DetailPlane
  let halfSpread: DetailPlane
  /// Light, with offset, at half resolution.
  let halfLight: DetailPlane
  /// Chroma at half resolution as it came.
  let redBefore: DetailPlane
  let blueBefore: DetailPlane
  /// What was taken from chroma.
  let redLost: DetailPlane
  let blueLost: DetailPlane

  /// Single rows: as wide as a tile with twice the chroma halo.
  let lines: DetailPlane
  static let lineCount = 10

  /// How many bands are split off, which decides the halo.
  let depth: DetailDepth
  private let memory: UnsafeMutablePointer<Float>

  init(_ depth: DetailDepth) {
    self.depth = depth
    let lumaArea = Self.lumaWidth * Self.lumaHeight
    let halfArea = Self.halfWidth * Self.halfHeight
    let lineWidth = Self.width + 2 * DetailDepth.full.halo
    let count = 4 * lumaArea + Self.width * Self.height + 10 * halfArea + Self.lineCount * lineWidth
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    var next = memory
    func take(_ stride: Int, _ area: Int) -> DetailPlane {
      defer { next += area }
      return DetailPlane(base: next, stride: stride)
    }
    luma = take(Self.lumaWidth, lumaArea)
    lumaSmooth = take(Self.lumaWidth, lumaArea)
    lumaSpread = take(Self.lumaWidth, lumaArea)
    lumaBefore = take(Self.lumaWidth, lumaArea)
    sum = take(Self.width, Self.width * Self.height)
    red = take(Self.halfWidth, halfArea)
    blue = take(Self.halfWidth, halfArea)
    redSmooth = take(Self.halfWidth, halfArea)
    blueSmooth = take(Self.halfWidth, halfArea)
    halfSpread = take(Self.halfWidth, halfArea)
    halfLight = take(Self.halfWidth, halfArea)
    redBefore = take(Self.halfWidth, halfArea)
    blueBefore = take(Self.halfWidth, halfArea)
    redLost = take(Self.halfWidth, halfArea)
    blueLost = take(Self.halfWidth, halfArea)
    lines = take(lineWidth, Self.lineCount * lineWidth)
  }

  deinit { memory.deallocate() }

  /// Reads a tile with its halo.
  ///
  /// - Parameter core: starts where a cell of half resolution does; at most as large as a full tile.
  func load(_ core: PixelRect, from stripe: SceneStripe) {
    let halo = depth.lumaHalo
    for y in 0..<core.height + 2 * halo {
      stripe.readLuma(
        x: core.x - halo, y: core.y - halo + y, count: core.width + 2 * halo, into: lumaBefore.row(y))
    }
    let cells = cells(of: core)
    let left = SceneStripe.cell(core.x, stripe.origin.x) - depth.chromaHalo
    let top = SceneStripe.cell(core.y, stripe.origin.y) - depth.chromaHalo
    for y in 0..<cells.height {
      for (plane, target) in [(0, halfLight), (1, redBefore), (2, blueBefore)] {
        stripe.readHalf(plane, x: left, y: top + y, count: cells.width, into: target.row(y))
      }
    }
  }

  /// Columns and rows at half resolution, halo included.
  func cells(of core: PixelRect) -> PixelSize {
    PixelSize(
      width: (core.width + 1) / 2 + 2 * depth.chromaHalo,
      height: (core.height + 1) / 2 + 2 * depth.chromaHalo)
  }

  /// Splits a band off luma: afterwards ``luma`` is the band, ``lumaSmooth`` the rest, both valid
  /// `DetailBands.reaches[band]` samples inside the loaded rectangle.
  func splitLuma(_ band: Int, _ core: PixelRect) {
    let halo = depth.lumaHalo
    let size = PixelSize(width: core.width + 2 * halo, height: core.height + 2 * halo)
    Self.split(band, size, band == 0 ? lumaBefore : luma, fine: luma, lumaSmooth, spread: lumaSpread)
  }

  /// The same for both chroma planes.
  func splitChroma(_ band: Int, _ core: PixelRect) {
    let size = cells(of: core)
    Self.split(band, size, band == 0 ? redBefore : red, fine: red, redSmooth, spread: halfSpread)
    Self.split(band, size, band == 0 ? blueBefore : blue, fine: blue, blueSmooth, spread: halfSpread)
  }

  /// The smooth plane becomes the one to split.
  func nextLuma() { swap(&luma, &lumaSmooth) }
  func nextChroma() {
    swap(&red, &redSmooth)
    swap(&blue, &blueSmooth)
  }

  private static func split(
    _ band: Int, _ size: PixelSize, _ plane: DetailPlane, fine: DetailPlane, _ smooth: DetailPlane,
    spread: DetailPlane
  ) {
    let step = 1 << band
    let (valid, reach) = (band == 0 ? 0 : DetailBands.reaches[band - 1], DetailBands.reaches[band])
    let columns = reach..<size.width - reach
    for y in valid..<size.height - valid {
      DetailKernels.spread(plane.row(y), step: step, columns, into: spread.row(y))
    }
    for y in reach..<size.height - reach {
      DetailKernels.split(
        plane.row(y), spread.row(y - 2 * step), spread.row(y - step), spread.row(y), spread.row(y + step),
        spread.row(y + 2 * step),
        columns, fine: fine.row(y), smooth: smooth.row(y))
    }
  }
}
