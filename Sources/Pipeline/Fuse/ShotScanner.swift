import ImageCore
public import RawFiles
public import TIFFTags

/// Finds the shots among input files: those listed by `NAME.shot.json` beside them, then those that names and times
/// show.
public struct ShotScanner: Sendable {
  /// How RAW files are described.
  public var raw: RawReadOptions
  /// What belongs together.
  public var grouping: ShotGrouping

  /// A scanner with the usual limits.
  public init(raw: RawReadOptions = RawReadOptions(), grouping: ShotGrouping = ShotGrouping()) {
    self.raw = raw
    self.grouping = grouping
  }

  /// A shot, and the input that stands for it.
  public struct Found: Sendable, Hashable {
    /// Its files.
    public var shot: Shot
    /// The input whose name the result gets.
    public var input: Input

    /// A shot that was named.
    public init(shot: Shot, input: Input) { (self.shot, self.input) = (shot, input) }
  }

  /// Shots, and the inputs that belong to none; both in input order. Frames of a shot lie in one folder.
  ///
  /// - Throws: usage (64) when a list of frames cannot be understood.
  public func split(_ inputs: [Input]) throws(JobFailure) -> (shots: [Found], single: [Input]) {
    var found = try listed(among: inputs)
    let listedFiles = Set(found.flatMap(\.shot.files))
    var folders: [[UInt8]: [(input: Input, candidate: ShotGrouping.Candidate)]] = [:]
    for input in inputs where !listedFiles.contains(input.path) {
      guard let candidate = candidate(input.path) else { continue }
      folders[input.path.folder.bytes, default: []].append((input, candidate))
    }
    for known in folders.values {
      for group in grouping.groups(among: known.map(\.candidate)) {
        let shot = Shot(
          detail: group.detail.map { known[$0].input.path }, base: group.base.map { known[$0].input.path })
        found.append(Found(shot: shot, input: known[group.detail ?? group.base[0]].input))
      }
    }
    let place = Dictionary(inputs.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    found.sort { place[$0.input]! < place[$1.input]! }
    let used = Set(found.flatMap(\.shot.files))
    return (found, inputs.filter { !used.contains($0.path) })
  }

  /// The frames that were named for one shot: the largest one is its detail frame, unless all are equal.
  ///
  /// - Throws: usage (64) when they do not make one shot, or what cannot be read.
  public func shot(of paths: [FilePath]) throws(JobFailure) -> Shot {
    var candidates: [ShotGrouping.Candidate] = []
    for path in paths {
      do { candidates.append(try described(path)) } catch {
        let failure = JobFailure(reading: error)
        throw JobFailure(failure.status, "\(path.string): \(failure.message)")
      }
    }
    guard let group = grouping.shot(Array(paths.indices), candidates) else {
      let sizes = zip(paths, candidates).map { "\($0.string) \($1.size)" }.joined(separator: ", ")
      throw JobFailure(
        .badData,
        "these are no frames of one shot (\(sizes)): one full-resolution frame and frames of half its sides are needed, or full-resolution quad frames; name the frames with --detail and --base"
      )
    }
    return Shot(detail: group.detail.map { paths[$0] }, base: group.base.map { paths[$0] })
  }

  private func listed(among inputs: [Input]) throws(JobFailure) -> [Found] {
    let byPath = Dictionary(inputs.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var folders: [FilePath] = []
    for input in inputs where !folders.contains(input.path.folder) { folders.append(input.path.folder) }
    var found: [Found] = []
    for folder in folders {
      let files = try InputScanner().inputs(of: [folder]).map(\.path)
      for list in files where ShotManifest.isNamedSo(list) {
        let shot = try ShotManifest(list).shot(in: folder)
        guard let input = byPath[shot.representative] else { continue }
        found.append(Found(shot: shot, input: input))
      }
    }
    return found
  }

  private func candidate(_ path: FilePath) -> ShotGrouping.Candidate? { try? described(path) }

  private func described(_ path: FilePath) throws(RawReadError) -> ShotGrouping.Candidate {
    let description = try RawReader(options: raw).describe(path)
    return ShotGrouping.Candidate(
      facts: description.facts, size: description.activeArea.size,
      clusterSide: description.cfa.flatMap { $0.clusters?.side }, stem: String(decoding: path.stem, as: UTF8.self))
  }
}
