import CaptureModel
import Pipeline

/// What is known of how pictures were taken. A sidecar NAME.EXT.json beside a picture says the same for it alone; what
/// is said here goes over it.
struct CaptureOptions: ParsableArguments {
  @Option(help: "The camera that took the picture; it decides mirroring and, with the next ones, how it is turned.")
  var camera: CameraDescriptor?
  @Option(help: "How the device was held.") var posture: Posture?
  @Option(help: "The display that the photographer looked at.") var view: Display?
  @Option(help: "How the device was turned, as the photographer saw it; the file's own tag unless given.")
  var deviceOrientation: DeviceOrientation?

  /// The chain with these facts and those of sidecars.
  ///
  /// - Throws: usage (64) when the facts contradict each other.
  func situated<Chain: PlacingChain>(_ chain: Chain) throws(JobFailure) -> SituatedChain<Chain> {
    try SituatedChain(chain, facts: facts)
  }

  /// What was said.
  var facts: KnownSituation {
    var facts = KnownSituation()
    facts.camera = camera
    facts.posture = posture
    facts.view = view
    facts.deviceOrientation = deviceOrientation
    return facts
  }
}
