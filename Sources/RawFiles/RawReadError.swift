import TIFFTags

/// Why a capture could not be read. The description is one line that names the finding and, where there is one, the
/// remedy; it leaves the file's name to the caller.
public enum RawReadError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no such file.
  case missing
  /// The system refused.
  case unreadable(String)
  /// The content is something else.
  case notRaw(found: FileKind)
  /// The file ends before its data does. Bytes.
  case truncated(found: Int, expected: Int)
  /// Tags or data contradict themselves.
  case damaged(String)
  /// The pixels all have one value.
  case constantPlane(value: Int)
  /// A codec or layout that is not built in.
  case unsupportedCodec(String)
  /// The library of a codec is not installed; why it could not be loaded.
  case codecMissing(String, detail: String)
  /// More pixels than the limit.
  case tooLarge(width: Int, height: Int, limit: Int)
  /// The layout given for a headerless file does not fit it.
  case headerless(String)

  /// What kind of failure it is; decides the command's exit code.
  public enum Category: Sendable, Hashable {
    /// No file, or no permission.
    case missing
    /// The data are damaged or not of a kind that can be read.
    case badData
    /// The data may be fine, but the codec is not there.
    case codecUnavailable
    /// The options do not fit.
    case usage
  }

  /// What kind of failure it is.
  public var category: Category {
    switch self {
    case .missing, .unreadable: .missing
    case .notRaw, .truncated, .damaged, .constantPlane, .tooLarge: .badData
    case .unsupportedCodec, .codecMissing: .codecUnavailable
    case .headerless: .usage
    }
  }

  /// One line without the file's name.
  public var description: String {
    switch self {
    case .missing: "there is no such file"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notRaw(.unknown):
      "is not a RAW capture; if it is a headerless mosaic, give its size, colour filter array and bits"
    case .notRaw(let kind): "is not a RAW capture but \(kind)"
    case .truncated(let found, let expected):
      "is cut off: it has \(found) bytes, its tags need at least \(expected); copy it again from the card"
    case .damaged(let what): "is damaged: \(what); copy it again from the card"
    case .constantPlane(let value): "has no picture: every photosite holds \(value)"
    case .unsupportedCodec(let name): "needs a codec that is not built in: \(name)"
    case .codecMissing(let name, let detail): "needs a codec that is not available: \(name); install it (\(detail))"
    case .tooLarge(let width, let height, let limit):
      "declares \(width)x\(height) pixels; the limit is \(limit) pixels"
    case .headerless(let reason): "does not fit the headerless layout: \(reason)"
    }
  }

  init(_ error: TIFFError) {
    switch error {
    case .missing: self = .missing
    case .unreadable(let reason): self = .unreadable(reason)
    case .notTIFF: self = .damaged("it is not a TIFF file")
    case .damaged(let what): self = .damaged(what)
    case .truncated(let found, let expected): self = .truncated(found: found, expected: expected)
    }
  }
}
