import Foundation
import ImageCore

extension FusionQuality {
  /// The composite shifted, turned, and with an object that has gone elsewhere.
  func moved() throws {
    let scenes = try paths.map(scene)
    for level in levels {
      for (name, shift, degrees, mover) in [
        ("1 px of 48MP off, not aligned", 1.0, 0.0, false), ("1 px of 48MP off", 1, 0, false),
        ("turned by 0.4 degrees", 3, 0.4, false), ("a moving object", 0, 0, true),
      ] {
        var sums = [Double](repeating: 0, count: 6)
        for (index, light) in scenes.enumerated() {
          let (first, second, object) = mover ? Self.withObject(light) : (light, light, { _, _ in false })
          let other = shift == 0 ? second : displaced(second, x: shift, y: 0.5 * shift, degrees: degrees)
          let own: FusionOptions.Alignment = name.hasSuffix("not aligned") ? .none : alignment
          let trial = try Trial(
            first, other: other, simulator(level), seed: UInt64(index + 1), alignment: own, gate: gate)
          let outside = { (x: Int, y: Int) in !object(x, y) }
          for (slot, image) in [trial.enlarged, trial.reduced, trial.fused].enumerated() {
            sums[slot] += psnr(image, trial.truth, where: outside) / Double(scenes.count)
            if mover { sums[3 + slot] += psnr(image, trial.truth, where: object) / Double(scenes.count) }
          }
          if let folder {
            try write(
              trial, "\(folder)/\(index)-\(Int(level))-\(mover ? "object" : degrees > 0 ? "turned" : "shifted")")
          }
        }
        print(
          String(
            format: "%5.0f e-, %@: 12MP enlarged %.2f  48MP reduced %.2f  fused %.2f dB (%+.2f over the better)",
            level,
            name, sums[0], sums[1], sums[2], sums[2] - max(sums[0], sums[1]))
            + Required.verdict(sums[2] - max(sums[0], sums[1]), atLeast: Required.gainInMotion))
        guard mover else { continue }
        print(
          String(
            format: "        where the object is or was: %.2f  %.2f  %.2f dB (%+.2f over 48MP reduced)", sums[3],
            sums[4],
            sums[5], sums[5] - sums[4]) + Required.verdict(sums[5] - sums[4], atLeast: Required.gainInObject))
      }
    }
  }

  /// A textured square, a part of the picture itself, in two places; and where it is in either, at the result's size.
  static func withObject(
    _ light: Image<RGB<Float>>
  ) -> (Image<RGB<Float>>, Image<RGB<Float>>, (Int, Int) -> Bool) {
    let side = 96
    let source = PixelRect(x: light.width / 8, y: light.height / 8, width: side, height: side)
    let first = PixelRect(x: light.width / 2, y: light.height / 2, width: side, height: side)
    let second = first.offset(dx: 52, dy: -31)
    func pasted(_ place: PixelRect) -> Image<RGB<Float>> {
      Image(light.size) { x, y in
        place.columns.contains(x) && place.rows.contains(y)
          ? light[source.x + x - place.x, source.y + y - place.y] : light[x, y]
      }
    }
    let object = { (x: Int, y: Int) -> Bool in
      let (u, v) = (Int((Double(x) + 0.5) * 24 / 17), Int((Double(y) + 0.5) * 24 / 17))
      return [first, second].contains { $0.columns.contains(u) && $0.rows.contains(v) }
    }
    return (pasted(first), pasted(second), object)
  }
}
