import CVector
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

  /// Luma as it came, with its halo.
  let lumaBefore: DetailRows
  /// Finished luma, without halo.
  let sum: DetailPlane
  /// Luma's splitter.
  let luma: BandSplitter

  /// The same of chroma at half resolution.
  let redBefore: DetailRows
  let blueBefore: DetailRows
  let red: BandSplitter
  let blue: BandSplitter
  /// Light, with offset, at half resolution.
  let halfLight: DetailRows
  /// What was taken from chroma.
  let redLost: DetailPlane
  let blueLost: DetailPlane

  /// Single rows: as wide as a tile with twice the chroma halo.
  let lines: DetailPlane
  static let lineCount = 10

  /// How many bands are split off, which decides the halo.
  let depth: DetailDepth

  /// What is left of a plane after an even and an odd band.
  private let lumaSmooth: [DetailRows]
  private let redSmooth: [DetailRows]
  private let blueSmooth: [DetailRows]
  /// Where the rows as they came are copied to at the picture's edge.
  private let lumaEdge: DetailPlane
  private let halfEdges: [DetailPlane]
  private let memory: UnsafeMutablePointer<Float>
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(_ depth: DetailDepth) {
    self.depth = depth
    let (lumaArea, halfArea) = (Self.lumaWidth * Self.lumaHeight, Self.halfWidth * Self.halfHeight)
    let lineWidth = Self.width + 2 * DetailDepth.full.halo
    let splitters = BandSplitter.rows * (Self.lumaWidth + 2 * Self.halfWidth)
    let count = 3 * lumaArea + Self.width * Self.height + 9 * halfArea + Self.lineCount * lineWidth + splitters
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    var next = memory
    func take(_ stride: Int, _ rows: Int) -> DetailPlane {
      defer { next += stride * rows }
      return DetailPlane(base: next, stride: stride)
    }
    // Luma before and after two bands; the same of both chroma planes; half light.
    let pointerCount = 3 * Self.lumaHeight + 7 * Self.halfHeight
    pointers = .allocate(capacity: pointerCount)
    pointers.initialize(repeating: memory, count: pointerCount)
    var nextRow = pointers
    func rows(_ plane: DetailPlane, _ count: Int) -> DetailRows {
      defer { nextRow += count }
      for y in 0..<count { nextRow[y] = plane.row(y) }
      return DetailRows(base: nextRow)
    }
    lumaEdge = take(Self.lumaWidth, Self.lumaHeight)
    lumaBefore = rows(lumaEdge, Self.lumaHeight)
    lumaSmooth = (0..<2).map { _ in rows(take(Self.lumaWidth, Self.lumaHeight), Self.lumaHeight) }
    sum = take(Self.width, Self.height)
    luma = BandSplitter(take(Self.lumaWidth, BandSplitter.rows))
    halfEdges = (0..<3).map { _ in take(Self.halfWidth, Self.halfHeight) }
    halfLight = rows(halfEdges[0], Self.halfHeight)
    redBefore = rows(halfEdges[1], Self.halfHeight)
    blueBefore = rows(halfEdges[2], Self.halfHeight)
    redSmooth = (0..<2).map { _ in rows(take(Self.halfWidth, Self.halfHeight), Self.halfHeight) }
    blueSmooth = (0..<2).map { _ in rows(take(Self.halfWidth, Self.halfHeight), Self.halfHeight) }
    red = BandSplitter(take(Self.halfWidth, BandSplitter.rows))
    blue = BandSplitter(take(Self.halfWidth, BandSplitter.rows))
    redLost = take(Self.halfWidth, Self.halfHeight)
    blueLost = take(Self.halfWidth, Self.halfHeight)
    lines = take(lineWidth, Self.lineCount)
  }

  deinit {
    memory.deallocate()
    pointers.deallocate()
  }

  /// Finds the rows of a tile with its halo.
  ///
  /// - Parameter core: starts where a cell of half resolution does; at most as large as a full tile.
  func load(_ core: PixelRect, from stripe: SceneStripe) {
    let halo = depth.lumaHalo
    let size = samples(of: core)
    for y in 0..<size.height {
      lumaBefore.base[y] = UnsafeMutablePointer(
        mutating: stripe.luma(
          x: core.x - halo, y: core.y - halo + y, count: size.width, copy: lumaEdge.row(y)))
    }
    let cells = cells(of: core)
    let left = SceneStripe.cell(core.x, stripe.origin.x) - depth.chromaHalo
    let top = SceneStripe.cell(core.y, stripe.origin.y) - depth.chromaHalo
    for (plane, target) in [halfLight, redBefore, blueBefore].enumerated() {
      for y in 0..<cells.height {
        target.base[y] = UnsafeMutablePointer(
          mutating: stripe.half(
            plane, x: left, y: top + y, count: cells.width, copy: halfEdges[plane].row(y)))
      }
    }
  }

  /// Columns and rows of luma, halo included.
  func samples(of core: PixelRect) -> PixelSize {
    PixelSize(width: core.width + 2 * depth.lumaHalo, height: core.height + 2 * depth.lumaHalo)
  }

  /// Columns and rows at half resolution, halo included.
  func cells(of core: PixelRect) -> PixelSize {
    PixelSize(
      width: (core.width + 1) / 2 + 2 * depth.chromaHalo,
      height: (core.height + 1) / 2 + 2 * depth.chromaHalo)
  }

  /// Splits a band off luma, bands in order.
  ///
  /// - Parameter use: called for rows of the loaded rectangle from top to bottom, from the first to the last that lie
  ///   one beyond ``DetailBands/reaches``, while ``luma`` holds the band's row and its neighbours; it is also given
  ///   the row without the band.
  @inline(__always)
  func splitLuma(_ band: Int, _ core: PixelRect, _ use: (_ y: Int, _ smooth: UnsafePointer<Float>) -> Void) {
    let size = samples(of: core)
    let pass = BandPass(band, width: size.width, height: size.height)
    let source = band == 0 ? lumaBefore : lumaSmooth[(band + 1) & 1]
    let smooth = lumaSmooth[band & 1]
    for y in pass.input {
      if band == 0 { Self.ask(for: y + Self.ahead, of: source, size) }
      luma.read(y, of: source, pass, smooth: smooth)
      if let row = pass.middle(y) { use(row, smooth[row]) }
    }
  }

  /// The same for both chroma planes.
  @inline(__always)
  func splitChroma(_ band: Int, _ core: PixelRect, _ use: (_ y: Int) -> Void) {
    let size = cells(of: core)
    let pass = BandPass(band, width: size.width, height: size.height)
    let previous = (band + 1) & 1
    let sources = band == 0 ? (redBefore, blueBefore) : (redSmooth[previous], blueSmooth[previous])
    let smooth = (redSmooth[band & 1], blueSmooth[band & 1])
    for y in pass.input {
      if band == 0 {
        Self.ask(for: y + Self.ahead, of: sources.0, size)
        Self.ask(for: y + Self.ahead, of: sources.1, size)
      }
      red.read(y, of: sources.0, pass, smooth: smooth.0)
      blue.read(y, of: sources.1, pass, smooth: smooth.1)
      if let row = pass.middle(y) { use(row) }
    }
  }

  /// Rows by which those of a stripe, which lie far away, are asked for before they are read.
  static let ahead = 4

  @inline(__always)
  private static func ask(for y: Int, of rows: DetailRows, _ size: PixelSize) {
    if y < size.height { cv_prefetch_line(rows[y], size.width * MemoryLayout<Float>.stride) }
  }
}
