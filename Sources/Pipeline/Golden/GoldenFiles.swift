import FoundationEssentials
import Glibc
public import TIFFTags

/// Small files that golden suites keep, and their digests.
enum GoldenFiles {
  private static let largestJSON = 1 << 24

  /// The JSON of a file; `nil` when there is no such file.
  ///
  /// - Throws: bad data (65) when the file is there and no JSON.
  static func json(_ path: FilePath) throws(JobFailure) -> JSONValue? {
    guard path.exists else { return nil }
    guard let bytes = path.contents(atMost: largestJSON), bytes.count < largestJSON,
      let json = JSONValue(parsing: bytes)
    else { throw JobFailure(.badData, "\(path.string) is no JSON") }
    return json
  }

  /// Writes JSON for people: sorted keys, a line each.
  static func write(_ json: JSONValue, to path: FilePath) throws(JobFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(json) else {
      throw JobFailure(.ioError, "\(path.string): not to be written")
    }
    try write(Array(data) + [UInt8(ascii: "\n")], to: path)
  }

  /// Replaces a file, whole or not at all.
  static func write(_ bytes: [UInt8], to path: FilePath) throws(JobFailure) {
    let file = try AtomicFile(path, existing: .overwrite)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress! + done, bytes.count - done) }
      guard count > 0 else {
        throw JobFailure(.ioError, "\(path.string) cannot be written: \(String(cString: strerror(errno)))")
      }
      done += count
    }
    try file.commit()
  }

  /// Copies a file, whole or not at all.
  static func copy(_ source: FilePath, to target: FilePath) throws(JobFailure) {
    guard let bytes = source.contents else {
      throw JobFailure(.noInput, "\(source.string) cannot be read: \(String(cString: strerror(errno)))")
    }
    try write(bytes, to: target)
  }

  /// Removes a file if it is there.
  static func remove(_ path: FilePath) { path.withCString { _ = unlink($0) } }

  /// SHA-256 of a file in lower-case hexadecimal; `nil` when it cannot be read.
  static func digest(_ path: FilePath) -> String? {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return FileDigest.sha256(of: descriptor)
  }

  /// Whether two paths are one place.
  static func isSame(_ a: FilePath, _ b: FilePath) -> Bool {
    guard let first = a.resolved, let second = b.resolved else { return false }
    return first == second
  }
}

extension FilePath {
  /// All bytes of the file; `nil` when it cannot be read, with `errno` set.
  var contents: [UInt8]? {
    var info = stat()
    guard withCString({ stat($0, &info) }) == 0 else { return nil }
    return contents(atMost: max(1, Int(info.st_size)))
  }

  /// The path from the root, without links; `nil` when there is no such file.
  public var resolved: FilePath? {
    guard let path = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(path) }
    return FilePath(bytes: Array(UnsafeBufferPointer(start: path, count: strlen(path))).map { UInt8(bitPattern: $0) })
  }
}
