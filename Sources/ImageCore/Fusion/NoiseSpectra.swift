/// Noise of the difference between detail frame and composite at some levels of brightness, in ``FusionDomain``'s
/// roots: spectra by tile frequency, and variances on the composite's grid and in blocks.
struct NoiseSpectra: Sendable {
  /// One level of brightness.
  struct Level: Sendable {
    /// Root of brightness.
    var root: Float
    /// Mean squared coefficients of windowed tiles, transposed as ``DifferenceTiles`` has them: Y, C1, C2.
    var detail: [[Float]]
    /// The same for the composite alone.
    var composite: [[Float]]
    /// Variance of a block's difference: Y, C1, C2.
    var blocks: SIMD4<Float>
    /// Variance of a block's root of light of the detail frame: red, green, blue.
    var colours: SIMD4<Float>
    /// The same of the composite.
    var compositeColours: SIMD4<Float>
    /// Variance of the difference of brightness of one composite pixel.
    var grey: Float
    /// Variance of middle frequencies of the composite and of the detail frame, see ``DetailEvidence``.
    var band: Float
    var detailBand: Float
    /// White-balanced light, and its variance in the enlarged composite: red, green, blue.
    var light: Float
    var enlarged: SIMD4<Float>
  }

  /// From dark to bright, at least one.
  var levels: [Level]
  /// The root of light at the detail frame's white that codes of 255 refer to.
  var whiteRoot: Float

  /// Power of the window, summed over a tile: what white noise of variance 1 has in all coefficients together.
  private static let windowPower: Float = 64

  /// Deviation of brightness in codes of 255 at the level nearest to mid-grey.
  func deviation(_ part: KeyPath<Level, [[Float]]>) -> Double {
    let middle = whiteRoot * Self.middle
    let level = levels.min { abs($0.root - middle) < abs($1.root - middle) }!
    let sum = level[keyPath: part][0].reduce(0, +)
    return Double(255 * (sum / Self.windowPower).squareRoot() / whiteRoot)
  }

  /// Root of mid-grey (18 % of white).
  private static let middle: Float = 0.42

  /// Noise of the enlarged composite: red, green and blue light in composite units. It is that of the result where
  /// there is no detail: of the detail frame's noise next to nothing passes the merge there.
  func enlargedNoise(_ domain: FusionDomain) -> NoiseProfile {
    NoiseProfile(
      planes: (0..<3).map { colour in
        let unit = Double(domain.inverseBalance[colour])
        let readings = levels.map { level in
          NoiseProfile.Plane.Reading(
            light: Double(level.light) * unit, variance: Double(level.enlarged[colour]) * unit * unit)
        }
        return NoiseProfile.Plane(nearest: readings) ?? NoiseProfile.Plane(scale: 0, offset: 0)
      })
  }

  /// Where a root lies between two levels.
  @inline(__always)
  func place(_ root: Float) -> (level: Int, part: Float) {
    var level = 0
    while level < levels.count - 2, root > levels[level + 1].root { level += 1 }
    guard levels.count > 1 else { return (0, 0) }
    let span = levels[level + 1].root - levels[level].root
    return (level, min(1, max(0, (root - levels[level].root) / span)))
  }

  /// Variances of blocks at a root of brightness.
  @inline(__always)
  func blocks(_ root: Float) -> SIMD4<Float> {
    let (level, part) = place(root)
    let (a, b) = (levels[level].blocks, levels[min(levels.count - 1, level + 1)].blocks)
    return a + part * (b - a)
  }

  /// Variance of middle frequencies at a root of brightness.
  func band(_ root: Float, _ picture: KeyPath<Level, Float>) -> Float {
    let (level, part) = place(root)
    let (a, b) = (levels[level][keyPath: picture], levels[min(levels.count - 1, level + 1)][keyPath: picture])
    return a + part * (b - a)
  }

  /// Variances of a block's colours, of both pictures together, at a root of brightness.
  @inline(__always)
  func bothColours(_ root: Float) -> SIMD4<Float> {
    let (level, part) = place(root)
    let (a, b) = (levels[level], levels[min(levels.count - 1, level + 1)])
    let (first, second) = (a.colours + a.compositeColours, b.colours + b.compositeColours)
    return first + part * (second - first)
  }
}
