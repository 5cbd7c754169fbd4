import Glibc
import Synchronization
import TIFFTags

/// The file of a journal: grows line by line, each flushed to the disk before anything relies on it; held by one
/// process at a time.
final class JournalFile: Sendable {
  /// The name in the folder of outputs.
  static let name = ".duo-process.journal"
  private static let permissions: mode_t = 0o666

  let path: FilePath
  private let descriptor: Int32
  private let writing = Mutex(())

  /// Opens the journal of a folder, makes both if need be, and holds it until let go.
  ///
  /// - Throws: cannot create (73), also when another process holds it.
  init(in folder: FilePath) throws(JobFailure) {
    path = folder.appending(Array(Self.name.utf8))
    try folder.makeFolder()
    descriptor = path.withCString { open($0, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, Self.permissions) }
    guard descriptor >= 0 else { throw Self.failure(path, .cannotCreate, "cannot be created") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isHeld = errno == EWOULDBLOCK
      let failure = Self.failure(path, .cannotCreate, "cannot be locked")
      close(descriptor)
      throw isHeld
        ? JobFailure(
          .cannotCreate, "another batch writes into \(folder.string); wait for its end, or name another folder")
        : failure
    }
    let parent = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if parent >= 0 {
      fsync(parent)
      close(parent)
    }
  }

  deinit { close(descriptor) }

  /// All events so far. The end of a line that was cut off when a process was killed is cut off for good.
  ///
  /// - Throws: bad data (65) when another line is damaged; no input (66) when the file cannot be read.
  func events() throws(JobFailure) -> [JournalEvent] {
    guard let bytes = Self.contents(descriptor) else { throw Self.failure(path, .noInput, "cannot be read") }
    let (events, whole) = try Self.parse(bytes, of: path)
    if whole < bytes.count {
      guard ftruncate(descriptor, off_t(whole)) == 0, fsync(descriptor) == 0 else {
        throw Self.failure(path, .ioError, "cannot be written")
      }
    }
    return events
  }

  /// The events of a journal that nobody is going to write; none when there is no journal.
  static func events(in folder: FilePath) throws(JobFailure) -> [JournalEvent] {
    let path = folder.appending(Array(name.utf8))
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    guard let bytes = contents(descriptor) else { throw failure(path, .noInput, "cannot be read") }
    return try parse(bytes, of: path).events
  }

  /// Writes an event and waits until the disk has it.
  ///
  /// - Throws: an I/O error (74).
  func append(_ event: JournalEvent) throws(JobFailure) {
    let line = event.line
    let isWritten = writing.withLock { _ in
      line.withUnsafeBytes { StreamIO.writeAll($0, to: descriptor) } && fsync(descriptor) == 0
    }
    guard isWritten else { throw Self.failure(path, .ioError, "cannot be written") }
  }

  /// - Returns: the events, and how many bytes they take from the beginning.
  private static func parse(_ bytes: [UInt8], of path: FilePath) throws(JobFailure) -> (events: [JournalEvent], Int) {
    var events: [JournalEvent] = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      guard let event = JournalEvent(line: bytes[start..<end]) else {
        // A torn last line may have come to lie before a line break by chance of the file system.
        if end == bytes.count - 1 { return (events, start) }
        throw JobFailure(
          .badData,
          "\(path.string): line \(events.count + 1) is damaged; delete the journal and the outputs that are to be made anew"
        )
      }
      if case .run(let run) = event, run.format != JournalEvent.format {
        throw JobFailure(
          .badData,
          "\(path.string): line \(events.count + 1) has format \(run.format), expected \(JournalEvent.format)")
      }
      events.append(event)
      start = end + 1
    }
    return (events, start)
  }

  private static func contents(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(bytes.count)) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  private static func failure(_ path: FilePath, _ status: ExitStatus, _ what: String) -> JobFailure {
    JobFailure(status, "\(path.string) \(what): \(String(cString: strerror(errno)))")
  }
}
