import CaptureModel
import ImageCore
import Pipeline
import TIFFTags

struct CameraResolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "camera resolve", abstract: "What a photo request becomes: size, prioritization, frames, and why.",
    discussion: "A request that breaks a rule is refused with exit code 64 and a message that names the rule.",
    examples: [
      (
        "duo-process camera resolve --camera rear --max-dimensions 24MP --prioritization quality --iso 800",
        "one shot"
      ),
      ("duo-process camera resolve --camera rear --max-dimensions 48MP --iso 3200 --json", "in low light"),
      ("duo-process camera resolve --camera outer --max-dimensions 18MP --rapid", "in a rapid series"),
      ("duo-process camera resolve --max-dimensions 12MP --journal out/", "with the time that a watch learnt"),
    ])

  @Option(help: "The camera.") var camera: CameraDescriptor = .rear
  @Option(value: "SIZE", help: "12MP, 18MP, 24MP or 48MP.") var maxDimensions: PhotoSize = .standard
  @Option(help: "Speed or quality.") var prioritization: CaptureModel.PhotoQualityPrioritization = .quality
  @Option(help: "The session's maxPhotoQualityPrioritization.") var cap: CaptureModel.PhotoQualityPrioritization =
    .quality
  @Option(help: "The session's preset.") var preset: SessionPreset = .photo
  @Option(value: "N", help: "ISO speed, which tells how noisy photosites are.") var iso: Double = 100
  @Option(value: "S", help: "Exposure time, seconds.") var exposureTime: Double?
  @Option(value: "S,O", help: "Measured noise instead: variance S·x + O of linear samples.") var noise: NoiseArgument?
  @Option(value: "B,F", help: "Frames there are: binned, full resolution.") var frames: FramesArgument?
  @Flag(help: "A rapid series with fast-capture prioritization.") var rapid: Bool
  @Option(help: "How the device is held; a covered camera is refused.") var posture: Posture?
  @Option(help: "The display that the view is on.") var view: Display?
  @Option(value: "DIR", help: "The output of a watch: adds how long such photos took there.") var journal: FilePath?
  @Flag(help: "Print one JSON object.") var json: Bool

  func validate() throws(UsageError) {
    guard iso > 0 else { throw UsageError("--iso must be above 0") }
    if let exposureTime, exposureTime <= 0 { throw UsageError("--exposure-time must be above 0") }
    if view != nil && posture == nil { throw UsageError("--view needs --posture") }
  }

  func run() -> Int32 {
    let times: ProcessingTimes?
    do throws(JobFailure) {
      times = try journal.map { path throws(JobFailure) in try Journal(reading: path).processingTimes() }
    } catch { return Self.fail(error) }
    return Self.obeying { () throws(CaptureError) in
      if let posture { _ = try camera.requiredDirection(from: view ?? posture.mainDisplay, in: posture) }
      let capability = PhotoCapability(camera: camera, preset: preset, maxPrioritization: cap)
      let settings = PhotoSettings(
        identifier: 1, maxPhotoDimensions: maxDimensions, photoQualityPrioritization: prioritization)
      let light = SceneLight(iso: iso, exposureTime: exposureTime, noise: noise?.noise)
      let resolved = try ResolvedPhotoSettings(
        settings, capability: capability, light: light, available: frames?.frames ?? .ample, isRapid: rapid)
      let range = times.flatMap {
        ReadinessReport.TimeRange(
          $0, ProcessingTimes.Key(size: resolved.size, prioritization: resolved.prioritization))
      }
      let text = resolved.text + (times == nil ? "" : Self.text(range))
      Terminal.print(json ? RunReporter.line(resolved.json(range)) + "\n" : text)
    }
  }
}

extension CameraResolveCommand {
  fileprivate static func text(_ range: ReadinessReport.TimeRange?) -> String {
    func shown(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
    guard let range else { return "time       not learnt yet: no such photo was made there\n" }
    return "time       \(shown(range.shortest))…\(shown(range.longest)) s, learnt from past runs\n"
  }
}

/// `S,O`.
struct NoiseArgument: ExpressibleByArgument {
  let noise: SceneLight.Noise

  init?(argument: ArgumentWord) {
    let parts = argument.text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
    guard parts.count == 2, parts.allSatisfy({ $0 >= 0 && $0.isFinite }) else { return nil }
    noise = SceneLight.Noise(slope: parts[0], offset: parts[1])
  }
}

extension ResolvedPhotoSettings {
  var json: JSONValue { json(nil) }

  func json(_ range: ReadinessReport.TimeRange?) -> JSONValue {
    var members: [String: JSONValue] = [
      "maxPhotoDimensions": .string(requested.size.rawValue),
      "photoQualityPrioritization": .string(requested.prioritization.rawValue),
      "size": .string(size.rawValue), "photoDimensions": photoDimensions.json,
      "prioritization": .string(prioritization.rawValue),
      "frames": .object([
        "binned": .number(Double(frames.binned)), "fullResolution": .number(Double(frames.fullResolution)),
      ]), "reasons": .array(reasons.map { .string($0.rawValue) }), "memory": .number(Double(memory)),
    ]
    if let range {
      members["photoProcessingTimeRange"] = .object([
        "shortest": .number(range.shortest), "longest": .number(range.longest),
      ])
    }
    return .object(members)
  }

  fileprivate var text: String {
    let why = reasons.isEmpty ? "as asked" : "less than asked: " + reasons.map(\.rawValue).joined(separator: ", ")
    return """
      requested  \(requested.size) at \(requested.prioritization.rawValue)
      resolved   \(size) (\(photoDimensions)) at \(prioritization.rawValue), \(why)
      frames     \(frames.binned) binned, \(frames.fullResolution) at full resolution; \(memory >> 20) MB

      """
  }
}
