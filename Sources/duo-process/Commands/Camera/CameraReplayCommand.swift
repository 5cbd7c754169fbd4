import CaptureModel
import Pipeline
import TIFFTags

struct CameraReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "camera replay", abstract: "A script of folds, flips, turns and shutter presses → a timeline.",
    discussion:
      "Simulated time: the same script always gives the same lines. Documentation/capture.md has every key of a script.",
    examples: [
      ("duo-process camera replay Fixtures/burst.json --options none", "a burst, nothing switched on"),
      ("duo-process camera replay Fixtures/burst.json --options all", "the same with everything switched on"),
      ("duo-process camera replay session.json --json", "one JSON object a line, a summary last"),
    ])

  @Arguments(value: "FILE", help: "The script.") var scripts: [FilePath]
  @Option(
    value: "LIST", help: "Instead of the script's: responsive, fast-capture, deferred between commas; or none, all.")
  var options: SessionOptions?
  @Flag(help: "Print one JSON object a line.") var json: Bool

  func validate() throws(UsageError) {
    guard scripts.count == 1 else { throw UsageError("camera replay takes one script, got \(scripts.count)") }
  }

  func run() -> Int32 {
    do throws(JobFailure) {
      var script = try SessionScript(file: scripts[0])
      script.options = options ?? script.options
      let timeline: SessionTimeline
      do { timeline = try SessionReplay.timeline(of: script) } catch { throw JobFailure(error) }
      let report = ReplayReport(timeline: timeline, options: script.options)
      Terminal.print(json ? report.lines : report.text)
      return ExitStatus.success.rawValue
    } catch { return Self.fail(error) }
  }
}
