import Pipeline

struct TransformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "transform", abstract: "Mirror, turn and crop pictures or DNG mosaics, without interpolation.",
    discussion: "JPEG is decoded and encoded anew. A mosaic's colour filter array is re-phased.",
    examples: [
      ("duo-process transform selfie.jpg -o upright.jpg --rotation apply", "bake the orientation tag"),
      ("duo-process transform a.tif -o b.tif --rotation 90", "a quarter turn clockwise"),
      ("duo-process transform a.tif -o b.tif --aspect-ratio 16:9 --gravity north", "the largest exact 16:9 crop"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var geometry: GeometryOptions
  @OptionGroup var dng: DNGOptions
  @OptionGroup var options: RunOptions

  func validate() throws(UsageError) { try options.check() }

  func run() -> Int32 {
    do throws(JobFailure) {
      let settings = try output.settings(fallback: nil)
      try dng.check(settings)
      let chain = TransformChain(
        geometry: geometry.choice, output: settings, software: DuoProcess.software, rawCompression: dng.chosen)
      let inputs = try input.collect()
      let jobs = try plan(inputs, settings)
      let reporter = RunReporter(
        command: "transform", options: options, total: jobs.count,
        toStandardOutput: output.destination == .standardOutput)
      let batch = Batch(
        jobs: options.threadCount, maxMemory: options.memoryLimit, existing: options.existing,
        isRehearsal: options.dryRun,
        digests: options.json, chainName: "transform")
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

  /// Into a folder, files keep their own names unless another format is asked for.
  private func plan(_ inputs: [Input], _ settings: OutputSettings?) throws(JobFailure) -> [PlannedJob] {
    let template = output.name ?? (settings == nil ? "{name}" : OutputPlan.defaultTemplate)
    return try OutputPlan(
      destination: output.destination, template: template, operation: "transform",
      fileExtension: settings?.format.fileExtension ?? ""
    ).jobs(for: inputs)
  }
}
