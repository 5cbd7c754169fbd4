import Glibc

/// Reading and writing of descriptors that may be pipes, sockets or terminals: transfers may be shorter than asked for,
/// may be broken off by a signal (`EINTR`), and, where another program made the stream non-blocking, may have to wait.
/// Both calls block until there is something to do, so that a slow neighbour in a pipeline holds this program up instead
/// of filling its memory.
public enum StreamIO {
  /// Bytes moved in one go.
  static let chunk = 1 << 20

  /// Reads what is there, at most `buffer.count` bytes; 0 at the end, negative with `errno` set after an error.
  public static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 || !mayRetry(descriptor, for: Int16(POLLIN)) { return count }
    }
  }

  /// Writes all bytes.
  ///
  /// - Returns: false with `errno` set when that did not work; `EPIPE` when the reader is gone.
  public static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count > 0 {
        done += count
      } else if count == 0 {
        errno = ENOSPC
        return false
      } else if !mayRetry(descriptor, for: Int16(POLLOUT)) {
        return false
      }
    }
    return true
  }

  /// After a failed call: whether it is worth another try, for which it waits if need be.
  private static func mayRetry(_ descriptor: Int32, for event: Int16) -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
    var wait = pollfd(fd: descriptor, events: event, revents: 0)
    while poll(&wait, 1, -1) < 0 { if errno != EINTR { return false } }
    return true
  }
}
