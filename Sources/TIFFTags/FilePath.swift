/// The name of a file as the system knows it: bytes, which need not be UTF-8.
public struct FilePath: Sendable, Hashable {
  /// The bytes of the name, without a terminator.
  public let bytes: [UInt8]

  /// A path from the bytes the system gave.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A path from text.
  public init(_ string: String) {
    bytes = Array(string.utf8)
  }

  /// The path for people to read; bytes that are not UTF-8 are replaced.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls `body` with the path as the system's functions take it.
  public func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: terminated.count)
    defer { buffer.deallocate() }
    buffer.initialize(from: terminated, count: terminated.count)
    return try body(UnsafePointer(buffer))
  }
}
