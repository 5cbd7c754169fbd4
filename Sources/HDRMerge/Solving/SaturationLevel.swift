import ImageCore

/// Finds where a sensor really saturates: a file's white level is often above it, and clipped light then passes for
/// measured light, magenta once white-balanced.
enum SaturationLevel {
  /// One row in this many is looked at.
  private static let rowStep = 4
  /// Share of all samples that must sit in the topmost values to be a wall.
  private static let wallShare = 2e-4
  /// A wall holds this many times the samples of the equally wide band below it.
  private static let wallContrast = 8
  /// Width of the wall: parts of the topmost value.
  private static let wallWidth: Float = 0.01

  /// The saturation of a frame in parts of its stated full scale: 1 when there is no sign of another.
  static func find(_ frame: SourceFrame) -> Float {
    var histogram = [Int](repeating: 0, count: Int(UInt16.max) + 1)
    var total = 0
    frame.withSamples { samples in
      for y in stride(from: 0, to: samples.height, by: rowStep) {
        let row = samples.row(y)
        for x in 0..<samples.width { histogram[Int(row[x])] += 1 }
        total += samples.width
      }
    }
    // A handful of hot photosites above the wall does not move it.
    var top = histogram.count - 1
    var above = 0
    while top > 0, above + histogram[top] <= total / 1_000_000 {
      above += histogram[top]
      top -= 1
    }
    let width = max(1, Int(Float(top) * wallWidth))
    guard top >= 2 * width else { return 1 }
    let wall = histogram[(top - width + 1)...top].reduce(0, +)
    let below = histogram[(top - 2 * width + 1)...(top - width)].reduce(0, +)
    guard Double(wall) >= wallShare * Double(total), wall >= wallContrast * max(1, below) else { return 1 }
    // The lower edge of the wall: clipped samples spread a little by calibration.
    var edge = top
    while edge > top - width, histogram[edge - 1] > 0 { edge -= 1 }
    let light = frame.normalised(count: Float(edge))
    return light > 0.1 && light < 1 ? light : 1
  }
}
