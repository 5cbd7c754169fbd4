import Glibc
import Synchronization
public import TIFFTags

/// What to do when an output is there already.
public enum ExistingOutput: Sendable, Hashable {
  case refuse, overwrite, skip
}

/// An output that appears whole or not at all.
///
/// Data go to a file without a name in the destination's folder (or, where the file system has no such files, to a
/// temporary name); ``commit()`` flushes it to the disk and gives it its name in one step. Let go without a commit,
/// nothing remains, even after kill -9 where nameless files exist.
public final class AtomicFile {
  /// Seekable; writers write here and do not close it.
  public let descriptor: Int32
  private let destination: FilePath
  private let existing: ExistingOutput
  private var temporary: FilePath?

  /// `O_TMPFILE` of <fcntl.h>, which the module map of the C library does not export.
  private static let unnamed: Int32 = 0o20000000 | O_DIRECTORY
  private static let permissions: mode_t = 0o666

  /// Opens a file that has no name yet, beside the destination.
  ///
  /// - Throws: cannot create (73), or an I/O error (74) when the disk is full.
  public init(_ destination: FilePath, existing: ExistingOutput) throws(JobFailure) {
    self.destination = destination
    self.existing = existing
    let folder = destination.folder
    let nameless = folder.withCString { open($0, Self.unnamed | O_RDWR | O_CLOEXEC, Self.permissions) }
    if nameless >= 0 {
      descriptor = nameless
      temporary = nil
      return
    }
    guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
      throw Self.cannotCreate(destination)
    }
    let name = Self.temporaryName(for: destination)
    descriptor = name.withCString { open($0, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, Self.permissions) }
    guard descriptor >= 0 else { throw Self.cannotCreate(destination) }
    temporary = name
    TemporaryFiles.shared.add(name)
  }

  /// The same after making the destination's folder and those above it.
  public convenience init(makingFolderFor destination: FilePath, existing: ExistingOutput) throws(JobFailure) {
    try destination.folder.makeFolder()
    try self.init(destination, existing: existing)
  }

  deinit {
    close(descriptor)
    if let temporary {
      temporary.withCString { _ = unlink($0) }
      TemporaryFiles.shared.remove(temporary)
    }
  }

  /// Flushes and names the file.
  public func commit() throws(JobFailure) {
    guard fsync(descriptor) == 0 else { throw Self.writeFailed(destination) }
    let failure = TemporaryFiles.shared.whileLocked { nameFile() }
    if let failure { throw failure }
  }

  private func nameFile() -> JobFailure? {
    if let temporary {
      let result =
        existing == .overwrite
        ? temporary.withCString { old in destination.withCString { rename(old, $0) } }
        : temporary.withCString { old in destination.withCString { link(old, $0) } }
      return result == 0 ? nil : Self.cannotCreate(destination)
    }
    let open = "/proc/self/fd/\(descriptor)"
    let first = existing == .overwrite ? Self.temporaryName(for: destination) : destination
    guard first.withCString({ linkat(AT_FDCWD, open, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }) == 0 else {
      return Self.cannotCreate(destination)
    }
    guard existing == .overwrite else { return nil }
    guard first.withCString({ old in destination.withCString { rename(old, $0) } }) == 0 else {
      let failure = Self.cannotCreate(destination)
      first.withCString { _ = unlink($0) }
      return failure
    }
    return nil
  }

  /// Removes temporary names that processes which were killed left beside `outputs`.
  public static func removeLeftovers(beside outputs: [FilePath]) {
    let names = Set(outputs.map { $0.name.prefix(longestName) })
    for folder in Set(outputs.map(\.folder)) {
      guard let stream = folder.withCString({ opendir($0) }) else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        guard let (owner, process) = temporaryOwner(name), names.contains(owner[...]), kill(process, 0) != 0,
          errno == ESRCH
        else { continue }
        folder.appending(name).withCString { _ = unlink($0) }
      }
    }
  }

  /// The output and the process that a temporary name belongs to.
  private static func temporaryOwner(_ name: [UInt8]) -> (output: [UInt8], process: pid_t)? {
    guard name.first == UInt8(ascii: "."), name.suffix(5).elementsEqual(".part".utf8) else { return nil }
    let rest = name.dropFirst().dropLast(5)
    guard let dot = rest.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let numbers = String(decoding: rest[(dot + 1)...], as: UTF8.self).split(separator: "-")
    guard numbers.count == 2, let process = pid_t(numbers[0]), process > 0, UInt32(numbers[1]) != nil else {
      return nil
    }
    return (Array(rest[..<dot]), process)
  }

  /// Bytes of an output's name that its temporary name repeats: names have an end.
  private static let longestName = 200

  private static func temporaryName(for destination: FilePath) -> FilePath {
    let unique = ".\(getpid())-\(UInt32.random(in: 0...UInt32.max)).part"
    return destination.folder.appending(Array(".".utf8) + destination.name.prefix(longestName) + Array(unique.utf8))
  }

  private static func cannotCreate(_ path: FilePath) -> JobFailure {
    switch errno {
    case EEXIST: JobFailure(.cannotCreate, path.refusal)
    case ENOSPC, EDQUOT, EIO: writeFailed(path)
    default: JobFailure(.cannotCreate, "\(path.string) cannot be created: \(String(cString: strerror(errno)))")
    }
  }

  private static func writeFailed(_ path: FilePath) -> JobFailure {
    JobFailure(.ioError, "\(path.string) cannot be written: \(String(cString: strerror(errno)))")
  }
}

