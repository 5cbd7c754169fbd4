/// Weights of Lanczos interpolation for the two grids of a fusion.
enum FusionTaps {
  /// The shrinking of the detail frame along one axis: `numerator` sets of weights that repeat exactly.
  ///
  /// The window grows by the factor, so that every source pixel counts by its area. Result pixel `i` is the sum over
  /// `taps` source pixels from `first(i)` on, which may lie outside; there the border pixel counts.
  struct Shrink: Sendable {
    let taps: Int
    private let numerator: Int
    private let denominator: Int
    /// Of the first `numerator` result pixels; later ones lie `denominator` further on for each cycle.
    let starts: [Int]
    /// `taps` for each phase.
    let weights: [Float]

    init(numerator: Int, denominator: Int) {
      let scale = Double(denominator) / Double(numerator)
      let reach = Resample.lobes * scale
      taps = Int(2 * reach) + 1
      (self.numerator, self.denominator) = (numerator, denominator)
      var (starts, weights) = ([Int](), [Float]())
      for phase in 0..<numerator {
        let centre = (Double(phase) + 0.5) * scale - 0.5
        let start = Int((centre - reach).rounded(.up))
        let values = (0..<taps).map { Resample.lanczos((Double(start + $0) - centre) / scale) }
        starts.append(start)
        weights += Resample.quantised(values).map { Float($0) }
      }
      (self.starts, self.weights) = (starts, weights)
    }

    /// The first source pixel of result pixel `i`.
    func first(_ i: Int) -> Int { starts[i % numerator] + i / numerator * denominator }
    /// Where the weights of result pixel `i` start.
    func weightIndex(_ i: Int) -> Int { i % numerator * taps }
    /// The largest source pixel (or one beyond the border) that result pixel `i` needs.
    func last(_ i: Int) -> Int { first(i) + taps - 1 }
  }

  /// Enlarging: weights of six pixels for places in steps of one over ``steps`` of a pixel.
  struct Enlarge: Sendable {
    static let taps = 6
    /// A multiple of the grid's phases, so that places without motion are exact.
    let steps: Int
    let weights: [Float]

    /// Places are rounded to at most this part of a pixel.
    private static let finest = 512

    init(phases: Int) {
      steps = phases * ((Self.finest + phases - 1) / phases)
      var weights: [Float] = []
      for step in 0..<steps {
        let part = Double(step) / Double(steps)
        let values = (0..<Self.taps).map { Resample.lanczos(Double($0 - 2) - part) }
        weights += Resample.quantised(values).map { Float($0) }
      }
      self.weights = weights
    }
  }
}
