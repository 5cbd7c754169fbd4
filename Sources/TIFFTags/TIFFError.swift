/// Why a file's tags could not be read.
public enum TIFFError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no such file.
  case missing
  /// The system refused.
  case unreadable(String)
  /// The first bytes are not those of a TIFF file.
  case notTIFF
  /// The tags contradict each other.
  case damaged(String)
  /// The file ends before its tags do. Bytes; `expected` is the least that was found to be needed.
  case truncated(found: Int, expected: Int)

  /// One line without the file's name.
  public var description: String {
    switch self {
    case .missing: "there is no such file"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notTIFF: "is not a TIFF file"
    case .damaged(let what): "has damaged tags: \(what)"
    case .truncated(let found, let expected): "is cut off: it has \(found) bytes, its tags need \(expected)"
    }
  }
}
