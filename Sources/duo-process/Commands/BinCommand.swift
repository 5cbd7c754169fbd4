import ImageCore
import Pipeline

extension BinMode: ExpressibleByArgument {}

struct BinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "bin", abstract: "Quad, nona or hexadeca captures → Bayer DNGs of one pixel a cluster (12MP from 48MP).",
    discussion:
      "Exact integers. A cluster with a clipped photosite is clipped; levels, noise and crops are rescaled.",
    examples: [
      ("duo-process bin quad48.dng -o bayer12.dng", "means of 2x2 photosites of one colour"),
      ("duo-process bin quad48.dng -o bayer12.dng --bin-mode sum", "sums: nothing is rounded, levels grow fourfold"),
      ("duo-process bin phone.dng -o b.dng --cfa quad-rggb+2,3", "when the file's tags are wrong"),
      ("duo-process bin shoot/ -o binned/", "a folder"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @Option(help: "What becomes of a cluster's counts: their mean, rounded half up, or their sum.")
  var binMode: BinMode = .mean
  @OptionGroup var sensor: SensorOptions
  @OptionGroup var options: RunOptions

  func validate() throws(UsageError) {
    try options.check()
    try sensor.check()
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      guard let settings = try output.settings(fallback: .dng), settings.format == .dng else {
        throw JobFailure(.usage, "bin writes DNG; develop --size 12MP makes pictures")
      }
      let chain = BinChain(
        raw: sensor.rawOptions, mode: binMode, strip: output.strip, software: DuoProcess.software)
      let inputs = RawSelection.split(try input.collect()).raw
      let jobs = try OutputPlan(
        destination: output.destination, template: output.name ?? OutputPlan.defaultTemplate, operation: "bin",
        fileExtension: settings.format.fileExtension
      ).jobs(for: inputs)
      let reporter = RunReporter(
        command: "bin", options: options, total: jobs.count, toStandardOutput: output.destination == .standardOutput)
      let batch = Batch(
        jobs: options.threadCount, maxMemory: options.memoryLimit, existing: options.existing,
        isRehearsal: options.dryRun, digests: options.json, chainName: "bin",
        expectedMemory: { chain.expectedMemory(of: $0) })
      let status = batch.run(
        jobs,
        chain: { input, descriptor, resources in
          do throws(JobFailure) {
            return .success(try chain.run(input, into: descriptor, resources: resources))
          } catch {
            return .failure(error)
          }
        }, finished: { reporter.finished($0) })
      return status.rawValue
    } catch { return Self.fail(error) }
  }
}
