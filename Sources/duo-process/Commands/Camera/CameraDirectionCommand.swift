import CaptureModel
import ImageCore
import Pipeline

struct CameraDirectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "camera direction", abstract: "Which cameras face the person at a view, and how their pictures are laid.",
    discussion:
      "Without --view every display that can show something is listed. Angles are clockwise; the orientation is the EXIF tag that makes the read-out upright, mirrored where the camera faces the viewer.",
    examples: [
      ("duo-process camera direction --posture open --view inner", "who faces whom"),
      (
        "duo-process camera direction --posture open-flipped --device-orientation landscape-left --json",
        "with angles"
      ),
    ])

  @Option(help: "How the device is held.") var posture: Posture
  @Option(help: "The display that the view is on; every usable one unless given.") var view: Display?
  @Option(help: "How the device is turned, as the person at the view sees it.") var deviceOrientation =
    DeviceOrientation.portrait
  @Flag(help: "The interface stays as in portrait instead of turning with the device.") var interfaceLocked: Bool
  @Flag(help: "Print one JSON object a line for each view.") var json: Bool

  func run() -> Int32 {
    Self.obeying { () throws(CaptureError) in
      for display in view.map({ [$0] }) ?? posture.displays {
        let map = try DirectionMap(posture: posture, view: display)
        let cameras = try CameraDescriptor.all.map { (camera) throws(CaptureError) in try lay(camera, display) }
        Terminal.print(json ? line(display, map, cameras) : text(display, map, cameras))
      }
    }
  }

  /// A camera's part in one view.
  private struct Laid {
    let camera: CameraDescriptor
    let coordinator: RotationCoordinator?

    var isMirrored: Bool { coordinator?.isPreviewMirrored ?? false }
    var orientation: Int { Int(coordinator?.captureOrientation(mirrored: isMirrored).rawValue ?? 1) }
  }

  private func lay(_ camera: CameraDescriptor, _ display: Display) throws(CaptureError) -> Laid {
    let direction = try camera.direction(from: display, in: posture)
    // Somebody on the other side of an open device sees it turned the other way round.
    let held = display == posture.mainDisplay || view != nil ? deviceOrientation : deviceOrientation.fromBehind
    return Laid(
      camera: camera,
      coordinator: direction.map {
        RotationCoordinator(
          mount: camera.mount, direction: $0, deviceOrientation: held,
          displayRotation: interfaceLocked ? .locked : .following(held))
      })
  }

  private func line(_ display: Display, _ map: DirectionMap, _ cameras: [Laid]) -> String {
    let objects = cameras.map { laid -> JSONValue in
      var members: [String: JSONValue] = [
        "name": .string(laid.camera.name), "active": .string(laid.camera.active(in: posture).name),
        "direction": .null,
      ]
      if let coordinator = laid.coordinator {
        members["direction"] = .string(coordinator.direction.rawValue)
        members["mirrored"] = .bool(laid.isMirrored)
        members["previewAngle"] = .number(Double(coordinator.previewAngle.degrees))
        members["captureAngle"] = .number(Double(coordinator.captureAngle.degrees))
        members["orientation"] = .number(Double(laid.orientation))
      }
      return .object(members)
    }
    return RunReporter.line(
      JSONValue.object([
        "posture": .string(posture.rawValue), "view": .string(display.rawValue),
        "forward": map.forward.json, "backward": map.backward.json, "cameras": .array(objects),
      ])) + "\n"
  }

  private func text(_ display: Display, _ map: DirectionMap, _ cameras: [Laid]) -> String {
    var lines = ["\(posture.rawValue), view on \(display.rawValue)"]
    lines.append("  forward-facing   \(map.forward.names)")
    lines.append("  backward-facing  \(map.backward.names)")
    for laid in cameras {
      guard let coordinator = laid.coordinator else {
        lines.append("  \(laid.camera.name): faces nobody")
        continue
      }
      let active = laid.camera.isVirtual ? " (\(laid.camera.active(in: posture).name))" : ""
      lines.append(
        "  \(laid.camera.name)\(active): \(coordinator.direction.rawValue), "
          + "\(laid.isMirrored ? "mirrored" : "not mirrored"), preview \(coordinator.previewAngle), "
          + "capture \(coordinator.captureAngle), orientation \(laid.orientation)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
