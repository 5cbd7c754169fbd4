import CaptureModel
import Glibc
import ImageCore
import TIFFTags

/// A folder in which each arriving RAW file, or bracket of files, is a shot.
///
/// One thread follows the folder. Without deferred processing a second reads the next shot while a third develops the
/// last one; with it, several make proxies and others, less urgent ones with memory of their own, make finals.
public final class HotFolder: Sendable {
  let options: HotFolderOptions
  let places: HotFolderPlaces
  let journal: Journal
  let queue: ShotQueue
  let events: FolderEvents?
  let results: ShotResults
  let lowered: ShotSettings?
  private let locks: [FolderLock]
  private let hears: @Sendable (ReadinessReport) -> Void

  /// Takes the folders, and opens the journal.
  ///
  /// - Parameters:
  ///   - watches: whether files that arrive are taken; else only the journal's shots are finished.
  ///   - finished: called for each stage of each shot, never from two threads at once.
  ///   - readiness: called when the state changes, from the thread that runs the folder.
  /// - Throws: cannot create (73) when another process watches one of the folders, no input (66), usage (64), or as the
  ///   journal does.
  public init(
    _ options: HotFolderOptions, watches: Bool = true, finished: @escaping @Sendable (ShotReport) -> Void,
    readiness: @escaping @Sendable (ReadinessReport) -> Void = { _ in }
  ) throws(JobFailure) {
    self.options = options
    places = HotFolderPlaces(input: options.input, output: options.output)
    _ = try options.settings.chain(software: options.software)
    var locks: [FolderLock?] = []
    if watches { locks.append(try FolderLock.require(places.input, purpose: "watched")) }
    try places.output.makeFolder()
    guard !places.input.isSameFile(as: places.output) else {
      throw JobFailure(.usage, "\(places.input.string) cannot be watched into itself; give another folder: -o DIR")
    }
    locks.append(try FolderLock.require(places.output, purpose: "the output of a watch"))
    self.locks = locks.compactMap { $0 }
    journal = try Journal(writing: places.output)
    let events = watches ? try FolderEvents(places.input) : nil
    self.events = events
    lowered = options.prioritizesFastCapture && !options.isDeferred ? options.settings.lowered() : nil
    queue = ShotQueue(
      isDeferred: options.isDeferred, proxyLanes: options.jobs, idleAfter: HotFolderOptions.idleAfter,
      wake: { events?.wake() })
    results = ShotResults(finished)
    hears = readiness
    if watches { try journal.note("input", .blob(places.input.absolute.bytes)) }
  }

  /// Runs until it is stopped, idle for long enough, or until the folder is gone.
  ///
  /// - Returns: 130 or 143 after a signal, else 0, 1, 2 or the specific code of a single shot, as for a batch.
  /// - Throws: when the journal cannot be written any more, or the folder is gone.
  public func run() throws(JobFailure) -> ExitStatus {
    // The system tells of a broken lease by this signal; see FilePath.isBeingWritten.
    signal(SIGIO, SIG_IGN)
    try recover()
    let kind = try expectedKind()
    let lanes = ShotLanes(self, prepared: kind)
    queue.start()
    do throws(JobFailure) {
      var loop = try FolderLoop(self)
      try loop.run()
    } catch { queue.stop(error.status, because: error) }
    queue.close()
    lanes.join()
    tell()
    _ = places.proxies.withCString { rmdir($0) }  // only when it is empty
    if let failure = queue.failure { throw failure }
    return queue.stopped ?? results.status
  }

  /// Finishes what is being written and ends; safe from any thread.
  public func stop(_ status: ExitStatus) { queue.stop(status) }

  /// Says what changed since the last call.
  func tell() {
    for var report in queue.takeChanges() {
      report.processingTime = results.range(expected: options.settings)
      report.preparedBytes = results.preparedBytes
      hears(report)
    }
  }

  /// The kind of coming shots: the recipe's, else the last one's.
  private func expectedKind() throws(JobFailure) -> ProcessingTimes.Key? {
    let times = try journal.processingTimes()
    results.begin(with: times)
    let last = try journal.noted("lastSize").text.flatMap(PhotoSize.init(named:))
    guard let size = options.settings.recipe.photoSize ?? last else { return nil }
    let key = ProcessingTimes.Key(size: size, prioritization: options.settings.prioritization)
    results.expect(key)
    return key
  }
}

extension FilePath {
  /// The path from the root; the same when the system cannot tell.
  var absolute: FilePath {
    guard let resolved = withCString({ realpath($0, nil) }) else { return self }
    defer { free(resolved) }
    return FilePath(
      bytes: Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved))).map(UInt8.init(bitPattern:)))
  }

  /// Whether both names lead to one file or folder.
  func isSameFile(as other: FilePath) -> Bool {
    var (a, b) = (stat(), stat())
    guard withCString({ stat($0, &a) }) == 0, other.withCString({ stat($0, &b) }) == 0 else { return false }
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }
}
