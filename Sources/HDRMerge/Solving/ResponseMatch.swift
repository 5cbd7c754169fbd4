import ImageCore

/// Brings finished pictures, whose tone curves bend each level differently, onto the reference's scale level by level.
///
/// A camera's curve makes the ratio of two exposures depend on brightness. Where two neighbouring exposures both show
/// a level, the median ratio of their blocks is taken for it; levels beyond keep the ratio of the nearest. Where one
/// frame takes over from another there is then no step.
///
/// - Source: the comparagram of Mann & Picard 1995, "On being 'undigital' with digital cameras", by medians.
struct ResponseMatch {
  /// Levels a stop.
  private static let levelsPerStop = 2.0
  /// Stops below full scale that are told apart.
  private static let stops = 10.0
  private static let fewestBlocks = 8
  /// Blocks whose peak is above this part of saturation are bent by clipping.
  private static let unclipped: Float = 0.95

  /// Knots of the curve that takes light of the shorter frame to light of the longer one; both rise.
  private var short: [Float] = []
  private var long: [Float] = []

  /// `nil` when the frames share too few levels.
  ///
  /// - Parameter motion: moves a block's place in the shorter frame's grid to the longer one's, in blocks.
  private init?(short a: Side, long b: Side, motion: (_ x: Double, _ y: Double) -> (x: Double, y: Double)) {
    let count = Int(Self.stops * Self.levelsPerStop)
    var ratios = [[Float]](repeating: [], count: count)
    for index in a.light.means.indices {
      let place = motion(Double(index % a.light.columns), Double(index / a.light.columns))
      guard let other = b.light.sample(x: place.x, y: place.y) else { continue }
      let (x, y) = (a.light.means[index], other.mean)
      guard x > 0, y > 0, a.light.peaks[index] < Self.unclipped * a.frame.saturation,
        other.peak < Self.unclipped * b.frame.saturation
      else { continue }
      let level = Int(-Self.levelsPerStop * Elementary.log2(Double(x)))
      if level >= 0 && level < count { ratios[level].append(y / x) }
    }
    for level in (0..<count).reversed() where ratios[level].count >= Self.fewestBlocks {
      let ratio = ratios[level].sorted()[ratios[level].count / 2]
      let light = Float(Elementary.exp2(-(Double(level) + 0.5) / Self.levelsPerStop))
      guard light * ratio > (long.last ?? 0) else { continue }
      short.append(light)
      long.append(light * ratio)
    }
    guard short.count >= 2 else { return nil }
  }

  /// Straight lines between the knots; in proportion to light beyond them.
  private static func map(_ x: Float, _ from: [Float], _ to: [Float]) -> Float {
    guard let first = from.first, let last = from.last, x > first, x < last else {
      let end = x < (from.last ?? 0) ? 0 : from.count - 1
      return from.isEmpty ? x : x * to[end] / from[end]
    }
    let upper = from.firstIndex { $0 >= x } ?? from.count - 1
    let part = (x - from[upper - 1]) / (from[upper] - from[upper - 1])
    return to[upper - 1] + part * (to[upper] - to[upper - 1])
  }

  /// Gives each frame a table of light on the reference's scale. Frames are ordered by exposure.
  static func apply(to sides: inout [Side], _ alignments: [FrameAlignment], reference: Int) {
    let grid = BlockGrid(sides[reference])
    let steps = sides.indices.dropLast().map { index in
      let (here, next) = (alignments[index].motion, alignments[index + 1].motion)
      return ResponseMatch(short: sides[index], long: sides[index + 1]) { x, y in
        let (a, b) = (grid.displacement(here, x, y), grid.displacement(next, x, y))
        return (x + b.x - a.x, y + b.y - a.y)
      }
    }
    for index in sides.indices where index != reference {
      let frame = sides[index].frame
      let (lower, upper) = (min(index, reference), max(index, reference))
      guard steps[lower..<upper].allSatisfy({ $0 != nil }) else { continue }
      let path = index < reference ? Array(index..<reference) : Array((reference..<index).reversed())
      func onReference(_ light: Float) -> Float {
        path.reduce(light) { value, step in
          guard let curve = steps[step] else { return value }
          return index < reference ? map(value, curve.short, curve.long) : map(value, curve.long, curve.short)
        }
      }
      let exposure = Float(1 / onReference(1))
      guard exposure.isFinite, exposure > 0 else { continue }
      sides[index].frame.exposure = Double(exposure)
      sides[index].frame.response = frame.table { onReference($0) * exposure }
    }
  }
}
