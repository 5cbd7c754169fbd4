import Foundation
import HDRMerge
import ImageCore
import Synthesis

/// Quality of bracket merging against synthetic truth: PSNR-μ (μ = 5000) on the mosaic, light cut at the shortest
/// frame's saturation, beside the inverse-variance bound of the same scene.
@main
struct HDRQuality {
  /// Saturation of the -2 EV frame in units of the 0 EV frame's.
  static let top = 4.0

  static func main() throws {
    try still("static -2/0/+2 EV, Bayer 1024x768, ISO 100", BracketScene(iso: 100))
    try still("static -2/0/+2 EV, Bayer 1024x768, ISO 400", BracketScene())
    try still("static -2/0/+2 EV, quad 1024x768, ISO 400", BracketScene(cfa: CFAPattern(named: "quad-rggb")!))
    try still("static -2/0/0/0/+2 EV, three frames of one exposure", BracketScene(stops: [-2, 0, 0, 0, 2]))
    try moving("shifted by up to 8 px, turned by 0.4 degrees, a moving square; Bayer", BracketScene())
    try moving(
      "the same, three frames of one exposure", BracketScene(stops: [-2, 0, 0, 0, 2]))
    try moving("the same, quad", BracketScene(cfa: CFAPattern(named: "quad-rggb")!))
    try burst("burst of 8 of one exposure, still, ISO 400", BracketScene(stops: Array(repeating: 0, count: 8)), 0)
    try burst(
      "burst of 8 of one exposure, a moving square, ISO 400", BracketScene(stops: Array(repeating: 0, count: 8)), 40)
    try burst(
      "burst of 8 of one exposure, a moving square, ISO 3200",
      BracketScene(stops: Array(repeating: 0, count: 8), iso: 3200), 40)
    try burst(
      "burst of 8 of one exposure, a square that creeps by 1.5 px, ISO 1600",
      BracketScene(stops: Array(repeating: 0, count: 8), iso: 1600), 1.5)
  }

  static func still(_ title: String, _ scene: BracketScene) throws {
    let truth = scene.truth()
    let frames = scene.frames()
    let bound = psnrMu(scene.bound(truth), truth, top: top)
    let single = psnrMu(light(frames[scene.reference], headroom: 0), truth, top: top)
    let merged = try merge(frames, reference: scene.reference, .auto, .auto)
    let mine = psnrMu(merged.light, truth, top: top)
    print(title)
    print(
      "  bound \(format(bound))  merged \(format(mine))  below the bound \(format(bound - mine))  0 EV frame \(format(single))"
    )
    print("  \(brief(merged.report))")
  }

  static func moving(_ title: String, _ still: BracketScene) throws {
    var scene = still
    let square = PixelRect(x: 430, y: 330, width: 96, height: 96)
    scene.views = stride(from: 0, to: scene.stops.count, by: 1).map { frame in
      let way = Double(frame - scene.reference)
      var view = SceneView()
      if way != 0 {
        (view.shiftX, view.shiftY, view.rotation) = (
          8 / max(1, abs(way)) * (way < 0 ? -1 : 1), 3 - way * 2.7, 0.4 * (way < 0 ? -1 : 1)
        )
      }
      view.mover = SceneView.Mover(
        x: Double(square.x) + 48 * way, y: Double(square.y) - 24 * way, side: Double(square.width))
      return view
    }
    let truth = scene.truth()
    let frames = scene.frames()
    let object = { (x: Int, y: Int) in square.columns.contains(x) && square.rows.contains(y) }
    print(title)
    func show(_ name: String, _ image: Image<Float>) {
      let parts = [
        format(psnrMu(image, truth, top: top)), format(psnrMu(image, truth, top: top, where: object)),
      ]
      print("  \(name): overall \(parts[0])  inside the square \(parts[1])")
    }
    show("bound", scene.bound(truth))
    show("0 EV frame", light(frames[scene.reference], headroom: 0))
    for alignment in MergeOptions.Alignment.allCases {
      let merged = try merge(frames, reference: scene.reference, alignment, .auto)
      show("merged, --align \(alignment.rawValue)", merged.light)
      if alignment == .auto { print("  \(brief(merged.report))") }
    }
    show("merged, --deghost none", try merge(frames, reference: scene.reference, .auto, .none).light)
  }

  /// A burst seen from a tripod: dB of light against the truth over all, inside a square that moves, and elsewhere.
  static func burst(_ title: String, _ still: BracketScene, _ speed: Double) throws {
    var scene = still
    let square = PixelRect(x: 430, y: 330, width: 96, height: 96)
    let reference = 3
    scene.views = scene.stops.indices.map { frame in
      var view = SceneView()
      let way = Double(frame - reference) * speed
      view.mover = SceneView.Mover(
        x: Double(square.x) + way, y: Double(square.y) - way / 2, side: Double(square.width))
      return view
    }
    let truth = scene.truth(of: reference)
    let frames = scene.frames()
    func show(_ name: String, _ image: Image<Float>) {
      let inside = { (x: Int, y: Int) in square.columns.contains(x) && square.rows.contains(y) }
      let beside = PixelRect(x: 0, y: 520, width: 1024, height: 248)
      let apart = { (x: Int, y: Int) in beside.columns.contains(x) && beside.rows.contains(y) }
      print(
        "  \(name): overall \(format(psnrMu(image, truth, top: 1)))  inside the square \(format(psnrMu(image, truth, top: 1, where: inside)))  far from it \(format(psnrMu(image, truth, top: 1, where: apart)))"
      )
    }
    print(title)
    let lights = frames.map { light($0, headroom: 0) }
    show("reference frame", lights[reference])
    show("plain mean", Image<Float>(scene.size) { x, y in lights.reduce(0) { $0 + $1[x, y] } / Float(lights.count) })
    for method in MergeOptions.Averaging.allCases {
      var options = MergeOptions()
      options.reference = reference
      options.averaging = method
      let result = try BracketMerger.merge(frames, options: options)
      show("merged, averaging by \(method.rawValue)", light(result.photo, headroom: result.report.headroom))
    }
  }

  static func merge(
    _ frames: [RawPhoto], reference: Int, _ alignment: MergeOptions.Alignment, _ deghosting: MergeOptions.Deghosting
  ) throws -> (light: Image<Float>, report: MergeReport) {
    var options = MergeOptions()
    options.alignment = alignment
    options.deghosting = deghosting
    options.reference = reference
    let result = try BracketMerger.merge(frames, options: options)
    return (light(result.photo, headroom: result.report.headroom), result.report)
  }

  static func brief(_ report: MergeReport) -> String {
    let frames = report.frames.map { frame in
      String(
        format: "x%.3f (%.2f, %.2f) %.3f°", frame.exposure, frame.shiftX, frame.shiftY, frame.rotation)
    }
    return "exposure (shift) turn: " + frames.joined(separator: ", ")
      + String(format: "; ghosts %.1f %%, clipped %.1f %%", 100 * report.ghostShare, 100 * report.clippedShare)
  }

  static func format(_ decibels: Double) -> String { String(format: "%.2f dB", decibels) }
}
