import ImageCore

/// How the work is cut: fixed by the cell and the frame's size, so that results do not depend on threads.
struct TileLayout: Sendable {
  /// Samples of a full tile without its halo: the planes of three frames stay near a core's L2 cache.
  private static let targetWidth = 256
  private static let targetHeight = 96
  /// Cells beyond a tile on each side that saturation, motion and smoothing look at.
  private static let reach = 4
  /// Cells more that the blocks of bursts look at, given that tiles begin and end with one, and how many times larger
  /// tiles are then in both directions, so that the halo stays a small part of them.
  private static let burstReach = 4
  private static let burstScale = 2

  let cell: SampleCell
  let grid: PixelSize
  /// Cells of a full tile.
  let width: Int
  let height: Int
  /// Cells read beyond a tile on each side.
  let halo: Int
  /// Tiles begin at multiples of this many cells.
  private let unit: Int

  init(_ frame: SourceFrame, hasBursts: Bool) {
    cell = frame.cell
    grid = frame.grid
    let scale = hasBursts ? Self.burstScale : 1
    unit = hasBursts ? BurstBuffers.step : 1
    width = scale * max(16, Self.targetWidth / cell.width) / unit * unit
    height = scale * max(8, Self.targetHeight / cell.height) / unit * unit
    halo = hasBursts ? Self.reach + Self.burstReach : Self.reach
  }

  /// The tiles of the frame, in cells.
  var tiles: [PixelRect] {
    var result: [PixelRect] = []
    for y in stride(from: 0, to: grid.height, by: height) {
      for x in stride(from: 0, to: grid.width, by: width) {
        result.append(PixelRect(x: x, y: y, width: width, height: height).intersection(PixelRect(grid)))
      }
    }
    return result
  }

  /// A tile with its halo, in cells; the last ones are rounded up to whole blocks.
  func padded(_ core: PixelRect) -> PixelRect {
    PixelRect(
      x: core.x - halo, y: core.y - halo, width: (core.width + unit - 1) / unit * unit + 2 * halo,
      height: (core.height + unit - 1) / unit * unit + 2 * halo)
  }

  /// Sizes of a full tile with its halo, in cells and in samples.
  var paddedCells: PixelSize { PixelSize(width: width + 2 * halo, height: height + 2 * halo) }
  var paddedSamples: PixelSize {
    PixelSize(width: paddedCells.width * cell.width, height: paddedCells.height * cell.height)
  }
}

/// A plane of floats inside a scratch buffer.
struct Plane {
  let base: UnsafeMutablePointer<Float>
  let stride: Int

  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<Float> { base + y &* stride }
}

/// Buffers of one thread, reused by all its tiles.
final class TileBuffers {
  /// Planes of cells besides a saturation ramp, a bias and a factor for each frame.
  private static let sharedCellPlanes = 10
  private static let sampleRows = 8

  let layout: TileLayout
  /// Made when the first displaced frame is read.
  lazy var patch = WarpPatch(layout)
  /// Made when the first burst is merged.
  lazy var burst = BurstBuffers(layout)
  private let frameCount: Int
  private let memory: UnsafeMutablePointer<Float>
  private let sampleStride: Int
  private let cellStride: Int

  init(_ layout: TileLayout, frames: Int) {
    self.layout = layout
    frameCount = frames
    let line = 16  // floats of a cache line
    sampleStride = (layout.paddedSamples.width + line - 1) / line * line
    cellStride = (layout.paddedCells.width + line - 1) / line * line
    let samples = sampleStride * layout.paddedSamples.height * (frames + 1)
    let cells = cellStride * layout.paddedCells.height * (3 * frames + Self.sharedCellPlanes)
    let rows = sampleStride * (3 * frames + Self.sampleRows)
    memory = .allocate(capacity: samples + cells + rows)
    memory.initialize(repeating: 0, count: samples + cells + rows)
  }

  deinit { memory.deallocate() }

  private var samplePlane: Int { sampleStride * layout.paddedSamples.height }
  private var cellPlane: Int { cellStride * layout.paddedCells.height }
  private var cellStart: Int { samplePlane * (frameCount + 1) }
  private var rowStart: Int { cellStart + cellPlane * (3 * frameCount + Self.sharedCellPlanes) }

  /// Light of a frame.
  func light(_ frame: Int) -> Plane { Plane(base: memory + samplePlane * frame, stride: sampleStride) }
  /// Light of the reference where it is not saturated, of shorter frames where it is.
  var target: Plane { light(frameCount) }
  /// 1 where a frame's cell is below saturation, 0 where it is saturated.
  func ramp(_ frame: Int) -> Plane { Plane(base: memory + cellStart + cellPlane * frame, stride: cellStride) }
  /// Squared difference from the target that noise does not explain; infinite for what must not be used.
  /// For a burst's members the part of them that was left out, 0...1.
  func bias(_ frame: Int) -> Plane { ramp(frameCount + frame) }
  /// Variance in parts of the frame's own: less than 1 where the frame stands for a burst.
  func factor(_ frame: Int) -> Plane { ramp(2 * frameCount + frame) }
  func cells(_ index: Int) -> Plane { ramp(3 * frameCount + index) }
  /// Rows of samples: a weight, a bias and a factor for each frame, then free ones.
  func row(_ index: Int) -> UnsafeMutablePointer<Float> { memory + rowStart + sampleStride * index }
  func weightRow(_ frame: Int) -> UnsafeMutablePointer<Float> { row(frame) }
  func biasRow(_ frame: Int) -> UnsafeMutablePointer<Float> { row(frameCount + frame) }
  func factorRow(_ frame: Int) -> UnsafeMutablePointer<Float> { row(2 * frameCount + frame) }
  func spareRow(_ index: Int) -> UnsafeMutablePointer<Float> { row(3 * frameCount + index) }
}
