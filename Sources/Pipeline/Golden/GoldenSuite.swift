public import TIFFTags

/// Pictures that are watched together: the contents of a suite file.
public struct GoldenSuite: Sendable, Hashable {
  /// For reports: what the file says, else its name without its ending.
  public var name: String
  /// The folder of the suite's file: all relative paths start there.
  public var folder: FilePath
  /// Where the goldens are.
  public var goldens: FilePath
  /// In the order of the file.
  public var cases: [GoldenCase]

  /// The cases of these names, in the order of the suite; all when none are named.
  ///
  /// - Throws: usage (64) when there is no such case.
  public func cases(named names: [String]) throws(JobFailure) -> [GoldenCase] {
    if let unknown = names.first(where: { name in !cases.contains { $0.name == name } }) {
      throw JobFailure(.usage, "the suite \(name) has no case “\(unknown)”")
    }
    return names.isEmpty ? cases : cases.filter { names.contains($0.name) }
  }

  /// Where the golden picture of a case is.
  public func golden(of item: GoldenCase) -> FilePath { goldens.appending(Array(item.fileName.utf8)) }

  /// Where what is known about the golden of a case is.
  public func provenance(of item: GoldenCase) -> FilePath { goldens.appending(Array("\(item.name).json".utf8)) }

  /// Where an input of a case is.
  func input(_ path: String) -> FilePath {
    path.hasPrefix("/") ? FilePath(path) : folder.appending(Array(path.utf8))
  }
}
