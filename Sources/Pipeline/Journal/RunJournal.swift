import Glibc
import Synchronization
public import TIFFTags

/// What a batch has done so far, kept in its output folder, so that a run that was stopped at any moment can be continued
/// and inputs that changed since are noticed.
///
/// An output is entered when it is complete, before it gets its name. So an output that has its name is known, and one
/// that is known but has no name yet is made again.
public final class RunJournal: Sendable {
  /// What a run makes of what is there.
  public enum Mode: Sendable, Hashable {
    /// Enters what it does, and follows the rule for outputs that exist.
    case enter
    /// Leaves outputs that are as they should be and makes the others; never replaces what it does not know.
    case resume
    /// The same, and replaces outputs of other settings, edited and unknown ones.
    case resumeReplacing
  }

  /// What is to become of one output.
  enum Verdict: Equatable {
    /// Nothing is known; the rule for outputs that exist decides.
    case start
    /// It is as it should be.
    case done
    /// It has to be made once more over what is there, and why.
    case again(String)
    case refused(JobFailure)
  }

  private let folder: FilePath
  private let mode: Mode
  private let run: JournalRun
  /// `nil` in a rehearsal.
  private let file: JournalFile?
  private let known: Mutex<[String: [JournalOutput]]>
  /// By their digests.
  private let earlierRuns: [String: JournalRun]

  /// Opens the journal of a folder and holds it for the life of this value; a second process is refused.
  ///
  /// - Parameter isRehearsal: reads only, and makes nothing.
  /// - Throws: cannot create (73), bad data (65) when the journal is damaged, no input (66), an I/O error (74).
  public init(
    in folder: FilePath, mode: Mode, settings: RunSettings, isRehearsal: Bool = false
  ) throws(JobFailure) {
    self.folder = folder
    self.mode = mode
    run = JournalRun(digest: settings.digest, settings: settings.json)
    file = isRehearsal ? nil : try JournalFile(in: folder)
    let events: [JournalEvent]
    if let file { events = try file.events() } else { events = try JournalFile.events(in: folder) }
    var outputs: [String: [JournalOutput]] = [:]
    var runs: [String: JournalRun] = [:]
    var last: JournalRun?
    for event in events {
      switch event {
      case .run(let run):
        runs[run.digest] = run
        last = run
      case .output(let output): outputs[output.output, default: []].append(output)
      }
    }
    known = Mutex(outputs)
    earlierRuns = runs
    if last?.digest != run.digest { try file?.append(.run(run)) }
  }

  /// Refuses to go on when outputs that are there were made with other settings.
  ///
  /// - Throws: cannot create (73); the message names settings that differ.
  public func check(_ plan: [PlannedJob]) throws(JobFailure) {
    guard mode == .resume else { return }
    let others = plan.compactMap(\.output).filter(\.exists).compactMap { records(of: $0).last?.settings }
      .filter { $0 != run.digest }
    guard let first = others.first else { return }
    let difference = earlierRuns[first].map { RunSettings.difference($0.settings, run.settings) } ?? ""
    throw JobFailure(
      .cannotCreate,
      "\(folder.string) has \(others.count) output\(others.count == 1 ? "" : "s") of other settings\(difference); "
        + "--resume --overwrite makes them anew, another folder keeps them")
  }

  /// - Parameter sources: every file that the output depends on.
  func verdict(for output: FilePath, sources: [FilePath]) -> Verdict {
    guard mode != .enter else { return .start }
    let records = records(of: output)
    let isThere = output.exists
    guard let last = records.last else {
      if !isThere { return .start }
      return mode == .resumeReplacing
        ? .again("is not known to the journal")
        : .refused(
          JobFailure(
            .cannotCreate, "\(output.string) exists and is not known to the journal; --overwrite replaces it"))
    }
    guard isThere else { return .again("was not there") }
    guard last.result.fits(output) else {
      let isOlder = ([last.replaces] + records.map(\.result)).contains { $0?.fits(output) == true }
      if isOlder { return .again("was not finished") }
      return mode == .resumeReplacing
        ? .again("was changed since it was written")
        : .refused(
          JobFailure(.cannotCreate, "\(output.string) was changed since it was written; --overwrite replaces it"))
    }
    if last.settings != run.digest { return .again("was made with other settings") }
    if let reason = Self.change(from: last.sources, to: sources) { return .again(reason) }
    return .done
  }

  /// Enters an output that is complete but has no name yet.
  ///
  /// - Parameters:
  ///   - descriptor: of the complete file.
  ///   - sources: stamps from before the files were read.
  /// - Throws: an I/O error (74).
  func enter(
    _ output: FilePath, complete descriptor: Int32, sources: [(path: FilePath, stamp: FileStamp)]
  ) throws(JobFailure) {
    var record = JournalOutput(
      output: key(output), settings: run.digest, sources: sources.map { $0.stamp.withDigest(of: $0.path) },
      result: FileStamp(of: descriptor, named: output))
    if output.exists { record.replaces = FileStamp(of: output) }
    try file?.append(.output(record))
    known.withLock { $0[record.output, default: []].append(record) }
  }

  private func records(of output: FilePath) -> [JournalOutput] {
    let key = key(output)
    return known.withLock { $0[key] ?? [] }
  }

  /// The output below the folder, so that the folder can be moved.
  private func key(_ output: FilePath) -> String {
    let prefix = folder.appending([]).bytes
    let isInside = output.bytes.starts(with: prefix)
    return (isInside ? FilePath(bytes: Array(output.bytes.dropFirst(prefix.count))) : output).journalText
  }

  private static func change(from stamps: [FileStamp], to sources: [FilePath]) -> String? {
    guard stamps.count == sources.count else { return "belongs to other inputs than before" }
    for (stamp, path) in zip(stamps, sources) where !stamp.fits(path) {
      let now = FileStamp(of: path)
      if stamp.name != now.name { return "belongs to other inputs than before" }
      let shown = String(decoding: path.name, as: UTF8.self)
      if stamp.size == nil { return "came before \(shown) was there" }
      return now.size == nil ? "came from \(shown), which is gone" : "came from \(shown), which has changed since"
    }
    return nil
  }
}
