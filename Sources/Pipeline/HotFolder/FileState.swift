import Glibc
import TIFFTags

/// What tells a file from the one that had its name before.
struct FileState: Sendable, Hashable {
  /// Bytes.
  let size: Int
  /// Time of the last change, nanoseconds since 1970.
  let modified: Int

  init(size: Int, modified: Int) { (self.size, self.modified) = (size, modified) }

  /// `nil` when there is no regular file of this name.
  init?(of path: FilePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    size = Int(status.st_size)
    modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
  }

  /// Seconds since the last change, by the wall clock.
  var age: Double { Moment.wall() - Double(modified) * 1e-9 }
}

extension FilePath {
  /// `F_SETLEASE` of <fcntl.h>, which the module map of the C library does not export.
  private static let setLease: Int32 = 1024

  /// Whether some process of this machine has the file open for writing: a read lease is refused then (fcntl(2)).
  /// `false` also where there are no leases, as on network folders.
  var isBeingWritten: Bool {
    let descriptor = withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    if fcntl(descriptor, Self.setLease, Int32(F_RDLCK)) == 0 {
      _ = fcntl(descriptor, Self.setLease, Int32(F_UNLCK))
      return false
    }
    return errno == EAGAIN
  }
}

/// Waits for files that nobody said were complete: those that were there at the start, links, files of network folders.
struct Settling {
  private struct Candidate {
    var state: FileState
    /// When the state was first seen, on the monotonic clock.
    var since: Double
  }

  /// Seconds for which size and time of the last change must stay as they are.
  static let rest = 1.0
  /// Seconds between looks.
  static let interval = 0.25
  private var candidates: [[UInt8]: Candidate] = [:]

  /// Whether any file is waited for.
  var isEmpty: Bool { candidates.isEmpty }

  mutating func forget(_ name: [UInt8]) { candidates[name] = nil }

  /// Waits for a file, unless it has rested long enough already.
  ///
  /// - Returns: its state when it is complete now.
  mutating func consider(_ name: [UInt8], in folder: FilePath) -> FileState? {
    let path = folder.appending(name)
    guard candidates[name] == nil, let state = FileState(of: path) else { return nil }
    if state.age > Self.rest, !path.isBeingWritten { return state }
    candidates[name] = Candidate(state: state, since: Moment.now())
    return nil
  }

  /// Files that came to rest, by name.
  mutating func settled(in folder: FilePath) -> [(name: [UInt8], state: FileState)] {
    let now = Moment.now()
    var result: [(name: [UInt8], state: FileState)] = []
    for (name, candidate) in candidates {
      let path = folder.appending(name)
      guard let state = FileState(of: path) else {
        candidates[name] = nil
        continue
      }
      if state != candidate.state || path.isBeingWritten {
        candidates[name] = Candidate(state: state, since: now)
      } else if now - candidate.since >= Self.rest {
        candidates[name] = nil
        result.append((name, state))
      }
    }
    return result.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }
}
