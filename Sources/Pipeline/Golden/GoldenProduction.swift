import TIFFTags

/// Makes the candidate of a case: runs its steps.
struct GoldenProduction {
  let suite: GoldenSuite
  let tool: GoldenTool
  /// From the root; candidates and what lies between steps are written here.
  let folder: FilePath
  /// For each step.
  var threads = 1

  /// A candidate that was made.
  struct Product {
    var file: FilePath
    var resolved: [JSONValue]
    /// What the program warned of, step by step.
    var warnings: [String]
  }

  /// Every file that the case reads, with its digest: inputs, their sidecars, files named by `--recipe`.
  ///
  /// - Throws: no input (66) with the name of what is missing.
  func sources(of item: GoldenCase) throws(JobFailure) -> [GoldenProvenance.Source] {
    var paths = item.inputs
    paths += item.inputs.map { "\($0).json" }.filter { suite.input($0).exists }
    for step in item.steps {
      for (option, value) in zip(step.options, step.options.dropFirst()) where option == "--recipe" {
        paths.append(value)
      }
    }
    var sources: [GoldenProvenance.Source] = []
    for path in paths {
      guard let digest = GoldenFiles.digest(suite.input(path)) else {
        throw JobFailure(.noInput, "the input \(path) is missing or cannot be read")
      }
      sources.append(GoldenProvenance.Source(path: path, sha256: digest))
    }
    return sources
  }

  /// Runs all steps.
  ///
  /// - Throws: what went wrong in which step; nothing is left then but what earlier runs left.
  func make(_ item: GoldenCase) throws(JobFailure) -> Product {
    var product = Product(file: folder.appending(Array(item.fileName.utf8)), resolved: [], warnings: [])
    var inputs = item.inputs
    var between: [FilePath] = []
    defer { for path in between { GoldenFiles.remove(path) } }
    let started = StageClock.now()
    for (index, step) in item.steps.enumerated() {
      let isLast = index == item.steps.count - 1
      let name = isLast ? item.fileName : ".\(item.name).step\(index + 1).\(step.fileExtension)"
      let output = folder.appending(Array(name.utf8))
      GoldenFiles.remove(output)
      if !isLast { between.append(output) }
      var recipe: FilePath?
      if let json = step.recipe {
        let path = folder.appending(Array(".\(item.name).recipe\(index + 1).json".utf8))
        try GoldenFiles.write(json, to: path)
        between.append(path)
        recipe = path
      }
      var words = step.words(inputs: inputs, recipe: recipe?.string, output: output.string, threads: threads)
      if step.chain == .synth && !step.options.contains("--no-truth") { words.insert("--no-truth", at: 1) }
      let left = item.timeout - (StageClock.now() - started)
      let outcome = tool.run(words, in: suite.folder, timeout: max(0, left))
      let place = item.steps.count == 1 ? step.chain.rawValue : "step \(index + 1) (\(step.chain.rawValue))"
      if let complaint = outcome.complaint { throw JobFailure(.badData, "\(place) \(complaint)") }
      guard output.exists else { throw JobFailure(.badData, "\(place) ended well and wrote nothing") }
      let report = Self.report(outcome.output)
      product.resolved.append(report?["recipe"] ?? .null)
      if case .object(let result)? = report?["result"], let warning = result["warning"]?.text {
        product.warnings.append(warning)
      }
      inputs = [output.string]
    }
    return product
  }

  /// The object of the last line of JSON Lines.
  private static func report(_ output: [UInt8]) -> [String: JSONValue]? {
    guard let line = output.split(separator: UInt8(ascii: "\n")).last,
      case .object(let report)? = JSONValue(parsing: Array(line))
    else { return nil }
    return report
  }
}
