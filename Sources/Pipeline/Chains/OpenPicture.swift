import ImageCore
import PhotoFiles

/// A picture file whose header is written and whose rows are still to come.
struct OpenPicture: Sendable {
  /// What could not be carried over; `nil` when all was.
  let warning: String?
  // Rows are handed on by one thread at a time, with a barrier between two: what the writer asks for.
  nonisolated(unsafe) private let writer: PictureWriter

  init(_ writer: PictureWriter, warning: String?) {
    self.writer = writer
    self.warning = warning
  }

  /// Writes the next rows, from any thread but never from two at once.
  func write<Pixel>(_ rows: PixelRows<Pixel>) throws(PhotoFileError) {
    try writer.write(
      rows: rows.height, from: UnsafeRawPointer(rows.base), bytesPerRow: rows.stride * MemoryLayout<Pixel>.stride)
  }

  /// Completes the file, after the last row.
  func finish() throws(JobFailure) {
    do { try writer.finish() } catch { throw JobFailure(error) }
  }
}
