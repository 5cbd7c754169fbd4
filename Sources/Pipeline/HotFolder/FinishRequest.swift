import Glibc
public import TIFFTags

/// What `finish` needs to know of a hot folder's output, and how it asks a running watch for the finals.
public struct FinishRequest: Sendable {
  /// Where pictures and the journal are.
  public let output: FilePath
  private let journal: Journal
  /// Seconds between looks at what a running watch has done.
  private static let interval: UInt32 = 100_000

  /// - Throws: no input (66) when the folder has no journal.
  public init(output: FilePath) throws(JobFailure) {
    self.output = output
    journal = try Journal(reading: output)
  }

  /// The folder in which the files arrived.
  public func input() throws(JobFailure) -> FilePath {
    guard let path = try journal.noted("input").blob else {
      throw JobFailure(.badData, "the journal of \(output.string) names no watched folder; watch it once again")
    }
    return FilePath(bytes: path)
  }

  /// The settings of the last shot; those of others may differ.
  public func settings() throws(JobFailure) -> ShotSettings? {
    guard let key = try journal.database.run("SELECT max(settings) FROM shots")[0][0].integer else { return nil }
    return try journal.settings(key)
  }

  /// Whether a watch runs on the output, which then makes the finals.
  public func isWatched() throws(JobFailure) -> Bool {
    if case .busy = try FolderLock.take(output) { return true }
    return false
  }

  /// Asks the running watch for all finals and waits for them.
  ///
  /// - Returns: whether all are made; `false` when the watch ended before.
  /// - Throws: as the journal does.
  public func askAndWait() throws(JobFailure) -> Bool {
    try journal.note("finish", .integer(1))
    while try unfinished() > 0 {
      guard try isWatched() else { return false }
      usleep(Self.interval)
    }
    return true
  }

  /// The exit code by what became of all shots of the journal.
  public func status() throws(JobFailure) -> ExitStatus {
    let total = try journal.counts().values.reduce(0, +)
    return ExitStatus.of(failures: try journal.failures(), among: total)
  }

  private func unfinished() throws(JobFailure) -> Int {
    let counts = try journal.counts()
    return (counts[.waiting] ?? 0) + (counts[.proxied] ?? 0)
  }
}
