public import HDRMerge
import ImageCore
import PhotoFiles
public import RawFiles
import TIFFTags

/// Finds the brackets among input files by what they record.
public struct BracketScanner: Sendable {
  /// How RAW files are described.
  public var raw: RawReadOptions
  /// What belongs together.
  public var grouping: BracketGrouping

  /// A scanner with the usual limits.
  public init(raw: RawReadOptions = RawReadOptions(), grouping: BracketGrouping = BracketGrouping()) {
    self.raw = raw
    self.grouping = grouping
  }

  /// Brackets, and the files that belong to none; both in input order. Frames of a bracket lie in one folder.
  public func split(_ inputs: [Input]) -> (brackets: [[Input]], single: [Input]) {
    var folders: [[UInt8]: [(input: Input, candidate: BracketGrouping.Candidate)]] = [:]
    for input in inputs {
      guard let candidate = candidate(input.path) else { continue }
      folders[input.path.folder.bytes, default: []].append((input, candidate))
    }
    var brackets: [[Input]] = []
    for known in folders.values {
      for group in grouping.brackets(among: known.map(\.candidate)) { brackets.append(group.map { known[$0].input }) }
    }
    let place = Dictionary(inputs.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    brackets.sort { place[$0[0]]! < place[$1[0]]! }
    let used = Set(brackets.flatMap { $0 })
    return (brackets, inputs.filter { !used.contains($0) })
  }

  func candidate(_ path: FilePath) -> BracketGrouping.Candidate? {
    if PictureFrame.isPicture(path) {
      guard let reader = try? PictureReader(path: path.bytes) else { return nil }
      return BracketGrouping.Candidate(
        facts: PictureFrame.facts(path, reader.size), size: reader.size, pattern: "picture")
    }
    guard let description = try? RawReader(options: raw).describe(path) else { return nil }
    return BracketGrouping.Candidate(
      facts: description.facts, size: description.activeArea.size, pattern: description.cfa?.description ?? "linear")
  }
}
