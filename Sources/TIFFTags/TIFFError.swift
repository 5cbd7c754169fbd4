/// Why a file's tags could not be read.
public enum TIFFError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no such file.
  case missing
  /// The system refused.
  case unreadable(String)
  /// The first bytes are not those of a TIFF file.
  case notTIFF
  /// The tags contradict each other or the file's size.
  case damaged(String)

  /// One line without the file's name.
  public var description: String {
    switch self {
    case .missing: "there is no such file"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notTIFF: "is not a TIFF file"
    case .damaged(let what): "has damaged tags: \(what)"
    }
  }
}
