import Develop
import Foundation
import ImageCore

/// What `--detail` and `--optics` ask for.
struct DetailScene {
  /// Strength of the finishing; `nil` measures the demosaic alone.
  var detail: Double?
  /// Standard deviation of the lens's blur, pixels.
  var optics = 0.0

  /// Light of red, green and blue after the lens.
  func blurred(_ truth: Image<RGB<UInt8>>) -> [Image<Double>] {
    let keys: [KeyPath<RGB<UInt8>, UInt8>] = [\.red, \.green, \.blue]
    let planes = keys.map { key in
      Image<Double>(truth.size) { x, y in Quality.light(Double(truth[x, y][keyPath: key]) / 255) }
    }
    guard optics > 0 else { return planes }
    let reach = Int((4 * optics).rounded(.up))
    var taps = (-reach...reach).map { exp(-Double($0 * $0) / (2 * optics * optics)) }
    let sum = taps.reduce(0, +)
    taps = taps.map { $0 / sum }
    return planes.map { plane in
      let rows = Image<Double>(plane.size) { x, y in
        zip(-reach...reach, taps).reduce(0) { $0 + $1.1 * plane[min(plane.width - 1, max(0, x + $1.0)), y] }
      }
      return Image<Double>(plane.size) { x, y in
        zip(-reach...reach, taps).reduce(0) { $0 + $1.1 * rows[x, min(plane.height - 1, max(0, y + $1.0))] }
      }
    }
  }

  /// A picture of linear tone.
  func picture(of photo: RawPhoto, detail: Double, _ quality: DemosaicQuality?) throws -> Image<RGB<UInt8>> {
    var options = DevelopOptions.standard
    options.tone = .linear
    options.demosaic = quality
    options.detail = detail
    var picture = Image<RGB<UInt8>>(uninitialized: photo.pixels.size)
    try Developer(photo, options: options).render(
      PixelRect(photo.pixels.size), orientation: .up, into: &picture, resources: Resources())
    return picture
  }
}
