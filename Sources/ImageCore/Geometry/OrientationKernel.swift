import CVector
import Glibc

/// Moves pixels of any size without looking into them: copies, mirrors, rotates and transposes rectangles of memory.
public enum OrientationKernel {
  /// Destinations of at least this many bytes are written past the cache: they would not stay in it anyway, and
  /// the CPU need not read a line before it overwrites it. About the last-level cache share of one core.
  static let streamingBytes = 8 << 20
  /// Rows of one tile of work when rows stay rows.
  static let rowsPerBand = 64

  /// Lays a rectangle of stored pixels by an orientation into a rectangle of the result.
  ///
  /// Result pixel `(x, y)` is stored pixel `orientation.source(x: x, y: y, in: sourceSize)`. A band or column block of
  /// a larger picture is laid by passing the pointer to its first pixel and the block's size. The two rectangles must
  /// not overlap. Nothing outside the destination's pixels is written, nothing outside the source's is read.
  ///
  /// - Parameters:
  ///   - source: the first stored pixel; any alignment.
  ///   - sourceBytesPerRow: distance between stored rows, bytes.
  ///   - sourceSize: stored columns and rows; nothing happens when one is 0.
  ///   - destination: where the result's first pixel goes; any alignment.
  ///   - destinationBytesPerRow: distance between result rows, bytes.
  ///   - bytesPerPixel: 1, 2, 3, 4, 6, 8, 12 and 16 are fast, other sizes are right.
  ///   - workers: rows of the result are shared out; the pixels are the same for any count.
  /// - Complexity: O(width × height), at most 64 KiB of scratch a thread.
  public static func lay(
    _ orientation: Orientation, source: UnsafeRawPointer, sourceBytesPerRow: Int, sourceSize: PixelSize,
    destination: UnsafeMutableRawPointer, destinationBytesPerRow: Int, bytesPerPixel: Int, workers: Workers = .serial
  ) {
    guard sourceSize.width > 0, sourceSize.height > 0 else { return }
    precondition(bytesPerPixel > 0, "a pixel has at least one byte")
    let size = orientation.applied(to: sourceSize)
    let first = orientation.source(x: 0, y: 0, in: sourceSize)
    let columnStep = orientation.mirrorsColumns ? -bytesPerPixel : bytesPerPixel
    let rowStep = orientation.mirrorsRows ? -sourceBytesPerRow : sourceBytesPerRow
    let block = PixelBlock(
      source: source + (first.y * sourceBytesPerRow + first.x * bytesPerPixel),
      stepX: orientation.transposes ? rowStep : columnStep, stepY: orientation.transposes ? columnStep : rowStep,
      destination: destination, bytesPerRow: destinationBytesPerRow, size: size, bytesPerPixel: bytesPerPixel,
      streams: size.area * bytesPerPixel >= streamingBytes)
    let rows = orientation.transposes ? TransposeKernel.tileRows(bytesPerPixel) : rowsPerBand
    workers.forEachBand(of: size.height, rowsPerBand: rows) { band in
      if orientation.transposes {
        TransposeKernel.lay(block, rows: band)
      } else {
        RowKernel.lay(block, rows: band, mirrored: orientation.mirrorsColumns)
      }
      if block.streams { cv_stream_fence() }
    }
  }
}

/// One job of moving pixels: result pixel `(x, y)` comes from `source + x * stepX + y * stepY`.
///
/// Threads write different rows of the destination, so the pointers may be shared.
struct PixelBlock: @unchecked Sendable {
  /// The stored pixel that becomes the result's first.
  let source: UnsafeRawPointer
  /// Bytes from one stored pixel to the next as the result's x, then y, grows by one; either may be negative.
  let stepX: Int
  let stepY: Int
  let destination: UnsafeMutableRawPointer
  let bytesPerRow: Int
  /// Size of the result.
  let size: PixelSize
  let bytesPerPixel: Int
  /// Whether stores should bypass the cache.
  let streams: Bool
}
