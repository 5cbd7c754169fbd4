import Glibc
public import TIFFTags

/// A place that a result is written to and that counts only once it is committed.
public protocol OutputFile {
  /// Seekable and readable; writers write here and do not close it.
  var descriptor: Int32 { get }
  /// Makes the result visible, whole.
  func commit() throws(JobFailure)
}

extension AtomicFile: OutputFile {}

/// Standard output, filled from a nameless file at the end: pipes cannot seek, encoders must, and a consumer should
/// see a whole picture or none.
public final class StandardOutputFile: OutputFile {
  /// Of the nameless file.
  public let descriptor: Int32

  /// - Parameter folder: where the nameless file lies.
  /// - Throws: usage (64) when standard output is a terminal; cannot create (73).
  public init(spoolingIn folder: FilePath) throws(JobFailure) {
    if isatty(STDOUT_FILENO) == 1 {
      throw JobFailure(
        .usage, "standard output is a terminal, which shows no pictures; redirect it: > FILE, or | PROGRAM")
    }
    descriptor = try SpoolFile(in: folder).descriptor
  }

  deinit { close(descriptor) }

  /// Copies the result to standard output, as fast as the reader takes it. Memory needed: one chunk.
  ///
  /// - Throws: broken pipe (141) when the reader is gone, else an I/O error (74).
  public func commit() throws(JobFailure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StreamIO.chunk, alignment: 64)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count == 0 { return }
      if count < 0 && errno == EINTR { continue }
      guard count > 0, StreamIO.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: STDOUT_FILENO) else {
        let isGone = errno == EPIPE
        throw JobFailure(
          isGone ? .brokenPipe : .ioError,
          "standard output cannot be written: \(String(cString: strerror(errno)))")
      }
      offset += count
    }
  }
}
