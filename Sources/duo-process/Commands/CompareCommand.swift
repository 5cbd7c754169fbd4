import ImageCore
import Pipeline
import TIFFTags

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "compare",
    abstract: "How two pictures or captures differ: sample, structure, colour and perceptual metrics.",
    discussion: """
      A and B are two files of one kind and size (pictures of any bit depth, or RAW mosaics with one filter array), or two
      folders whose files are compared by name. Exit code 0: within the given limits (without limits: identical);
      1: outside (different); 2: cannot be compared. Metrics and their sources: Documentation/metrics.md.
      """,
    examples: [
      ("duo-process compare old.tif new.tif", "all metrics as a table"),
      ("duo-process compare old.tif new.tif --max-de 2.3 --mean-de 0.77 --min-psnr 50", "a check for a script"),
      ("duo-process compare a.dng b.dng --metric psnr,max-abs --json", "two mosaics, filter colour by filter colour"),
      ("duo-process compare a.png b.png --heat-map diff.png --flicker flicker.png", "what an eye would see"),
      ("duo-process compare golden/ out/ --max-abs 1 --json | jq .status", "folders, one JSON object a line"),
    ])

  @Arguments(value: "FILE", help: "A and B: two files, or two folders; one may be - for standard input.")
  var inputs: [FilePath]
  @OptionGroup var limits: ThresholdOptions
  @Option(
    value: "LIST",
    help: "What is computed, parted by commas: what limits need, or all without limits.")
  var metric: MetricList?
  @Option(value: "FILE", help: "Write a PNG of where they differ: black nothing, white the most.") var heatMap:
    FilePath?
  @Option(value: "METRIC", help: "What the heat map shows.") var map: DifferenceMap = .flip
  @Option(value: "N", help: "The difference that is white in the heat map; 1 for flip, 10 for de, 0.1 for max-abs.")
  var mapTop: Double?
  @Option(value: "FILE", help: "Write a PNG with A at the left and B at the right.") var sideBySide: FilePath?
  @Option(value: "FILE", help: "Write an animated PNG that shows A and B in turn.") var flicker: FilePath?
  @Option(value: "MS", help: "Milliseconds for which the animation shows each.") var flickerTime: Int = 500
  @Option(value: "FILE", help: "Write an HTML page of the two: swipe, flicker, differences, histograms.") var report:
    FilePath?
  @Option(value: "CFA", help: "Colour filter array of both mosaics, whatever the files say: rggb, quad-rggb …")
  var cfa: CFAPattern?
  @Flag(help: "Replace pictures that exist.") var overwrite: Bool
  @Flag(help: "Print one JSON object a line for each pair.") var json: Bool
  @OptionGroup var common: CommonOptions

  private static let cannotCompare: Int32 = 2
  private static let longestFlicker = 60_000

  func validate() throws(UsageError) {
    try common.check()
    guard inputs.count == 2 else { throw UsageError("compare takes two files, not \(inputs.count)") }
    guard (1...Self.longestFlicker).contains(flickerTime) else {
      throw UsageError("--flicker-time \(flickerTime) is not 1...\(Self.longestFlicker)")
    }
    if let mapTop, mapTop <= 0 { throw UsageError("--map-top \(mapTop) is not above 0") }
    if inputs.allSatisfy(\.isStandardStream) { throw UsageError("standard input can be read once: give - once") }
    if inputs.contains(where: \.isStandardStream) && (sideBySide != nil || flicker != nil || report != nil) {
      throw UsageError("--side-by-side and --flicker need two files, not standard input")
    }
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      // Looking at standard input would use it up.
      if inputs.contains(where: \.isStandardStream) { return compare(inputs[0], inputs[1]) }
      guard let folders = try FilePairs(inputs[0], inputs[1]) else { return compare(inputs[0], inputs[1]) }
      guard heatMap == nil, sideBySide == nil, flicker == nil, report == nil else {
        throw JobFailure(
          .usage, "--heat-map, --side-by-side, --flicker and --report are for two files, not for folders")
      }
      guard !folders.pairs.isEmpty else { throw JobFailure(.noInput, "there are no files in the two folders") }
      // A pair that cannot be compared outweighs one that differs.
      return folders.pairs.map(compare).max() ?? 0
    } catch { return failed(error, nil) }
  }

  private func compare(_ pair: FilePairs.Pair) -> Int32 {
    guard let left = pair.left, let right = pair.right else {
      let folder = pair.left == nil ? inputs[0] : inputs[1]
      return failed(JobFailure(.noInput, "\(pair.name) is not in \(folder.string)"), pair.name)
    }
    return compare(left, right, name: pair.name)
  }

  private func compare(_ left: FilePath, _ right: FilePath, name: String? = nil) -> Int32 {
    let thresholds = limits.thresholds
    let asked = metric?.metrics ?? (thresholds.isEmpty ? Metric.all : [])
    let comparer = FileComparer(
      metrics: asked.union(thresholds.metrics), cfa: cfa,
      resources: Resources(workers: Workers(count: common.threadCount)))
    do throws(JobFailure) {
      let existing: ExistingOutput = overwrite ? .overwrite : .refuse
      var heat: HeatMapFile?
      if let heatMap { heat = try HeatMapFile(heatMap, top: mapTop ?? map.usualTop, existing: existing) }
      let writeMap: FileComparer.MapWriter? = heat.map { heat in { heat.write($0, $1, $2) } }
      let found = try comparer.compare(left, right, map: heat == nil ? nil : map, writeMap: writeMap)
      try heat?.finish()
      if let sideBySide {
        try PairPictures.sideBySide(left, right, to: sideBySide, existing: existing, resources: comparer.resources)
      }
      if let flicker {
        try PairPictures.flicker(
          left, right, to: flicker, milliseconds: flickerTime, existing: existing, resources: comparer.resources)
      }
      let verdict = ComparisonVerdict(found.comparison, within: thresholds)
      if let page = self.report {
        if page.exists && !overwrite { throw JobFailure(.cannotCreate, "\(page.string) exists; use --overwrite") }
        try ComparisonPage(left, right, found.comparison, verdict: verdict, tool: DuoProcess.software).write(to: page)
      }
      if json {
        Terminal.print(RunReporter.line(ComparisonLine(found, verdict, name)) + "\n")
      } else if !common.quiet {
        Terminal.print(
          (name.map { Terminal.oneLine($0) + "\n" } ?? "") + ComparisonTable(report: found, verdict: verdict).text)
      }
      return verdict.isWithin ? 0 : 1
    } catch { return failed(error, name) }
  }

  private func failed(_ failure: JobFailure, _ name: String?) -> Int32 {
    let place = name.map { Terminal.oneLine($0) + ": " } ?? ""
    Terminal.print(error: "duo-process compare: \(place)\(Terminal.oneLine(failure.message))\n")
    if json {
      Terminal.print(
        RunReporter.line(ComparisonFailureLine(name: name, message: failure.message)) + "\n")
    }
    return failure.status == .usage ? failure.status.rawValue : Self.cannotCompare
  }
}

/// What is printed of one pair.
private struct ComparisonLine: Encodable {
  let name: String?
  let status: String
  let code: Int32
  let left: ComparedFile
  let right: ComparedFile
  let comparison: Comparison
  let differences: [String]
  let verdict: ComparisonVerdict

  init(_ found: FileComparison, _ verdict: ComparisonVerdict, _ name: String?) {
    self.name = name
    status = found.comparison.isIdentical ? "identical" : verdict.isWithin ? "within" : "outside"
    code = verdict.isWithin ? 0 : 1
    (left, right, comparison) = (found.left, found.right, found.comparison)
    (differences, self.verdict) = (found.differences, verdict)
  }
}

/// What is printed of a pair that cannot be compared.
private struct ComparisonFailureLine: Encodable {
  let name: String?
  let status = "failed"
  let code: Int32 = 2
  let message: String
}

extension DifferenceMap {
  /// The difference that is drawn white unless told otherwise.
  fileprivate var usualTop: Double {
    switch self {
    case .flip: 1
    case .colour: 10
    case .samples: 0.1
    }
  }
}
