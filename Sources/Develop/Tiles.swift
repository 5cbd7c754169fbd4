import ImageCore

/// How the result is cut: fixed by the size of the rectangle, so that results do not depend on threads.
enum TileGrid {
  /// Columns and rows of a full tile: its planes stay in a core's L2 cache.
  static let width = 256
  static let height = 64
  /// Photosites read beyond a tile on each side: reach of the demosaic, even to keep a Bayer phase. Also covers any
  /// 8x8 pattern.
  static let halo = 12
  static let paddedWidth = width + 2 * halo
  static let paddedHeight = height + 2 * halo
  /// Floats between rows of a padded tile: a whole number of 16-float cache lines.
  static let stride = (paddedWidth + 15) / 16 * 16

  static func tiles(of rect: PixelRect) -> [PixelRect] {
    var tiles: [PixelRect] = []
    for y in Swift.stride(from: rect.y, to: rect.y + rect.height, by: height) {
      for x in Swift.stride(from: rect.x, to: rect.x + rect.width, by: width) {
        tiles.append(PixelRect(x: x, y: y, width: width, height: height).intersection(rect))
      }
    }
    return tiles
  }
}

/// White-balanced photosites under the filter array, square-root encoded: `u = sqrt(x + offset)` for light `x`
/// (black 0, saturation 1 x the colour's multiplier), padded by ``TileGrid/halo``.
struct EncodedMosaicTile {
  let base: UnsafeMutablePointer<Float>
  /// The tile without its halo, in photo coordinates.
  let core: PixelRect

  /// Row `y` counts from the top of the halo.
  func row(_ y: Int) -> UnsafeMutablePointer<Float> { base + y &* TileGrid.stride }
}

/// One row of linear, white-balanced camera colours: black 0, saturation 1 x the colour's multiplier. Planar.
struct CameraRow {
  let base: UnsafeMutablePointer<Float>
  let count: Int
  /// Floats between planes.
  let stride: Int
  func plane(_ index: Int) -> UnsafeMutablePointer<Float> { base + index &* stride }
}

/// One row of linear RGB in the output's primaries: 0 black, 1 where the sensor saturates on white. Planar.
struct SceneRow {
  let base: UnsafeMutablePointer<Float>
  let count: Int
  /// Floats between planes.
  let stride: Int
  /// Two rows, `stride` apart, to work in: those of the finished ``CameraRow``.
  let spare: UnsafeMutablePointer<Float>
  func plane(_ index: Int) -> UnsafeMutablePointer<Float> { base + index &* stride }
}

/// Buffers of one thread, reused by all its tiles.
final class TileScratch {
  /// Full planes the directional demosaic uses, mosaic included.
  static let planes = 5
  /// Single rows.
  static let rows = 2

  private let memory: UnsafeMutablePointer<Float>

  init() {
    let count = TileGrid.stride * (Self.planes * TileGrid.paddedHeight + Self.rows)
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
  }

  deinit { memory.deallocate() }

  func plane(_ index: Int) -> UnsafeMutablePointer<Float> {
    memory + index * TileGrid.stride * TileGrid.paddedHeight
  }

  func row(_ index: Int) -> UnsafeMutablePointer<Float> { plane(Self.planes) + index * TileGrid.stride }
}

/// Rows of one thread on their way from the demosaic to the result.
final class RowScratch {
  private static let cameraPlanes = 4
  private static let scenePlanes = 3

  private let memory: UnsafeMutablePointer<Float>
  private let stride: Int

  init(width: Int) {
    let line = 16  // floats in a cache line
    stride = (width + line - 1) / line * line
    let count = stride * (Self.cameraPlanes + Self.scenePlanes)
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
  }

  deinit { memory.deallocate() }

  func cameraRow(count: Int) -> CameraRow { CameraRow(base: memory, count: count, stride: stride) }
  func sceneRow(count: Int) -> SceneRow {
    SceneRow(base: memory + Self.cameraPlanes * stride, count: count, stride: stride, spare: memory)
  }
}
