import Glibc
public import ImageCore
import RawFiles
import Synchronization
public import TIFFTags

/// What became of one input.
public struct JobReport: Sendable, Codable {
  /// The fate of an input.
  public enum Status: String, Sendable, Codable {
    case written
    /// The output was there already.
    case skipped
    case failed
    /// Not written because the run is a rehearsal.
    case planned
  }

  /// The input's name, as shown in messages.
  public var path: String
  /// Whether an output was written, and if not, why not.
  public var status: Status
  /// The exit code this input alone would give: 0, or that of the failure.
  public var code: Int32
  /// The failure in one line; `nil` without one.
  public var message: String?
  /// The name of the chain that the input went through.
  public var chain: String
  /// The output's path; `nil` for standard output.
  public var output: String?
  /// SHA-256 of the written file in lower-case hexadecimal; `nil` when it was not asked for or nothing was written.
  public var outputSHA256: String?
  /// What the chain did; `nil` when it failed or did not run.
  public var result: ChainResult?
  /// Highest memory of the process so far, bytes.
  public var peakMemory: Int?

}

/// Runs one chain over many inputs: several files at once, results in input order.
public struct Batch: Sendable {
  /// Turns one input into the bytes of one output, written to an open seekable file.
  public typealias Chain =
    @Sendable (_ input: FilePath, _ descriptor: Int32, _ resources: Resources) -> Result<ChainResult, JobFailure>

  /// Threads used in all; files run side by side as long as there are several.
  public var jobs: Int
  /// Files are not started while those under way are expected to need more than this together, bytes.
  public var maxMemory: Int
  /// What happens when an output is there already.
  public var existing: ExistingOutput
  /// Whether the run stops short of any work: reports say what would be done.
  public var isRehearsal: Bool
  /// Whether reports carry the digest of each output (it costs a pass over the file).
  public var digests: Bool
  /// What reports call the chain.
  public var chainName: String
  /// Expected peak memory of one input, bytes; called before it is started.
  public var expectedMemory: @Sendable (FilePath) -> Int

  /// A runner; `jobs` below 1 counts as 1, `maxMemory` is in bytes.
  public init(
    jobs: Int, maxMemory: Int, existing: ExistingOutput, isRehearsal: Bool = false, digests: Bool = false,
    chainName: String,
    expectedMemory: @escaping @Sendable (FilePath) -> Int = { _ in 0 }
  ) {
    self.jobs = max(1, jobs)
    self.maxMemory = maxMemory
    self.existing = existing
    self.isRehearsal = isRehearsal
    self.digests = digests
    self.chainName = chainName
    self.expectedMemory = expectedMemory
  }

  /// - Parameters:
  ///   - plan: in the order in which `finished` is to hear of them.
  ///   - finished: called once for each input, in order, never from two threads at once.
  /// - Returns: the exit code: 0, 1 or 2 for several inputs, the specific one for a single input.
  public func run(
    _ plan: [PlannedJob], chain: @escaping Chain, finished: @escaping @Sendable (JobReport) -> Void
  ) -> ExitStatus {
    let lanes = min(jobs, max(1, plan.count))
    let pool = MemoryPool(retainLimit: maxMemory / 4)
    let resources = Resources(workers: Workers(count: max(1, jobs / lanes)), pool: pool)
    let inbox = OrderedDelivery(finished)
    let gate = MemoryGate(limit: maxMemory)
    Workers(count: lanes).forEach(tiles: plan.count) { index in
      inbox.put(one(plan[index], gate: gate, chain: chain, resources: resources), at: index)
    }
    return inbox.status
  }

  private func one(_ job: PlannedJob, gate: MemoryGate, chain: Chain, resources: Resources) -> JobReport {
    var report = JobReport(
      path: job.input.shownName, status: .failed, code: 0, message: nil, chain: chainName,
      output: job.output?.string,
      outputSHA256: nil, result: nil, peakMemory: nil)
    if let output = job.output, output.exists {
      if existing == .skip {
        report.status = .skipped
        return report
      }
      if existing == .refuse {
        return report.failed(JobFailure(.cannotCreate, "\(output.string) exists; use --overwrite or --skip-existing"))
      }
    }
    if isRehearsal {
      report.status = .planned
      return report
    }
    let expected = expectedMemory(job.input.path)
    gate.enter(expected)
    defer { gate.leave(expected) }
    do throws(JobFailure) {
      let file = try openOutput(job.output)
      report.result = try chain(job.input.path, file.descriptor, resources).get()
      if digests { report.outputSHA256 = FileDigest.sha256(of: file.descriptor) }
      try file.commit()
      report.status = .written
    } catch { report = report.failed(error) }
    report.peakMemory = Self.peakMemory()
    return report
  }

  private func openOutput(_ path: FilePath?) throws(JobFailure) -> any OutputFile {
    guard let path else { return try StandardOutputFile() }
    if existing != .overwrite && path.exists {
      throw JobFailure(.cannotCreate, "\(path.string) exists; use --overwrite or --skip-existing")
    }
    try path.folder.makeFolder()
    return try AtomicFile(path, existing: existing)
  }

  private static func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024  // Linux counts in KiB
  }
}

extension JobReport {
  func failed(_ failure: JobFailure) -> JobReport {
    var copy = self
    copy.status = .failed
    copy.code = failure.status.rawValue
    copy.message = failure.message
    copy.result = nil
    return copy
  }
}

/// Hands results on in input order, whatever order they come in.
private final class OrderedDelivery: Sendable {
  private struct State {
    var waiting: [Int: JobReport] = [:]
    var next = 0
    var failures: [ExitStatus] = []
  }

  private let state = Mutex(State())
  private let deliver: @Sendable (JobReport) -> Void

  init(_ deliver: @escaping @Sendable (JobReport) -> Void) { self.deliver = deliver }

  func put(_ report: JobReport, at index: Int) {
    state.withLock { state in
      state.waiting[index] = report
      while let ready = state.waiting.removeValue(forKey: state.next) {
        if ready.status == .failed { state.failures.append(ExitStatus(rawValue: ready.code) ?? .badData) }
        state.next += 1
        deliver(ready)
      }
    }
  }

  var status: ExitStatus {
    state.withLock { ExitStatus.of(failures: $0.failures, among: $0.next) }
  }
}

/// Lets files start while their expected memory fits; one file always may.
private final class MemoryGate: @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  private var changed = pthread_cond_t()
  private var used = 0
  private var inside = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&changed, nil)
  }

  deinit {
    pthread_cond_destroy(&changed)
    pthread_mutex_destroy(&mutex)
  }

  func enter(_ amount: Int) {
    pthread_mutex_lock(&mutex)
    while inside > 0 && used + amount > limit { pthread_cond_wait(&changed, &mutex) }
    used += amount
    inside += 1
    pthread_mutex_unlock(&mutex)
  }

  func leave(_ amount: Int) {
    pthread_mutex_lock(&mutex)
    used -= amount
    inside -= 1
    pthread_cond_broadcast(&changed)
    pthread_mutex_unlock(&mutex)
  }
}
