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
        print("   ", result.report)
      }
    }
  }

  static func format(_ decibels: Double) -> String { String(format: "%.2f dB", decibels) }
}
