import Glibc
import Pipeline

/// What every command takes.
struct CommonOptions: ParsableArguments {
  @Option(value: "N", help: "Threads to use; all cores unless given.") var jobs: Int?
  @Flag(short: "q", help: "Print errors only.") var quiet: Bool
  @Flag(short: "v", help: "Print a line for each output.") var verbose: Bool
  @Option(help: "How to show progress on standard error.") var progress: ProgressStyle = .auto

  var threadCount: Int { max(1, jobs ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  func check() throws(UsageError) {
    if let jobs, jobs < 1 { throw UsageError("--jobs \(jobs) is not 1 or more") }
    if quiet && verbose { throw UsageError("--quiet and --verbose exclude each other") }
  }
}

/// What every command that writes an output for each input takes.
struct RunOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @Option(value: "SIZE", help: "Memory for files under way together (512M, 4G); half of the machine's unless given.")
  var maxMemory: ByteCount?
  @Flag(help: "Replace outputs that exist.") var overwrite: Bool
  @Flag(help: "Leave outputs that exist and count them as done.") var skipExisting: Bool
  @Flag(
    help:
      "Go on with a run that was stopped. batch: by its journal, so that what changed since is made again; other commands: the same as --skip-existing."
  )
  var resume: Bool
  @Flag(help: "Print the plan (input → output) and touch nothing.") var dryRun: Bool
  @Flag(help: "Print one JSON object a line for each input.") var json: Bool

  var existing: ExistingOutput { overwrite ? .overwrite : skipExisting || resume ? .skip : .refuse }
  var threadCount: Int { common.threadCount }
  var memoryLimit: Int { maxMemory?.bytes ?? Self.halfOfMemory }
  static var halfOfMemory: Int { Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE))) / 2 }

  func check() throws(UsageError) {
    try common.check()
    if overwrite && skipExisting {
      throw UsageError("--overwrite and --skip-existing exclude each other")
    }
  }
}
