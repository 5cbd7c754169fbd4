import Glibc
import Synchronization
public import TIFFTags

/// A Unix socket on which lines can be listened to: who connects hears the last line at once, then every new one.
public final class ReadinessSocket: Sendable {
  /// Who listens, and what was said last.
  private final class Audience: Sendable {
    private struct State {
      var clients: [Int32] = []
      var last: [UInt8] = []
    }
    private let state = Mutex(State())

    deinit { state.withLock { state in for client in state.clients { close(client) } } }

    func welcome(_ client: Int32) {
      state.withLock { state in
        if Self.say(state.last, to: client) { state.clients.append(client) } else { close(client) }
      }
    }

    func say(_ bytes: [UInt8]) {
      state.withLock { state in
        state.last = bytes
        state.clients = state.clients.filter { client in
          if Self.say(bytes, to: client) { return true }
          close(client)
          return false
        }
      }
    }

    /// False when the listener is gone or does not keep up.
    private static func say(_ bytes: [UInt8], to client: Int32) -> Bool {
      if bytes.isEmpty { return true }
      return bytes.withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == $0.count
      }
    }
  }

  private let listener: Int32
  private let path: FilePath
  private let audience: Audience
  private let doorkeeper: Lane
  private static let backlog: Int32 = 16

  /// Makes the socket. One that a dead process left is replaced.
  ///
  /// - Throws: cannot create (73) when the name is too long, taken by a living process or by another kind of file.
  public init(_ path: FilePath) throws(JobFailure) {
    let (listener, audience) = (try Self.listener(path), Audience())
    self.path = path
    self.listener = listener
    self.audience = audience
    doorkeeper = Lane {
      while true {
        let client = accept(listener, nil, nil)
        if client >= 0 { audience.welcome(client) } else if errno != EINTR && errno != ECONNABORTED { return }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))  // ends the wait for listeners
    doorkeeper.join()
    close(listener)
    path.withCString { _ = unlink($0) }
  }

  /// Says a line to all who listen. Who does not keep up is cut off.
  public func say(_ line: String) { audience.say(Array((line + "\n").utf8)) }

  private static func listener(_ path: FilePath) throws(JobFailure) -> Int32 {
    guard var address = address(path) else {
      throw JobFailure(.cannotCreate, "\(path.string) is too long for the name of a socket; give a shorter one")
    }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var bound = call(bind, listener, &address)
    if bound != 0 && errno == EADDRINUSE, isStale(path, &address) {
      path.withCString { _ = unlink($0) }
      bound = call(bind, listener, &address)
    }
    guard bound == 0, listen(listener, backlog) == 0 else {
      let reason = String(cString: strerror(errno))
      close(listener)
      throw JobFailure(.cannotCreate, "the socket \(path.string) cannot be made: \(reason)")
    }
    return listener
  }

  /// Nobody answers at a socket that a dead process left. Other kinds of file are never taken for one.
  private static func isStale(_ path: FilePath, _ address: inout sockaddr_un) -> Bool {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(probe) }
    return call(connect, probe, &address) != 0 && errno == ECONNREFUSED
  }

  private static func address(_ path: FilePath) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard path.bytes.count < place.count else { return false }
      place.copyBytes(from: path.bytes)
      return true
    }
    return fits ? address : nil
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
    _ address: inout sockaddr_un
  ) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
