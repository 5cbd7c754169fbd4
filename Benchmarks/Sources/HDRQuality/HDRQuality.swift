import Foundation
import HDRMerge
import ImageCore
import Synthesis

/// Quality of bracket merging against synthetic truth: PSNR-μ on the mosaic, beside the inverse-variance bound of the
/// same scene.
@main
struct HDRQuality {
  static func main() throws {
    try still()
    try moving()
  }

  static func moving() throws {
    print("the same, frames shifted by up to 8 px, turned by 0.4 degrees, and a moving square")
    var scene = BracketScene()
    let square = 96.0
    scene.views = [(-8.0, 3.0, -0.4, -44.0), (0, 0, 0, 0), (8, -5.5, 0.4, 52)].map { x, y, turn, way in
      var view = SceneView()
      (view.shiftX, view.shiftY, view.rotation) = (x, y, turn)
      view.mover = SceneView.Mover(x: 430 + way, y: 330 - way / 2, side: square)
      return view
    }
    let frames = scene.frames()
    let truth = scene.truth()
    let top = 4.0
    let object = { (x: Int, y: Int) in (430..<526).contains(x) && (330..<426).contains(y) }
    let around = { (x: Int, y: Int) in (360..<600).contains(x) && (270..<480).contains(y) }
    func show(_ name: String, _ image: Image<Float>) {
      print(
        "  \(name):", format(psnrMu(image, truth, top: top)), "object",
        format(psnrMu(image, truth, top: top, where: object)), "around it",
        format(psnrMu(image, truth, top: top, where: around)))
    }
    show("bound", scene.bound(truth))
    show("0 EV frame alone", light(frames[1], headroom: 0))
    for alignment in MergeOptions.Alignment.allCases {
      var options = MergeOptions()
      options.alignment = alignment
      for deghosting in MergeOptions.Deghosting.allCases {
        options.deghosting = deghosting
        let result = try BracketMerger.merge(frames, options: options)
        show(
          "align \(alignment.rawValue), deghost \(deghosting.rawValue)",
          light(result.photo, headroom: result.report.headroom))
        if deghosting == .auto { print("   ", brief(result.report)) }
      }
    }
  }

  static func brief(_ report: MergeReport) -> String {
    let frames = report.frames.map { frame in
      String(
        format: "[%d: x%.4f shift %.2f %.2f turn %.3f sim %.2f ghost %.3f]", frame.index, frame.exposure,
        frame.shiftX,
        frame.shiftY, frame.rotation, frame.similarity ?? -1, frame.ghostShare)
    }
    return frames.joined(separator: " ") + " ref \(report.reference) \(report.warnings)"
  }

  static func still() throws {
    print("static -2/0/+2 EV, Bayer 1024x768, ISO 400")
    let scene = BracketScene()
    let frames = scene.frames()
    let truth = scene.truth()
    let top = 4.0
    print("  bound            ", format(psnrMu(scene.bound(truth), truth, top: top)))
    print("  0 EV frame alone ", format(psnrMu(light(frames[1], headroom: 0), truth, top: top)))
    for alignment in [MergeOptions.Alignment.none, .auto] {
      var options = MergeOptions()
      options.alignment = alignment
      for deghosting in MergeOptions.Deghosting.allCases {
        options.deghosting = deghosting
        let result = try BracketMerger.merge(frames, options: options)
        let image = light(result.photo, headroom: result.report.headroom)
        print(
          "  align \(alignment.rawValue), deghost \(deghosting.rawValue):", format(psnrMu(image, truth, top: top)))
        if deghosting == .auto { print("   ", brief(result.report)) }
      }
    }
  }

  static func format(_ decibels: Double) -> String { String(format: "%.2f dB", decibels) }
}
