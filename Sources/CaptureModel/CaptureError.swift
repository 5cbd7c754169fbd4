public import ImageCore

/// Why a request to the capture system is refused. Each message names the rule that is broken.
public enum CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The camera's format has no photos of this size.
  case unsupportedDimensions(requested: PhotoSize, camera: String, supported: [PhotoSize])
  /// The size is not made at this prioritization.
  case unavailable(size: PhotoSize, at: PhotoQualityPrioritization)
  /// A shot asks for more than the session allows.
  case prioritizationAboveCap(requested: PhotoQualityPrioritization, cap: PhotoQualityPrioritization)
  /// Only the photo preset has the large sizes.
  case presetLacksDimensions(size: PhotoSize, preset: SessionPreset)
  /// A view is asked for on a display that is folded away.
  case viewOnCoveredDisplay(Display, Posture)
  /// A camera is asked for that faces nobody.
  case cameraCovered(camera: String, Posture)
  /// A ratio that the format does not list.
  case unsupportedAspectRatio(AspectRatio, listed: [AspectRatio])
  /// A format of another camera.
  case foreignFormat(camera: String)
  /// Settings that were prepared, or used for a shot before, are used again.
  case settingsUsedTwice(identifier: Int)
  /// Fast-capture prioritization without responsive capture.
  case fastCaptureNeedsResponsiveCapture
  /// No camera of the kind asked for faces the right way.
  case noCamera(direction: Direction, view: Display)
  /// A script that goes back in time.
  case eventOutOfOrder(index: Int)
  /// A closed device that is turned round: no display is left to look at.
  case nothingBehindClosedDevice(index: Int)
  /// A script without the time that a stage takes.
  case missingCost(size: PhotoSize, prioritization: PhotoQualityPrioritization)
  /// More events than are replayed.
  case tooManyEvents(found: Int, limit: Int)

  /// One line: what was found, the rule, what to do.
  public var description: String {
    switch self {
    case .unsupportedDimensions(let requested, let camera, let supported):
      "\(requested) is not among the supported photo dimensions of the \(camera) camera (\(list(supported)))"
        + (requested == .mp18 ? ": 18MP exists only on the square front cameras" : "; ask for one of them")
    case .unavailable(let size, let prioritization):
      "\(size) is not made at prioritization \(prioritization.rawValue), only at \(list(size.prioritizations))"
    case .prioritizationAboveCap(let requested, let cap):
      "prioritization \(requested.rawValue) is above the session's cap maxPhotoQualityPrioritization, \(cap.rawValue): "
        + "raise the cap or ask for less"
    case .presetLacksDimensions(let size, let preset):
      "only the photo preset offers \(size); the session has the \(preset.rawValue) preset"
    case .viewOnCoveredDisplay(let display, let posture):
      "a view cannot be on the \(display.rawValue) display while the device is \(posture.rawValue): "
        + "a closed device shows no view on its inner display"
    case .cameraCovered(let camera, let posture):
      "the \(camera) camera faces nobody while the device is \(posture.rawValue): open it, or take another camera"
    case .unsupportedAspectRatio(let ratio, let listed):
      "the format lists no aspect ratio \(ratio)"
        + (listed.isEmpty
          ? ": only square sensors have dynamic aspect ratios" : ", only \(list(listed)): take one of them")
    case .foreignFormat(let camera): "the format is not one of the \(camera) camera's: choose from its list"
    case .settingsUsedTwice(let identifier):
      "photo settings \(identifier) were prepared or used before: a shot needs new settings; equal values match what "
        + "was prepared"
    case .fastCaptureNeedsResponsiveCapture:
      "fast-capture prioritization needs responsive capture: switch that on too"
    case .noCamera(let direction, let view):
      "no camera faces \(direction.rawValue) from the \(view.rawValue) display: name one with camera"
    case .eventOutOfOrder(let index): "event \(index) is earlier than the one before: sort events by time"
    case .nothingBehindClosedDevice(let index):
      "event \(index) flips a closed device, which has no display on its other side: unfold it first"
    case .missingCost(let size, let prioritization):
      "the costs say nothing of \(size) at \(prioritization.rawValue): add capture, processing and proxy times"
    case .tooManyEvents(let found, let limit): "\(found) events are more than the \(limit) that are replayed"
    }
  }
}

private func list(_ values: [some CustomStringConvertible]) -> String {
  values.map(\.description).joined(separator: ", ")
}

private func list(_ values: [PhotoQualityPrioritization]) -> String {
  values.map(\.rawValue).joined(separator: ", ")
}
