import Glibc
import TIFFTags

/// Keeps a folder for this process: an advisory lock (flock) on the folder itself. The system lets go of it when the
/// process ends, however it ends, so there are no stale locks and no file is left.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// What became of the attempt.
  enum Outcome {
    case taken(FolderLock)
    /// Another process has it.
    case busy
    /// The file system has no such locks.
    case unsupported
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// - Throws: no input (66) when the folder cannot be opened.
  static func take(_ folder: FilePath) throws(JobFailure) -> Outcome {
    let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw JobFailure(.noInput, "\(folder.string) cannot be opened: \(String(cString: strerror(errno)))")
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return .taken(FolderLock(descriptor)) }
    let reason = errno
    close(descriptor)
    return reason == EWOULDBLOCK ? .busy : .unsupported
  }

  /// Takes the folder, or says who may have it. Where the file system has no locks (some network folders), nothing is
  /// held.
  ///
  /// - Throws: cannot create (73) when another process has it.
  static func require(_ folder: FilePath, purpose: String) throws(JobFailure) -> FolderLock? {
    switch try take(folder) {
    case .taken(let lock): return lock
    case .unsupported: return nil
    case .busy:
      throw JobFailure(
        .cannotCreate, "\(folder.string) is \(purpose) already; stop that watcher or give another folder")
    }
  }
}

extension FilePath {
  /// Writes the folder's own entries to the disk: a file's new name outlives power loss only then.
  func flushFolder() {
    let descriptor = withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
