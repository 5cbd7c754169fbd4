import ImageCore

/// Where coordinates beyond the sensor are read so that every colour stays in its place of the filter array.
struct MosaicBorder: Sendable {
  private let count: Int
  private let period: Int
  /// Sum of a coordinate and its mirror image at the lower and the upper border; `nil` for arrays that have no
  /// mirror symmetry, which are moved by whole periods.
  private let axes: (lower: Int, upper: Int)?

  /// - Parameters:
  ///   - count: photosites along the axis, at least 1.
  ///   - period: of the array along the axis.
  ///   - cluster: photosites of one colour that lie together (1 in a Bayer array, 2 in a quad array) and the first
  ///     coordinate at which one starts; `nil` without mirror symmetry. Coordinates are mirrored about the centre of
  ///     the outermost whole cluster.
  init(count: Int, period: Int, cluster: (side: Int, start: Int)?) {
    self.count = count
    self.period = period
    if let (side, start) = cluster, count >= start + side {
      let last = start + (count - start - side) / side * side
      axes = (2 * start + side - 1, 2 * last + side - 1)
    } else {
      axes = nil
    }
  }

  /// A coordinate in `0 ..< count` of the same colour.
  func inside(_ position: Int) -> Int {
    if position >= 0 && position < count { return position }
    if let axes, axes.upper > axes.lower {
      var mirrored = position
      while mirrored < 0 || mirrored >= count { mirrored = (mirrored < 0 ? axes.lower : axes.upper) - mirrored }
      return mirrored
    }
    let steps = position < 0 ? (-position + period - 1) / period : -((position - count + period) / period)
    return min(count - 1, max(0, position + steps * period))
  }
}

/// An array of equal square clusters of one colour each, in the order red, green / green, blue: Bayer (1x1 photosite),
/// quad (2x2), nona (3x3) and hexadeca (4x4).
struct ClusteredArray: Sendable, Hashable {
  /// Photosites along a cluster's side.
  let side: Int
  /// The first photosite at which a red cluster starts, `0 ..< 2 * side` in both directions.
  let x: Int
  let y: Int

  /// `nil` for other arrays.
  init?(_ cfa: CFAPattern) {
    let prefixes = ["", "quad-", "nona-", "hexadeca-"]
    let side = cfa.width / 2
    guard cfa.width == cfa.height, cfa.width == 2 * side, (1...prefixes.count).contains(side),
      let plain = CFAPattern(named: prefixes[side - 1] + "rggb")
    else { return nil }
    for y in 0..<2 * side {
      for x in 0..<2 * side where cfa.shifted(dx: x, dy: y) == plain {
        (self.side, self.x, self.y) = (side, x, y)
        return
      }
    }
    return nil
  }
}
