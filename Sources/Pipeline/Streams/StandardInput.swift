import Glibc
import TIFFTags

/// Standard input as a file: readers need to seek, pipes cannot.
enum StandardInput {
  /// What messages and reports call it.
  static let shownName = "standard input"
  /// What outputs in a folder are named after.
  static let name = FilePath("stdin")
  private static let itself = FilePath("/proc/self/fd/\(STDIN_FILENO)")

  /// A path under which standard input can be read from its beginning, as often as needed, while the process lives: the
  /// redirected file itself, else a copy without a name in `folder`. Memory needed: one chunk.
  ///
  /// - Throws: usage (64) when it is a terminal, bad data (65) when it is empty, no input (66) when it cannot be read,
  ///   an I/O error (74) when the copy cannot be written.
  static func path(spoolingIn folder: FilePath) throws(JobFailure) -> FilePath {
    if isatty(STDIN_FILENO) == 1 {
      throw JobFailure(.usage, "standard input is a terminal; pipe a file into it, or redirect it: < FILE")
    }
    if try isSeekableFile() { return itself }
    let descriptor = try SpoolFile(in: folder).descriptor
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StreamIO.chunk, alignment: 64)
    defer { buffer.deallocate() }
    var isEmpty = true
    while true {
      let count = StreamIO.read(STDIN_FILENO, into: buffer)
      if count == 0 { break }
      guard count > 0 else { throw failure(.noInput) }
      isEmpty = false
      guard StreamIO.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor) else {
        throw failure(.ioError, "cannot be kept in \(folder.string)")
      }
    }
    if isEmpty { throw empty }
    return FilePath("/proc/self/fd/\(descriptor)")
  }

  /// A regular file that is still at its beginning and may be opened once more.
  private static func isSeekableFile() throws(JobFailure) -> Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { throw failure(.noInput) }
    guard status.st_mode & S_IFMT == S_IFREG, lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 else { return false }
    if status.st_size == 0 { throw empty }
    let again = itself.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard again >= 0 else { return false }
    close(again)
    return true
  }

  private static var empty: JobFailure {
    JobFailure(.badData, "standard input is empty; the command before it in the pipe wrote nothing")
  }

  private static func failure(_ status: ExitStatus, _ what: String = "cannot be read") -> JobFailure {
    JobFailure(status, "standard input \(what): \(String(cString: strerror(errno)))")
  }
}