extension FilePath {
  /// What is said when an output is there already and may not be replaced.
  var refusal: String { "\(string) exists; use --overwrite or --skip-existing" }
}

/// The temporary names in use, so that a signal can remove them. The one process-wide value: a signal is process-wide.
public final class TemporaryFiles: Sendable {
  /// The names of this process.
  public static let shared = TemporaryFiles()
  private let names = Mutex<Set<FilePath>>([])
  private let handler = Mutex<(@Sendable (ExitStatus) -> Void)?>(nil)

  private init() {}

  func add(_ name: FilePath) { names.withLock { _ = $0.insert(name) } }
  func remove(_ name: FilePath) { names.withLock { _ = $0.remove(name) } }

  /// Ends the process at once, with nothing half-written.
  public func end(with status: ExitStatus) -> Never {
    names.withLock { names in
      for name in names { name.withCString { _ = unlink($0) } }
      _exit(status.rawValue)
    }
  }

  /// No signal ends the process inside `body`.
  func whileLocked<Result>(_ body: () -> Result) -> Result {
    names.withLock { (_: inout Set<FilePath>) -> sending Transfer<Result> in Transfer(value: body()) }.value
  }

  private struct Transfer<Value>: @unchecked Sendable { let value: Value }

  /// Lets a command that can stop in good order do so: the first signal calls `handler`, on a thread of its own, with the
  /// exit code to end with; the second ends the process at once.
  public func onFirstSignal(_ handler: (@Sendable (ExitStatus) -> Void)?) {
    self.handler.withLock { $0 = handler }
  }

  /// Waits for SIGINT or SIGTERM on a thread of its own; then removes what is half-written and ends the process with
  /// 130 or 143. Call first of all in `main`: the signals are blocked in every thread made afterwards.
  public static func endOnSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)  // writing past a size limit then fails with an error of its own
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        var waited = sigset_t()
        sigemptyset(&waited)
        sigaddset(&waited, SIGINT)
        sigaddset(&waited, SIGTERM)
        var number: Int32 = 0
        sigwait(&waited, &number)
        let taken = TemporaryFiles.shared.handler.withLock { handler in
          let found = handler
          handler = nil
          return found
        }
        if let taken {
          taken(number == SIGINT ? .interrupted : .terminated)
          sigwait(&waited, &number)
        }
        TemporaryFiles.shared.end(with: number == SIGINT ? .interrupted : .terminated)
      }, nil)
  }
}
