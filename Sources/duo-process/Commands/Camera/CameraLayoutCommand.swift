import CaptureModel
import ImageCore
import Pipeline

/// `4:3`, or `4032x3024`.
struct PictureShape: ExpressibleByArgument {
  let size: PixelSize

  init?(argument: ArgumentWord) {
    if let dimensions = SizeArgument(argument: argument) {
      size = dimensions.size
    } else if let ratio = AspectRatio(argument.text) {
      size = PixelSize(width: ratio.width, height: ratio.height)
    } else {
      return nil
    }
  }
}

struct CameraLayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    name: "camera layout", abstract: "Exact rectangles: a preview in its place, what is left for controls.",
    discussion:
      "With --aspect-ratio and a front camera also the photosites that a dynamic aspect ratio uses of its square sensor.",
    examples: [
      ("duo-process camera layout --picture 4:3 --place 2000x1200", "letterbox"),
      ("duo-process camera layout --picture 4:3 --place 2000x1200 --placement leading", "controls on one side"),
      ("duo-process camera layout --picture 4032x3024 --place 2000x1200 --video-gravity aspect-fill", "cropped"),
      ("duo-process camera layout --camera outer --aspect-ratio 16:9 --place 2000x1200 --json", "a square sensor"),
    ])

  @Option(value: "W:H|WxH", help: "The upright picture: its ratio or its size.") var picture: PictureShape?
  @Option(value: "WxH", help: "The display or window.") var place: SizeArgument
  @Option(help: "aspect shows all with bars, aspect-fill crops, resize stretches.") var videoGravity: VideoGravity =
    .aspect
  @Option(help: "Where a preview lies that does not fill its place.") var placement: PreviewPlacement = .center
  @Option(help: "The camera whose sensor is read.") var camera: CameraDescriptor?
  @Option(value: "W:H", help: "The dynamic aspect ratio of its square sensor.") var aspectRatio: AspectRatio?
  @Flag(help: "Print one JSON object.") var json: Bool

  func validate() throws(UsageError) {
    guard picture != nil || camera != nil else { throw UsageError("camera layout needs --picture or --camera") }
    if aspectRatio != nil && camera == nil { throw UsageError("--aspect-ratio needs --camera") }
  }

  func run() -> Int32 {
    Self.obeying { () throws(CaptureError) in
      var sensor: PixelRect?
      if let camera {
        let format = camera.formats[0]
        if let ratio = aspectRatio ?? format.dynamicAspectRatios.first {
          sensor = try DynamicAspectRatio.sensorRect(ratio, in: format)
        } else {
          sensor = PixelRect(format.sensorDimensions)
        }
      }
      let shape = picture?.size ?? sensor?.size ?? place.size
      let layout = PreviewLayout(picture: shape, in: place.size, gravity: videoGravity, placement: placement)
      Terminal.print(json ? line(layout, sensor) : text(layout, sensor))
    }
  }

  private func line(_ layout: PreviewLayout, _ sensor: PixelRect?) -> String {
    var members: [String: JSONValue] = [
      "preview": layout.preview.json, "visible": layout.visible.json, "free": .array(layout.free.map(\.json)),
    ]
    if let sensor { members["sensor"] = sensor.json }
    return RunReporter.line(JSONValue.object(members)) + "\n"
  }

  private func text(_ layout: PreviewLayout, _ sensor: PixelRect?) -> String {
    var lines = sensor.map { ["sensor   \($0)"] } ?? []
    lines += ["preview  \(layout.preview)", "visible  \(layout.visible)"]
    lines += layout.free.map { "free     \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
