import Glibc

/// Calls `body` with the path as a C string.
func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
}

/// The text of a C character array that was imported as a tuple.
func textOf<Tuple>(_ characters: Tuple) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// A file open for reading; closes itself.
final class InputFile {
  let descriptor: Int32
  let byteCount: Int

  init(path: [UInt8]) throws(PhotoFileError) {
    descriptor = withPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR ? .notFound : .io(errno: code)
    }
    var info = stat()
    byteCount = fstat(descriptor, &info) == 0 ? Int(info.st_size) : 0
  }

  deinit { close(descriptor) }

  /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
  func read(_ count: Int, at offset: Int, into target: UnsafeMutableRawPointer) throws(PhotoFileError) -> Int {
    var done = 0
    while done < count {
      let got = pread(descriptor, target + done, count - done, off_t(offset + done))
      if got < 0 && errno == EINTR { continue }
      if got < 0 { throw .io(errno: errno) }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// The first bytes of the file, at most `count`.
  func firstBytes(_ count: Int) throws(PhotoFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: PhotoFileError?
    let got = bytes.withUnsafeMutableBytes { buffer in
      do throws(PhotoFileError) { return try read(count, at: 0, into: buffer.baseAddress!) } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return Array(bytes.prefix(got))
  }
}

/// Writes all bytes at `offset`.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws(PhotoFileError) {
  var done = 0
  while done < bytes.count {
    let put = bytes.withUnsafeBytes {
      pwrite(descriptor, $0.baseAddress! + done, bytes.count - done, off_t(offset + done))
    }
    if put < 0 && errno == EINTR { continue }
    if put <= 0 { throw .io(errno: put < 0 ? errno : ENOSPC) }
    done += put
  }
}
