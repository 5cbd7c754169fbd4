internal import CVector

/// The filters of FLIP: what an eye blurs, and where it finds edges and points.
///
/// Source: Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström, Fairchild 2020, "FLIP: a difference evaluator for
/// alternating images", sections 4.1 and 4.2, and its supplement. Taps are halves: from the centre outwards.
struct FlipFilters: Sendable {
  /// Pixels a degree: a screen of 3840 pixels on 0.7 m, seen from 0.7 m.
  static let pixelsPerDegree = 3840 * 3.14159265358979 / 180
  /// Three standard deviations of the widest of the eye's filters, pixels.
  static let colourRadius = Int(cv_flip_wide_radius)
  /// Three standard deviations of the feature filters, pixels.
  static let featureRadius = Int(cv_flip_feature_radius)

  /// Of luminance.
  let achromatic: [Float]
  /// Of red against green.
  let redGreen: [Float]
  /// Of blue against yellow: the sum of two products of a column and a row; weights are in the first of each.
  let blueYellow: [(column: [Float], row: [Float])]
  /// A Gaussian, its first and second derivative, normalised as the paper wants.
  let smooth: [Float]
  let edge: [Float]
  let point: [Float]

  init() {
    achromatic = Self.unit(Self.bell(0.0047))
    redGreen = Self.unit(Self.bell(0.0053))
    // Weights and widths of the two Gaussians of blue and yellow, section 4.1.
    let (wide, near) = (Self.bell(0.04), Self.bell(0.025))
    let pi = 3.14159265358979
    let weights = [34.1 * (pi / 0.04).squareRoot(), 13.5 * (pi / 0.025).squareRoot()]
    let sums = [wide, near].map { $0[0] + 2 * $0.dropFirst().reduce(0, +) }
    let total = weights[0] * sums[0] * sums[0] + weights[1] * sums[1] * sums[1]
    blueYellow = zip([wide, near], weights).map { bell, weight in
      (bell.map { Float($0 * weight / total) }, bell.map { Float($0) })
    }
    // The width of the eye's edge detector, degrees, section 4.2.
    let deviation = 0.5 * 0.082 * Self.pixelsPerDegree
    let places = (0...Self.featureRadius).map(Double.init)
    let bell = places.map { Self.exponential(-$0 * $0 / (2 * deviation * deviation)) }
    smooth = Self.unit(bell)
    // Falling from left to right in the paper; only its size counts. One side sums to 1.
    let slope = zip(places, bell).map(*)
    edge = slope.map { Float($0 / slope.reduce(0, +)) }
    let bend = zip(places, bell).map { ($0 * $0 / (deviation * deviation) - 1) * $1 }
    func both(_ isWanted: (Double) -> Bool) -> Double {
      zip(places, bend).filter { isWanted($0.1) }.map { $0 == 0 ? $1 : 2 * $1 }.reduce(0, +)
    }
    let (above, below) = (both { $0 > 0 }, -both { $0 < 0 })
    point = bend.map { Float($0 > 0 ? $0 / above : $0 / below) }
  }

  private static func exponential(_ x: Double) -> Double { Elementary.exp2(max(-1000, x / Elementary.ln2)) }

  /// exp(−π² r² / b), r in degrees.
  private static func bell(_ b: Double) -> [Double] {
    let pi = 3.14159265358979
    return (0...colourRadius).map { place in
      let r = Double(place) / pixelsPerDegree
      return exponential(-pi * pi * r * r / b)
    }
  }

  private static func unit(_ half: [Double]) -> [Float] {
    let total = half[0] + 2 * half.dropFirst().reduce(0, +)
    return half.map { Float($0 / total) }
  }
}
