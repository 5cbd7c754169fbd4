import Glibc
public import ImageCore

/// What each container's encoder does; rows come from top to bottom and are counted by the caller.
protocol RowEncoder: AnyObject {
  func write(rows count: Int, from rows: UnsafeRawPointer, bytesPerRow: Int) throws(PhotoFileError)
  func finish() throws(PhotoFileError)
}

/// Writes one picture, row by row, into an open file.
///
/// Not for use from several threads at once.
public final class PictureWriter {
  /// What is being written.
  public let spec: PictureSpec
  private let encoder: any RowEncoder
  private var rowsWritten = 0
  private var finished = false

  /// Writes the header.
  ///
  /// - Parameters:
  ///   - fileDescriptor: an empty regular file open for writing (for TIFF also for reading); it is not closed.
  ///   - spec: the picture.
  ///   - workers: for formats that are encoded whole (HEIF, JPEG XL); bytes do not depend on it.
  public init(fileDescriptor: Int32, spec: PictureSpec, workers: Workers = .serial) throws(PhotoFileError) {
    try spec.check()
    self.spec = spec
    guard lseek(fileDescriptor, 0, SEEK_SET) == 0 else { throw .io(errno: errno) }
    switch spec.container {
    case .jpeg: encoder = try JPEGEncoder(fileDescriptor, spec)
    case .png: encoder = try PNGEncoder(fileDescriptor, spec)
    case .tiff: encoder = try TIFFEncoder(fileDescriptor, spec)
    case .exr: encoder = try EXREncoder(fileDescriptor, spec)
    case .heif: encoder = try HEIFEncoder(fileDescriptor, spec, workers)
    case .jxl: encoder = try JXLEncoder(fileDescriptor, spec, workers)
    }
  }

  /// Writes the next rows.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - rows: interleaved samples in native byte order.
  ///   - bytesPerRow: from the start of one row to the next.
  public func write(rows count: Int, from rows: UnsafeRawPointer, bytesPerRow: Int) throws(PhotoFileError) {
    guard count >= 0, rowsWritten + count <= spec.size.height, !finished else {
      throw .usage(found: "\(rowsWritten + count) rows written", expected: "\(spec.size.height)")
    }
    guard bytesPerRow >= spec.rowBytes else {
      throw .usage(found: "\(bytesPerRow) bytes per row", expected: "at least \(spec.rowBytes)")
    }
    try encoder.write(rows: count, from: rows, bytesPerRow: bytesPerRow)
    rowsWritten += count
  }

  /// Completes the file; call it once, after the last row.
  public func finish() throws(PhotoFileError) {
    guard rowsWritten == spec.size.height, !finished else {
      throw .usage(found: "\(rowsWritten) rows written", expected: "\(spec.size.height)")
    }
    finished = true
    try encoder.finish()
  }
}
