import Glibc
public import ImageCore

/// Why a picture could not be read or written.
public enum PhotoFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What a caller does about an error.
  public enum Category: Sendable, Hashable {
    /// There is no such file.
    case missing
    /// The file's contents are damaged or lie.
    case badData
    /// The file is sound but uses something that is not supported.
    case codecUnavailable
    /// The file could not be opened for writing.
    case cannotCreate
    /// The system refused to read or write, with this `errno`.
    case io(Int32)
    /// The caller asked for something that does not exist.
    case usage
  }

  /// The file does not exist.
  case notFound
  /// The file starts with none of the known signatures.
  case unknownContainer(firstBytes: [UInt8])
  /// The contents are damaged; `detail` is the decoder's word.
  case damaged(PictureContainer, detail: String)
  /// The file ends before its pixels do.
  case truncated(PictureContainer, rowsFound: Int, rowsExpected: Int)
  /// A size no picture has, or one that a file this short cannot hold.
  case implausibleSize(PictureContainer, found: PixelSize, limit: String)
  /// Something that the format allows and this program does not read.
  case unsupported(PictureContainer, found: String, expected: String)
  /// The library that reads and writes the format is not installed.
  case codecMissing(PictureContainer, detail: String)
  /// The encoder cannot be set up.
  case encoderFailed(PictureContainer, detail: String)
  /// A system call failed.
  case io(errno: Int32)
  /// A request that makes no sense.
  case usage(found: String, expected: String)

  /// What a caller does about it.
  public var category: Category {
    switch self {
    case .notFound: .missing
    case .unknownContainer, .damaged, .truncated, .implausibleSize: .badData
    case .unsupported, .codecMissing: .codecUnavailable
    case .encoderFailed: .cannotCreate
    case .io(let errno): .io(errno)
    case .usage: .usage
    }
  }

  /// One line, without the file's name.
  public var description: String {
    switch self {
    case .notFound: "no such file"
    case .unknownContainer(let bytes):
      "not a picture of a known format (it starts with \(bytes.prefix(4).map { String($0, radix: 16) }.joined(separator: " ")))"
    case .damaged(let container, let detail): "damaged \(container.rawValue.uppercased()): \(detail)"
    case .truncated(let container, let found, let expected):
      "truncated \(container.rawValue.uppercased()): \(found) of \(expected) rows are there"
    case .implausibleSize(let container, let size, let limit):
      "damaged \(container.rawValue.uppercased()): it claims \(size) pixels, the limit is \(limit)"
    case .unsupported(let container, let found, let expected):
      "unsupported \(container.rawValue.uppercased()): found \(found), expected \(expected)"
    case .codecMissing(let container, let detail):
      "the library for \(container.rawValue.uppercased()) is not available: \(detail); install it"
    case .encoderFailed(let container, let detail): "cannot write \(container.rawValue.uppercased()): \(detail)"
    case .io(let errno): String(cString: strerror(errno))
    case .usage(let found, let expected): "found \(found), expected \(expected)"
    }
  }
}
