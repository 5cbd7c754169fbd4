import CaptureModel
import ImageCore
import Pipeline

extension Posture: ExpressibleByArgument {}
extension Display: ExpressibleByArgument {}
extension DeviceOrientation: ExpressibleByArgument {}
extension SessionPreset: ExpressibleByArgument {}
extension CaptureModel.PhotoQualityPrioritization: ExpressibleByArgument {}
extension VideoGravity: ExpressibleByArgument {}
extension PreviewPlacement: ExpressibleByArgument {}

extension CameraDescriptor: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(named: argument.text) }
  static var allValueStrings: [String] { all.map(\.name) }
}

extension PhotoSize: ExpressibleByArgument {
  init?(argument: ArgumentWord) { self.init(named: argument.text) }
}

extension SessionOptions: ExpressibleByArgument {
  private static let names: [(name: String, options: SessionOptions)] = [
    ("none", []), ("responsive", .responsiveCapture), ("fast-capture", .fastCapturePrioritization),
    ("deferred", .deferredProcessing),
    ("all", [.responsiveCapture, .fastCapturePrioritization, .deferredProcessing]),
  ]

  /// Names between commas.
  init?(argument: ArgumentWord) {
    var result: SessionOptions = []
    for word in argument.text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let match = Self.names.first(where: { $0.name == word }) else { return nil }
      result.formUnion(match.options)
    }
    self = result
  }

  /// As a script has them.
  var json: JSONValue {
    .array(Self.names.dropLast().filter { contains($0.options) && $0.name != "none" }.map { .string($0.name) })
  }
}

/// `B,F`: binned and full-resolution frames.
struct FramesArgument: ExpressibleByArgument {
  let frames: AvailableFrames

  init?(argument: ArgumentWord) {
    let parts = argument.text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard parts.count == 2, parts.allSatisfy({ $0 >= 0 }) else { return nil }
    frames = AvailableFrames(binned: parts[0], fullResolution: parts[1])
  }
}

extension ParsableCommand {
  /// Runs a rule of the capture system; what it refuses is a usage error.
  static func obeying(_ body: () throws(CaptureError) -> Void) -> Int32 {
    do throws(CaptureError) {
      try body()
      return ExitStatus.success.rawValue
    } catch { return fail(JobFailure(error)) }
  }
}

extension PixelRect {
  var json: JSONValue {
    .object([
      "x": .number(Double(x)), "y": .number(Double(y)), "width": .number(Double(width)),
      "height": .number(Double(height)),
    ])
  }
}

extension PixelSize {
  var json: JSONValue { .object(["width": .number(Double(width)), "height": .number(Double(height))]) }
}

extension Array where Element == CameraDescriptor {
  var names: String { isEmpty ? "nobody" : map(\.name).joined(separator: ", ") }
  var json: JSONValue { .array(map { .string($0.name) }) }
}

extension DirectionMap {
  var json: JSONValue { .object(["forward": forward.json, "backward": backward.json]) }
}
