import ImageCore
import Pipeline
import RawFiles

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "info", abstract: "What a RAW file declares: sizes, mosaic, levels, orientation, capture facts.",
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
        do throws(RawReadError) {
          let description = try RawReader(options: RawReadOptions()).describe(input.path)
          show(description, of: input.shownName)
        } catch {
          let failure = JobFailure(reading: error)
          failures.append(failure.status)
          Terminal.print(error: "duo-process info: \(Terminal.oneLine(input.shownName)): \(failure.message)\n")
          if json { Terminal.print(RunReporter.line(Failure(path: input.shownName, failure)) + "\n") }
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
    let bits: Int
    let compression: String
    let orientation: Int
    let pixelAspect: Double
    let facts: CaptureFacts
    let notApplied: [String]

    init(_ path: String, _ description: RawDescription) {
      self.path = path
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

    var text: String {
      let rows: [(String, String?)] = [
        ("kind", kind), ("stored size", storedSize.description), ("active area", activeArea.description),
        ("default crop", defaultCrop.description), ("cfa", cfa ?? "none (linear)"),
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

  private func show(_ description: RawDescription, of path: String) {
    let line = Line(path, description)
    Terminal.print(json ? RunReporter.line(line) + "\n" : "\(line.path)\n\(line.text)")
  }
}
