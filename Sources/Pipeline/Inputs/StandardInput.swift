import Glibc
import TIFFTags

/// Standard input as a file: readers need to seek, pipes cannot.
enum StandardInput {
  private static let chunk = 1 << 20

  /// Copies standard input into a file without a name, which lives as long as the process.
  static func spooled() throws(JobFailure) -> FilePath {
    guard let file = tmpfile() else { throw failure(.cannotCreate) }
    let descriptor = fileno(file)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      let count = read(STDIN_FILENO, buffer.baseAddress, chunk)
      if count == 0 { break }
      guard count > 0 else { throw failure(.noInput) }
      var written = 0
      while written < count {
        let step = write(descriptor, buffer.baseAddress! + written, count - written)
        guard step > 0 else { throw failure(.ioError) }
        written += step
      }
    }
    return FilePath("/proc/self/fd/\(descriptor)")
  }

  private static func failure(_ status: ExitStatus) -> JobFailure {
    JobFailure(status, "standard input: \(String(cString: strerror(errno)))")
  }
}
