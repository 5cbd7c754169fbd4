import ImageCore
import Pipeline
import RawFiles

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "info",
    abstract: "What a RAW file declares and what its pixels show: sizes, mosaic, levels, capture facts.",
    discussion: "The colour filter array is measured too; a warning is printed when it is not the declared one.",
    examples: [
      ("duo-process info IMG_0001.DNG", "for people"), ("duo-process info --json *.DNG", "one JSON object a line"),
    ])

  @OptionGroup var input: InputOptions
  @OptionGroup var common: CommonOptions
  @Flag(help: "Print one JSON object a line for each input.") var json: Bool

  func validate() throws(UsageError) { try common.check() }

  func run() -> Int32 {
    do throws(JobFailure) {
      let inputs = try input.collect(.raw, quiet: common.quiet)
      var failures: [ExitStatus] = []
      for input in inputs {
        do throws(JobFailure) {
          let survey = try CaptureReader().survey(
            input.path, resources: Resources(workers: Workers(count: common.threadCount)))
          let line = Line(input.shownName, survey)
          Terminal.print(json ? RunReporter.line(line) + "\n" : "\(line.path)\n\(line.text)")
          if let warning = survey.warning {
            Terminal.print(error: "duo-process info: \(Terminal.oneLine(input.shownName)): warning: \(warning)\n")
          }
        } catch {
          failures.append(error.status)
          Terminal.print(error: "duo-process info: \(Terminal.oneLine(input.shownName)): \(error.message)\n")
          if json { Terminal.print(RunReporter.line(Failure(path: input.shownName, error)) + "\n") }
        }
      }
      return ExitStatus.of(failures: failures, among: inputs.count).rawValue
    } catch { return Self.fail(error) }
  }

  /// What is printed of a file that cannot be described.
  private struct Failure: Encodable {
    let path: String
    let status = JobReport.Status.failed
    let code: Int32
    let message: String

    init(path: String, _ failure: JobFailure) {
      self.path = path
      code = failure.status.rawValue
      message = failure.message
    }
  }

  /// What is printed of one file, in this order.
  private struct Line: Encodable {
    let path: String
    let status = "described"
    let code: Int32 = 0
    let kind: String
    let storedSize: PixelSize
    let activeArea: PixelRect
    let defaultCrop: PixelRect
    let cfa: String?
    /// What the pixels show, and how far to trust it: 0...1.
    let measuredCFA: String?
    let cfaConfidence: Double?
    /// Counts, one a site of a cell of `blackPeriod` (linear pictures: one a plane too); row and column deltas apart.
    let black: [Float]?
    let blackPeriod: PixelSize?
    let white: [Float]?
    let bits: Int
    let compression: String
    let orientation: Int
    let pixelAspect: Double
    let facts: CaptureFacts
    let notApplied: [String]

    init(_ path: String, _ survey: CaptureSurvey) {
      let description = survey.description
      self.path = path
      measuredCFA = survey.cfa?.pattern?.description
      cfaConfidence = survey.cfa?.confidence
      black = survey.levels?.black.values
      blackPeriod = survey.levels.map { PixelSize(width: $0.black.width, height: $0.black.height) }
      white = survey.levels?.white
      kind = description.kind.description
      storedSize = description.storedSize
      activeArea = description.activeArea
      defaultCrop = description.defaultCrop
      cfa = description.cfa?.description
      bits = description.bits
      compression = description.compression
      orientation = Int(description.orientation.rawValue)
      pixelAspect = description.pixelAspect
      facts = description.facts
      notApplied = description.notApplied
    }

    private var measuredText: String? {
      guard let cfaConfidence else { return nil }
      guard let measuredCFA else { return "cannot be told" }
      return "\(measuredCFA) (confidence \(Int((cfaConfidence * 100).rounded())) %)"
    }

    /// One count, or the smallest and largest of several.
    private static func range(_ counts: [Float]) -> String {
      func text(_ count: Float) -> String { Int(exactly: count).map { "\($0)" } ?? "\(count)" }
      guard let least = counts.min(), let most = counts.max() else { return "" }
      return least == most ? text(least) : "\(text(least))…\(text(most))"
    }

    var text: String {
      let rows: [(String, String?)] = [
        ("kind", kind), ("stored size", storedSize.description), ("active area", activeArea.description),
        ("default crop", defaultCrop.description), ("cfa", cfa ?? "none (linear)"),
        ("measured cfa", measuredText), ("black", black.map(Self.range)), ("white", white.map(Self.range)),
        ("bits", bits == 0 ? nil : "\(bits)"),
        ("compression", compression), ("orientation", "\(orientation)"),
        ("pixel aspect", pixelAspect == 1 ? nil : "\(pixelAspect)"),
        ("camera", [facts.make, facts.model].compactMap { $0 }.joined(separator: " ")), ("lens", facts.lens),
        ("exposure time", facts.exposureTime.map { "\($0) s" }), ("aperture", facts.fNumber.map { "f/\($0)" }),
        ("iso", facts.iso.map { "\($0)" }), ("taken", facts.dateTime),
        ("not applied", notApplied.isEmpty ? nil : notApplied.joined(separator: "; ")),
      ]
      let width = 16
      return rows.compactMap { name, value in
        guard let value, !value.isEmpty else { return nil }
        return "  " + name + String(repeating: " ", count: width - name.count) + value + "\n"
      }.joined()
    }
  }
}
