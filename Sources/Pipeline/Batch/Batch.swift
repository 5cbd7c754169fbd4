import Glibc
import ImageCore
public import TIFFTags

/// Runs one chain over many inputs: several files at once, results in input order.
public struct Batch: Sendable {
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
  /// Every setting of the run, for the reports.
  public var recipe: Recipe
  /// What was done before and is done now; `nil` when nobody keeps it.
  public var journal: RunJournal?
  /// Where a picture waits that goes to standard output.
  public var spoolFolder = SpoolFile.usualFolder

  /// A runner; `jobs` below 1 counts as 1, `maxMemory` is in bytes.
  public init(
    jobs: Int, maxMemory: Int, existing: ExistingOutput, isRehearsal: Bool = false, digests: Bool = false,
    recipe: Recipe = Recipe()
  ) {
    self.jobs = max(1, jobs)
    self.maxMemory = maxMemory
    self.existing = existing
    self.isRehearsal = isRehearsal
    self.digests = digests
    self.recipe = recipe
  }

  /// - Parameters:
  ///   - plan: in the order in which `finished` is to hear of them.
  ///   - finished: called once for each input, in order, never from two threads at once.
  /// - Returns: the exit code: 0, 1 or 2 for several inputs, the specific one for a single input.
  public func run(
    _ plan: [PlannedJob], through chain: some FileChain, finished: @escaping @Sendable (JobReport) -> Void
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

  private func one(_ job: PlannedJob, gate: MemoryGate, chain: some FileChain, resources: Resources) -> JobReport {
    var report = JobReport(
      path: job.input.shownName, status: .failed, code: 0, message: nil, chain: chain.name,
      output: job.output?.string, outputSHA256: nil, recipe: recipe, result: nil, peakMemory: nil)
    let sources = chain.sources(of: job.input.path)
    var existing = existing
    switch journal.flatMap({ journal in job.output.map { journal.verdict(for: $0, sources: sources) } }) ?? .start {
    case .start:
      if let ending = ending(report, for: job) { return ending }
    case .done:
      report.status = .skipped
      return report
    case .again(let reason):
      report.again = reason
      existing = .overwrite
    case .refused(let failure): return report.failed(failure)
    }
    if isRehearsal {
      report.status = .planned
      return report
    }
    let expected = chain.expectedMemory(of: job.input.path)
    gate.enter(expected)
    defer { gate.leave(expected) }
    do throws(JobFailure) {
      let stamps = journal == nil ? [] : sources.map { (path: $0, stamp: FileStamp(of: $0)) }
      let file = try openOutput(job.output, existing)
      let result = try chain.run(job.input.path, into: file.descriptor, resources: resources)
      report.result = result
      report.recipe.output.format = result.format ?? recipe.output.format
      report.recipe.output.bits = result.bits ?? recipe.output.bits
      if digests { report.outputSHA256 = FileDigest.sha256(of: file.descriptor) }
      if let journal, let output = job.output {
        try journal.enter(output, complete: file.descriptor, sources: stamps)
      }
      try file.commit()
      report.status = .written
    } catch { report = report.failed(error) }
    report.peakMemory = Self.peakMemory()
    return report
  }

  /// What is reported when an output is there already and is not to be replaced; `nil` when there is work to do.
  private func ending(_ report: JobReport, for job: PlannedJob) -> JobReport? {
    guard let output = job.output, output.exists else { return nil }
    switch existing {
    case .skip:
      var report = report
      report.status = .skipped
      return report
    case .refuse: return report.failed(JobFailure(.cannotCreate, output.refusal))
    case .overwrite: return nil
    }
  }

  private func openOutput(_ path: FilePath?, _ existing: ExistingOutput) throws(JobFailure) -> any OutputFile {
    guard let path else { return try StandardOutputFile(spoolingIn: spoolFolder) }
    try path.folder.makeFolder()
    return try AtomicFile(path, existing: existing)
  }

  static func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024  // Linux counts in KiB
  }
}
