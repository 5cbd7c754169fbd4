import CaptureModel
import ImageCore
import Pipeline

/// Says what there is below `camera`.
struct CameraCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "camera",
    abstract: "Which camera faces whom, how a shot is turned, mirrored, cropped, which size it resolves to.",
    discussion:
      "Commands: camera list, camera direction, camera resolve, camera layout, camera replay; each has --help.",
    examples: [
      ("duo-process camera list", "cameras, formats and photo sizes"),
      ("duo-process camera direction --posture open --view inner", "who faces whom"),
      ("duo-process camera resolve --camera rear --max-dimensions 24MP --iso 800", "what a request becomes"),
      ("duo-process camera layout --picture 4:3 --place 2000x1200 --placement leading", "rectangles of a preview"),
      ("duo-process camera replay session.json", "a session's timeline"),
    ])

  func run() -> Int32 {
    Self.fail(JobFailure(.usage, "name one of: camera list, direction, resolve, layout, replay"))
  }
}

struct CameraListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "camera list", abstract: "The cameras of the two-display phone, their formats and photo sizes.",
    discussion: "What the virtual front camera can do is computed: only what both of its cameras can.",
    examples: [
      ("duo-process camera list", "for people"), ("duo-process camera list --json", "one JSON object a line"),
      ("duo-process camera list --posture open", "and which camera the virtual one is"),
    ])

  @Option(help: "How the device is held: adds the camera that is really in use.") var posture: Posture?
  @Flag(help: "Print one JSON object a line for each camera.") var json: Bool

  func run() -> Int32 {
    for camera in CameraDescriptor.all {
      Terminal.print(json ? RunReporter.line(object(camera)) + "\n" : text(camera))
    }
    return ExitStatus.success.rawValue
  }

  private func object(_ camera: CameraDescriptor) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(camera.name), "deviceType": .string(camera.deviceType.rawValue),
      "position": .string(camera.position.rawValue), "isVirtual": .bool(camera.isVirtual),
      "constituents": .array(camera.constituents.map { .string($0.rawValue) }),
      "sensorMount": .number(Double(camera.mount.turn.degrees)), "formats": .array(camera.formats.map(format)),
    ]
    if let posture { members["active"] = .string(camera.active(in: posture).name) }
    return .object(members)
  }

  private func format(_ format: CaptureFormat) -> JSONValue {
    var members: [String: JSONValue] = [
      "sensorDimensions": format.sensorDimensions.json, "isSquare": .bool(format.isSquare),
      "depth": .bool(format.deliversDepth),
      "dynamicAspectRatios": .array(format.dynamicAspectRatios.map { .string($0.description) }),
      "supportedMaxPhotoDimensions": .array(
        format.supportedMaxPhotoDimensions.map { size in
          .object([
            "name": .string(size.rawValue), "dimensions": size.dimensions.json,
            "prioritizations": .array(size.prioritizations.map { .string($0.rawValue) }),
          ])
        }),
    ]
    if let video = format.video {
      members["video"] = .object([
        "dimensions": video.dimensions.json, "maxFrameRate": .number(Double(video.maxFrameRate)),
      ])
    }
    return .object(members)
  }

  private func text(_ camera: CameraDescriptor) -> String {
    var lines = ["\(camera.name): \(camera.deviceType.rawValue), \(camera.position.rawValue)"]
    if camera.isVirtual {
      lines[0] += ", virtual: inner when open, outer when closed"
      if let posture { lines[0] += "; now \(camera.active(in: posture).name)" }
    }
    for format in camera.formats {
      let video = format.video.map { "video \($0.dimensions) up to \($0.maxFrameRate) fps" } ?? "no video stated"
      let sensor = format.isSquare ? "square sensor" : "quad sensor"
      lines.append("  \(sensor) \(format.sensorDimensions), \(video), \(format.deliversDepth ? "depth" : "no depth")")
      let sizes = format.supportedMaxPhotoDimensions.map { size in
        "\(size) (\(size.prioritizations.map(\.rawValue).joined(separator: ", ")))"
      }
      lines.append("    photos " + sizes.joined(separator: ", "))
      if !format.dynamicAspectRatios.isEmpty {
        lines.append("    ratios " + format.dynamicAspectRatios.map(\.description).joined(separator: ", "))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
