import Glibc
import TIFFTags

/// What happens in a folder, by inotify(7).
final class FolderEvents: @unchecked Sendable {
  /// What was heard.
  struct News {
    /// Files that were closed after writing, or moved here: complete.
    var complete: [[UInt8]] = []
    /// Names that appeared: a file that is being written, or a link.
    var appeared: [[UInt8]] = []
    /// Names were lost, so that the folder must be read again.
    var isIncomplete = false
    /// The folder itself was removed, moved or unmounted.
    var isGone = false
  }

  private let descriptor: Int32
  private let wakeReader: Int32
  private let wakeWriter: Int32
  private static let bufferSize = 64 << 10

  /// - Throws: no input (66) when the folder cannot be watched.
  init(_ folder: FilePath) throws(JobFailure) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (wakeReader, wakeWriter) = (ends[0], ends[1])
    let wanted = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    guard descriptor >= 0, wakeReader >= 0,
      folder.withCString({ inotify_add_watch(descriptor, $0, UInt32(wanted)) }) >= 0
    else {
      throw JobFailure(.noInput, "\(folder.string) cannot be watched: \(String(cString: strerror(errno)))")
    }
  }

  deinit { for one in [descriptor, wakeReader, wakeWriter] where one >= 0 { close(one) } }

  /// Makes a wait end at once; safe from any thread.
  func wake() {
    var byte: UInt8 = 1
    _ = write(wakeWriter, &byte, 1)
  }

  /// Waits for news, or for so many seconds.
  func wait(seconds: Double) -> News {
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(min(60_000, max(0, (seconds * 1000).rounded(.up))))
    _ = poll(&polled, 2, milliseconds)
    var drain = [UInt8](repeating: 0, count: 64)
    while read(wakeReader, &drain, drain.count) > 0 {}
    var news = News()
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.bufferSize, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer, Self.bufferSize)
      if count <= 0 { return news }
      Self.parse(UnsafeRawBufferPointer(start: buffer, count: count), into: &news)
    }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, into news: inout News) {
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= bytes.count {
      let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      let name = Array(bytes[(offset + header)..<min(bytes.count, offset + header + length)].prefix { $0 != 0 })
      offset += header + length
      func has(_ flag: Int32) -> Bool { mask & UInt32(bitPattern: flag) != 0 }
      if has(IN_Q_OVERFLOW) { news.isIncomplete = true }
      if has(IN_DELETE_SELF) || has(IN_MOVE_SELF) || has(IN_UNMOUNT) || has(IN_IGNORED) { news.isGone = true }
      guard let first = name.first, first != UInt8(ascii: "."), mask & UInt32(IN_ISDIR) == 0 else { continue }
      if has(IN_CLOSE_WRITE) || has(IN_MOVED_TO) {
        news.complete.append(name)
      } else if has(IN_CREATE) {
        news.appeared.append(name)
      }
    }
  }
}
