import Glibc

/// Random access to the bytes of a file or of memory. Safe to use from several threads.
public final class ByteSource: Sendable {
  private let descriptor: Int32
  private let memory: [UInt8]
  /// How many bytes there are.
  public let byteCount: Int

  /// Bytes in memory.
  public init(_ bytes: [UInt8]) {
    descriptor = -1
    memory = bytes
    byteCount = bytes.count
  }

  /// Opens a regular file.
  public init(file path: FilePath) throws(TIFFError) {
    if path.bytes.contains(0) { throw .unreadable("the name holds a zero byte") }
    let opened = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR ? .missing : .unreadable(String(cString: strerror(code)))
    }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw .unreadable("it is not a regular file")
    }
    descriptor = opened
    memory = []
    byteCount = Int(status.st_size)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether `count` bytes at `offset` exist.
  public func contains(offset: Int, count: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= byteCount && count <= byteCount - offset
  }

  /// The bytes of a range; `nil` when the range is not all there.
  public func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard contains(offset: offset, count: count) else { return nil }
    if descriptor < 0 { return Array(memory[offset..<offset + count]) }
    var complete = false
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      complete = read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      filled = complete ? count : 0
    }
    return complete ? result : nil
  }

  /// Fills a buffer; false when the bytes are not all there.
  public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard contains(offset: offset, count: buffer.count) else { return false }
    guard buffer.count > 0, let base = buffer.baseAddress else { return true }
    if descriptor < 0 {
      memory.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + buffer.count]))
      }
      return true
    }
    var done = 0
    while done < buffer.count {
      let got = pread(descriptor, base + done, buffer.count - done, off_t(offset + done))
      if got < 0 && errno == EINTR { continue }
      if got <= 0 { return false }
      done += got
    }
    return true
  }
}
