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
  func plane(_ index: Int) -> UnsafeMutablePointer<Float> { base + index &* TileGrid.stride }
}

/// One row of linear RGB in the output's primaries: 0 black, 1 where the sensor saturates on white. Planar.
struct SceneRow {
  let base: UnsafeMutablePointer<Float>
  let count: Int
  /// Two rows, ``TileGrid/stride`` apart, to work in: those of the finished ``CameraRow``.
  let spare: UnsafeMutablePointer<Float>
  func plane(_ index: Int) -> UnsafeMutablePointer<Float> { base + index &* TileGrid.stride }
}

/// Buffers of one thread, reused by all its tiles.
final class TileScratch {
  /// Full planes the directional demosaic uses, mosaic included.
  static let planes = 5
  /// Single rows: two line buffers, the camera's colours (at most 4), the scene's three.
  static let rows = 9

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

  func cameraRow(count: Int) -> CameraRow { CameraRow(base: row(2), count: count) }
  func sceneRow(count: Int) -> SceneRow { SceneRow(base: row(6), count: count, spare: row(2)) }
}
