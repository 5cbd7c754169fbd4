import Glibc
import TIFFTags

/// A place that a chain writes to and that counts only once it is committed.
protocol OutputFile {
  var descriptor: Int32 { get }
  func commit() throws(JobFailure)
}

extension AtomicFile: OutputFile {}

/// Standard output, filled from a nameless file at the end: pipes cannot seek, encoders must, and a consumer should
/// see a whole picture or none.
struct StandardOutputFile: OutputFile {
  let descriptor: Int32
  private static let chunk = 1 << 20

  init() throws(JobFailure) {
    guard let file = tmpfile() else {
      throw JobFailure(.cannotCreate, "no temporary file for standard output: \(String(cString: strerror(errno)))")
    }
    descriptor = dup(fileno(file))
    fclose(file)
  }

  func commit() throws(JobFailure) {
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 64)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(descriptor, buffer.baseAddress, Self.chunk, offset)
      if count == 0 { return }
      guard count > 0 else { throw JobFailure(.ioError, "standard output: \(String(cString: strerror(errno)))") }
      var written = 0
      while written < count {
        let step = write(STDOUT_FILENO, buffer.baseAddress! + written, count - written)
        guard step > 0 else { throw JobFailure(.ioError, "standard output: \(String(cString: strerror(errno)))") }
        written += step
      }
      offset += count
    }
  }
}
