import Pipeline
import TIFFTags

/// One chain over the inputs of a command line: plan, run, report.
struct ChainRun {
  let command: String
  let options: RunOptions
  let recipe: Recipe
  let plan: [PlannedJob]
  /// Of the output folder; `nil` for runs that keep none.
  var journal: RunJournal?

  /// Plans every output.
  ///
  /// - Parameter fileExtension: `nil` leaves files their own names unless a template is given.
  init(
    command: String, _ inputs: [Input], output: OutputOptions, options: RunOptions, recipe: Recipe,
    fileExtension: String?
  ) throws(JobFailure) {
    self.command = command
    self.options = options
    self.recipe = recipe
    let template = fileExtension == nil ? OutputPlan.sameName : OutputPlan.defaultTemplate
    plan = try OutputPlan(
      destination: output.destination, template: output.name ?? template, operation: command,
      fileExtension: fileExtension ?? ""
    ).jobs(for: inputs)
  }

  /// - Returns: the exit code.
  func run(_ chain: some FileChain) -> Int32 {
    let reporter = RunReporter(
      command: command, options: options, total: plan.count, toStandardOutput: plan.contains { $0.output == nil })
    var batch = Batch(
      jobs: options.threadCount, maxMemory: options.memoryLimit, existing: options.existing,
      isRehearsal: options.dryRun, digests: options.json, recipe: recipe)
    batch.journal = journal
    batch.spoolFolder = .spoolFolder
    return batch.run(plan, through: chain) { reporter.finished($0) }.rawValue
  }
}
