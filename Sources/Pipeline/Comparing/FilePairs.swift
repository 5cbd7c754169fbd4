public import TIFFTags

/// Files of two folders that have the same name below them.
public struct FilePairs: Sendable {
  /// One name and where its file is on either side; `nil` where it is missing.
  public struct Pair: Sendable {
    /// The name below the folders.
    public let name: String
    /// In the first folder.
    public let left: FilePath?
    /// In the second one.
    public let right: FilePath?
  }

  /// In the order of names' bytes.
  public let pairs: [Pair]

  /// Looks through both folders and those below; files whose names begin with a dot are passed over.
  ///
  /// - Returns: `nil` when the two are not both folders.
  public init?(_ left: FilePath, _ right: FilePath) throws(JobFailure) {
    let sides = [try Self.files(left), try Self.files(right)]
    guard let a = sides[0], let b = sides[1] else { return nil }
    let names = Set(a.keys).union(b.keys).sorted { $0.lexicographicallyPrecedes($1) }
    pairs = names.map { Pair(name: String(decoding: $0, as: UTF8.self), left: a[$0], right: b[$0]) }
  }

  private static func files(_ folder: FilePath) throws(JobFailure) -> [[UInt8]: FilePath]? {
    let found = try InputScanner(isRecursive: true).inputs(of: [folder])
    // A file that is no folder comes back as itself.
    if found.count == 1 && !found[0].isFromFolder { return nil }
    return Dictionary(found.map { ($0.subfolder + [UInt8(ascii: "/")] + $0.path.name, $0.path) }) { first, _ in first
    }
  }
}
