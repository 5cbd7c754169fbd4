import ImageCore

/// How a frame lies on the reference, and what is worth saying about it.
struct FrameAlignment {
  let placement: FramePlacement
  /// In pixels.
  let motion: SimilarityMotion
  let similarity: Double
  /// The frame could not be aligned and is taken as it lies.
  let isUncertain: Bool
  /// Both frames have structure, and it is not the same.
  private(set) var isUnrelated = false

  /// Correlation of gradients above which two frames certainly show one scene.
  private static let certain = 0.35
  /// Below this they certainly do not, when both have structure.
  private static let unrelated = 0.12
  /// Gradients must have this many times the energy of noise to be structure.
  private static let leastStructure = 4.0
  /// Motion of no corner beyond this, in cells, is no motion: it is within the error of the fit.
  private static let still = 0.06
  /// A motion must fit better than none, and a small one better than its reverse by this.
  private static let leastPreference = 0.004
  /// Deviations from a whole-cell shift below this, in cells, are not worth an interpolation.
  private static let whole = 0.04

  static func none(_ similarity: Double = 1) -> FrameAlignment {
    FrameAlignment(placement: .identity, motion: .identity, similarity: similarity, isUncertain: false)
  }

  private init(placement: FramePlacement, motion: SimilarityMotion, similarity: Double, isUncertain: Bool) {
    (self.placement, self.motion, self.similarity, self.isUncertain) = (placement, motion, similarity, isUncertain)
  }

  /// What noise adds to the mean squared gradient at a level: two differences of two pixels, whose variance falls by
  /// ten at the first halving (taps 1 3 3 1) and by four at each further one, as pixels become independent.
  private static func noiseEnergy(_ noise: Float, level: Int) -> Double {
    let first = 0.1
    var variance = Double(noise)
    for step in 0..<level { variance *= step == 0 ? first : 0.25 }
    return 4 * variance
  }

  /// Aligns `frame`, one of those that `reference` was made with.
  init(_ frame: SourceFrame, to reference: inout AlignmentReference, local: Bool, resources: Resources) {
    let noise = GreyFrame.Encoding.noise(reference.frame, frame)
    let a = reference.pyramid
    let b = GreyPyramid(GreyFrame.image(of: frame, reference.encoding, resources: resources), resources: resources)
    let found = GlobalAlignment(reference: a, other: b, workers: resources.workers)
    let cell = frame.cell
    let size = a.levels[0].size
    func pixels(_ motion: SimilarityMotion) -> SimilarityMotion { motion.scaled(by: Double(cell.pixelWidth)) }
    let motion = found.motion
    let hasStructure =
      found.structure > Self.leastStructure * Self.noiseEnergy(noise, level: found.judgedLevel)
    let best = max(found.similarity, found.similarityAtRest)
    guard hasStructure, best >= Self.unrelated else {
      self.init(placement: .identity, motion: .identity, similarity: best, isUncertain: true)
      isUnrelated = hasStructure
      return
    }
    let isSmall = found.gain < 1
    let isBetter =
      isSmall
      ? found.gain > 0 && found.preference > max(Self.leastPreference, 0.5 * found.gain)
      : found.similarity > found.similarityAtRest
    guard isBetter, motion.largestDisplacement(in: size) > Self.still else {
      let uncertain = found.similarityAtRest < Self.certain
      self.init(
        placement: .identity, motion: .identity, similarity: found.similarityAtRest, isUncertain: uncertain)
      return
    }
    guard found.similarity >= Self.certain else {
      self.init(
        placement: .identity, motion: .identity, similarity: best, isUncertain: true)
      return
    }
    let shift = (x: motion.shiftX.rounded(), y: motion.shiftY.rounded())
    let rest = SimilarityMotion(
      shiftX: motion.shiftX - shift.x, shiftY: motion.shiftY - shift.y, stretch: motion.stretch, turn: motion.turn)
    if rest.largestDisplacement(in: size) < Self.whole {
      self.init(
        placement: .cells(x: Int(shift.x), y: Int(shift.y)),
        motion: pixels(SimilarityMotion(shiftX: shift.x, shiftY: shift.y)), similarity: found.similarity,
        isUncertain: false)
      return
    }
    let flow =
      local
      ? TileAlignment(reference.structure(resources.workers), other: b, noise: noise).flow(
        from: motion, workers: resources.workers)
      : TileFlow(motion, size: size, spacing: TileAlignment.spacing)
    self.init(placement: .flow(flow), motion: pixels(motion), similarity: found.similarity, isUncertain: false)
  }
}
