import ImageCore

/// Buffers of one thread of ``DetailFinisher``, reused by all its tiles.
final class DetailScratch {
  /// Columns and rows of a full tile, even.
  static let width = 256
  static let height = 128

  private static let lumaWidth = width + 2 * DetailBands.lumaHalo
  private static let lumaHeight = height + 2 * DetailBands.lumaHalo
  private static let halfWidth = width / 2 + 2 * DetailBands.chromaHalo
  private static let halfHeight = height / 2 + 2 * DetailBands.chromaHalo

  /// Luma with its halo: under the transform a band, afterwards the next smooth plane.
  var luma: DetailPlane
  var lumaSmooth: DetailPlane
  let lumaSpread: DetailPlane
  /// Luma as it came.
  let lumaBefore: DetailPlane
  /// Finished luma, without halo.
  let sum: DetailPlane

  /// Chroma at half resolution with its halo.
  var red: DetailPlane
  var blue: DetailPlane
  var redSmooth: DetailPlane
  var blueSmooth: DetailPlane
  let halfSpread: DetailPlane
  /// Light, with offset, at half resolution.
  let halfLight: DetailPlane
  let redBefore: DetailPlane
  let blueBefore: DetailPlane
  /// What was taken from chroma.
  let redLost: DetailPlane
  let blueLost: DetailPlane

  /// Single rows: as wide as a tile with twice the chroma halo.
  let lines: DetailPlane
  static let lineCount = 10

  private let memory: UnsafeMutablePointer<Float>

  init() {
    let lumaArea = Self.lumaWidth * Self.lumaHeight
    let halfArea = Self.halfWidth * Self.halfHeight
    let lineWidth = Self.width + 2 * DetailBands.halo
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
  /// - Parameter core: starts in an even column and row; at most as large as a full tile.
  func load(_ core: PixelRect, from stripe: SceneStripe) {
    let halo = DetailBands.lumaHalo
    for y in 0..<core.height + 2 * halo {
      let row = luma.row(y)
      stripe.read(0, x: core.x - halo, y: core.y - halo + y, count: core.width + 2 * halo, into: row)
      lumaBefore.row(y).update(from: row, count: core.width + 2 * halo)
    }
    let cells = Self.cells(of: core)
    let (first, second) = (lines.row(0), lines.row(1))
    for y in 0..<cells.height {
      let place = (x: core.x - DetailBands.halo, y: core.y - DetailBands.halo + 2 * y, count: 2 * cells.width)
      for (plane, target, before) in [(0, halfLight, halfLight), (1, red, redBefore), (2, blue, blueBefore)] {
        stripe.read(plane, x: place.x, y: place.y, count: place.count, into: first)
        stripe.read(plane, x: place.x, y: place.y + 1, count: place.count, into: second)
        let out = target.row(y)
        for x in 0..<cells.width {
          out[x] = (first[2 * x] + first[2 * x + 1] + (second[2 * x] + second[2 * x + 1])) * 0.25
        }
        if plane == 0 {
          for x in 0..<cells.width { out[x] = out[x] * out[x] + RootLight.offset }
        } else {
          before.row(y).update(from: out, count: cells.width)
        }
      }
    }
  }

  /// Columns and rows at half resolution, halo included.
  static func cells(of core: PixelRect) -> PixelSize {
    PixelSize(
      width: (core.width + 1) / 2 + 2 * DetailBands.chromaHalo,
      height: (core.height + 1) / 2 + 2 * DetailBands.chromaHalo)
  }

  /// Splits a band off luma: afterwards ``luma`` is the band, ``lumaSmooth`` the rest, both valid
  /// `DetailBands.reaches[band]` samples inside the loaded rectangle.
  func splitLuma(_ band: Int, _ core: PixelRect) {
    let halo = DetailBands.lumaHalo
    let size = PixelSize(width: core.width + 2 * halo, height: core.height + 2 * halo)
    Self.split(band, size, luma, lumaSmooth, spread: lumaSpread)
  }

  /// The same for both chroma planes.
  func splitChroma(_ band: Int, _ core: PixelRect) {
    let size = Self.cells(of: core)
    Self.split(band, size, red, redSmooth, spread: halfSpread)
    Self.split(band, size, blue, blueSmooth, spread: halfSpread)
  }

  /// The smooth plane becomes the one to split.
  func nextLuma() { swap(&luma, &lumaSmooth) }
  func nextChroma() {
    swap(&red, &redSmooth)
    swap(&blue, &blueSmooth)
  }

  private static func split(
    _ band: Int, _ size: PixelSize, _ plane: DetailPlane, _ smooth: DetailPlane, spread: DetailPlane
  ) {
    let step = 1 << band
    let (valid, reach) = (band == 0 ? 0 : DetailBands.reaches[band - 1], DetailBands.reaches[band])
    let columns = reach..<size.width - reach
    for y in valid..<size.height - valid {
      DetailKernels.spread(plane.row(y), step: step, columns, into: spread.row(y))
    }
    for y in reach..<size.height - reach {
      DetailKernels.split(
        spread.row(y - 2 * step), spread.row(y - step), spread.row(y), spread.row(y + step), spread.row(y + 2 * step),
        columns, fine: plane.row(y), smooth: smooth.row(y))
    }
  }
}
