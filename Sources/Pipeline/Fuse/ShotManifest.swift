import FoundationEssentials
import Glibc
public import TIFFTags

/// A sidecar `NAME.shot.json` that lists the frames of one shot by name, in its own folder:
/// `{ "detail": "a.dng", "base": ["b.dng", "c.dng"], "reference": "b.dng" }`, or `{ "frames": ["a.dng", "b.dng"] }` when
/// all frames have full resolution and the sharpest is to be found.
public struct ShotManifest: Sendable, Hashable {
  /// The full-resolution frame.
  public var detail: String?
  /// The others; all frames when there is no ``detail``.
  public var base: [String]
  /// One of ``base``.
  public var reference: String?

  /// How names of such files end.
  public static let ending = ".shot.json"
  /// Files larger than this are none of ours, bytes.
  private static let largest = 1 << 20

  /// - Parameters: names of files.
  public init(detail: String?, base: [String], reference: String? = nil) {
    (self.detail, self.base, self.reference) = (detail, base, reference)
  }

  /// Whether a file is named as a list of frames.
  public static func isNamedSo(_ path: FilePath) -> Bool {
    path.name.count > ending.utf8.count && path.name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }

  /// Reads a list.
  ///
  /// - Throws: no input (66) when it cannot be read, usage (64) when it is no such list.
  public init(_ path: FilePath) throws(JobFailure) {
    guard let bytes = path.contents(atMost: Self.largest) else {
      throw JobFailure(.noInput, "\(path.string) cannot be read")
    }
    guard bytes.count < Self.largest, let json = JSONValue(parsing: bytes) else {
      throw JobFailure(.usage, "\(path.string) is no JSON: a list of a shot's frames is expected")
    }
    var members = try JSONMembers(json, at: path.string)
    let list = "a list of file names"
    detail = try members.take("detail", "a file name") { $0.word }
    let base = try members.take("base", list, Self.names)
    let frames = try members.take("frames", list, Self.names)
    reference = try members.take("reference", "one of base") { $0.word }
    try members.finish()
    switch (detail, base, frames) {
    case (.some, .some(let names), nil), (nil, nil, .some(let names)): self.base = names
    default: throw JobFailure(.usage, "\(path.string) needs “detail” and “base”, or “frames” alone")
    }
    if let reference, !self.base.contains(reference) {
      throw JobFailure(.usage, "\(path.string): reference “\(reference)” is none of its frames")
    }
  }

  private static func names(_ value: JSONValue) -> [String]? {
    guard let names = value.values?.map(\.word), !names.isEmpty, !names.contains(nil) else { return nil }
    return names.compactMap { $0 }
  }

  /// The shot, its files in `folder`.
  public func shot(in folder: FilePath) -> Shot {
    func path(_ name: String) -> FilePath {
      // Inputs without a folder are named without one too.
      name.hasPrefix("/") || folder.bytes == Array(".".utf8) ? FilePath(name) : folder.appending(Array(name.utf8))
    }
    return Shot(detail: detail.map(path), base: base.map(path), reference: reference.map(path))
  }

  /// Writes the list into an open file.
  ///
  /// - Throws: an I/O error (74).
  public func write(to descriptor: Int32) throws(JobFailure) {
    var members: [String: JSONValue] = [:]
    members["detail"] = detail.map(JSONValue.string)
    members[detail == nil ? "frames" : "base"] = .array(base.map(JSONValue.string))
    members["reference"] = reference.map(JSONValue.string)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(JSONValue.object(members)) else {
      throw JobFailure(.ioError, "the list of frames cannot be written")
    }
    let bytes = Array(data) + Array("\n".utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw JobFailure(.ioError, String(cString: strerror(errno))) }
      done += count
    }
  }
}
