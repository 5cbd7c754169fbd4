import Glibc
import TIFFTags

/// What is remembered of a file, so that it can be told later whether it is still the same.
///
/// Two stamps mean the same file when size and time of modification agree; when only the times differ, the digests
/// decide, so that a file which was merely copied or touched counts as unchanged.
struct FileStamp: Codable, Sendable, Hashable {
  /// The last part of the path, with ``FilePath/journalText``.
  var name: String
  /// Bytes; `nil` when there is no such file.
  var size: Int?
  /// Time of modification: seconds since 1970 and nanoseconds.
  var modified: String?
  /// SHA-256 of the content in lower-case hexadecimal; `nil` when it was not taken.
  var sha256: String?

  /// The stamp of a file as it is now, without a digest.
  init(of path: FilePath) {
    var status = stat()
    let isThere = path.withCString { stat($0, &status) } == 0
    self.init(name: path, isThere ? status : nil)
  }

  /// The stamp of an open file, with a digest.
  init(of descriptor: Int32, named path: FilePath) {
    var status = stat()
    let isOpen = fstat(descriptor, &status) == 0
    self.init(name: path, isOpen ? status : nil)
    sha256 = FileDigest.sha256(of: descriptor)
  }

  private init(name path: FilePath, _ status: stat?) {
    name = FilePath(bytes: path.name).journalText
    size = status.map { Int($0.st_size) }
    modified = status.map { "\($0.st_mtim.tv_sec).\($0.st_mtim.tv_nsec)" }
  }

  /// The same stamp with the digest of the file's content, unless the file is no longer the stamped one.
  func withDigest(of path: FilePath) -> FileStamp {
    guard size != nil else { return self }
    let digest = FileDigest.sha256(of: path)
    guard FileStamp(of: path) == self else { return self }
    var stamp = self
    stamp.sha256 = digest
    return stamp
  }

  /// Whether the file at `path` is the stamped one. Reads it only when its time alone differs.
  func fits(_ path: FilePath) -> Bool {
    let now = FileStamp(of: path)
    guard name == now.name, size == now.size else { return false }
    if modified == now.modified { return true }
    guard let sha256 else { return false }
    return sha256 == FileDigest.sha256(of: path)
  }
}

extension FilePath {
  /// The path as text from which it can be made again: bytes that are no UTF-8, control characters and `%` are written
  /// as `%XX`.
  var journalText: String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return String(decoding: bytes.flatMap { $0 < 0x80 ? Self.escaped($0) : Self.percent($0) }, as: UTF8.self)
    }
    return String(decoding: text.utf8.flatMap(Self.escaped), as: UTF8.self)
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") ? percent(byte) : [byte]
  }

  private static func percent(_ byte: UInt8) -> [UInt8] {
    let digits = String(byte, radix: 16, uppercase: true)
    return Array(("%" + (digits.count < 2 ? "0" : "") + digits).utf8)
  }
}
