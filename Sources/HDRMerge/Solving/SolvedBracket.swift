import ImageCore

/// A bracket whose frames are checked, ordered, put on one scale and in register.
struct SolvedBracket: Sendable {
  /// More of the frame than this, beyond what even the shortest exposure clips, disqualifies a reference; unless all
  /// that clip less are too dark to be a picture: then up to the second share.
  static let referenceClipping = 0.03
  static let darkReferenceClipping = 0.25
  /// The median light below which a frame is too dark to be a picture: two and a half stops below mid grey.
  static let darkMedian: Float = 0.03
  /// Stops by which recorded and measured exposure may differ before it is worth a word.
  static let recordTolerance = 0.2
  /// Share of comparable blocks that must agree on a ratio.
  static let leastAgreement = 0.1
  /// The same for frames that nothing but their light relates.
  static let relatedAgreement = 0.3

  /// The reference as it came.
  let reference: RawPhoto
  let plan: MergePlan
  let report: MergeReport
  /// The brightest light that any frame measured, in units of the reference.
  let brightest: Double

  /// - Parameter fewest: frames needed at least; one frame alone is its own reference.
  init(
    _ photos: [RawPhoto], options: MergeOptions, fewest: Int = 2, resources: Resources
  ) throws(MergeError) {
    try Self.check(photos, options, fewest: fewest)
    var sides: [Side] = []
    for (index, photo) in photos.enumerated() {
      sides.append(try Side(photo, index: index, workers: resources.workers))
    }
    // By the light in the pixels, which needs no facts; the order given decides between equals.
    sides.sort { ($0.brightness, $0.index) < ($1.brightness, $1.index) }
    var warnings: [String] = []
    try Self.guessExposures(&sides, photos)
    let chosen = options.reference.map { wanted in sides.firstIndex { $0.index == wanted }! } ?? Self.choose(sides)
    Self.relate(&sides, to: chosen)
    let alignments = try Self.align(sides, to: chosen, options, resources, &warnings)
    Self.solveExposures(&sides, photos, alignments, reference: chosen, &warnings)
    if options.response == .rendered { ResponseMatch.apply(to: &sides, alignments, reference: chosen) }
    warnings += Self.deniedFacts(sides, photos, reference: chosen)
    var plan = MergePlan(
      frames: sides.map(\.frame), placements: alignments.map(\.placement), reference: chosen,
      deghosts: options.deghosting == .auto, averaging: options.averaging)
    plan.balance = Self.balance(photos[sides[chosen].index])
    if options.response == .rendered { plan.tolerance = MotionTest.renderedTolerance }
    self.plan = plan
    brightest = sides.map { Double($0.light.peaks.max() ?? 0) / $0.frame.exposure }.max() ?? 1
    reference = photos[sides[chosen].index]
    report = MergeReport(
      frames: zip(sides, alignments).map { side, alignment in
        side.report(photos, reference: sides[chosen], alignment)
      }, reference: sides[chosen].index, headroom: 0,
      clippedShare: 0, ghostShare: 0, warnings: warnings)
  }

  /// The longest exposure that clips hardly more than the shortest does, or the next that is not too dark.
  private static func choose(_ sides: [Side]) -> Int {
    let least = sides[0].light.clippedShare
    var chosen = sides.lastIndex { $0.light.clippedShare <= least + referenceClipping } ?? 0
    while chosen + 1 < sides.count, sides[chosen].light.median < darkMedian,
      sides[chosen + 1].light.clippedShare <= least + darkReferenceClipping
    {
      chosen += 1
    }
    return chosen
  }

  /// Exposures so far relative to the shortest frame become relative to the reference.
  private static func relate(_ sides: inout [Side], to reference: Int) {
    let unit = sides[reference].frame.exposure
    for index in sides.indices { sides[index].frame.exposure /= unit }
  }

  /// Exposures that are good enough to choose a reference and to align by.
  private static func guessExposures(_ sides: inout [Side], _ photos: [RawPhoto]) throws(MergeError) {
    for index in sides.indices.dropFirst() {
      let (short, long) = (sides[index - 1], sides[index])
      var ratio = ExposureRatio.solve(short: short, long: long)
      if (ratio?.agreement ?? 0) < leastAgreement { ratio = ExposureRatio.match(short: short, long: long) }
      let recorded = short.recorded(photos).flatMap { a in long.recorded(photos).map { $0 / a } }
      guard let value = ratio?.value ?? recorded else { throw .unknownRatio(frame: long.index) }
      sides[index].frame.exposure = short.frame.exposure * value
    }
  }

  /// Frames from which on each one counts so little that its tiles may be placed with half the work.
  private static let burst = 5

  private static func align(
    _ sides: [Side], to reference: Int, _ options: MergeOptions, _ resources: Resources, _ warnings: inout [String]
  ) throws(MergeError) -> [FrameAlignment] {
    var result: [FrameAlignment] = []
    let base = sides[reference].frame
    func view(_ others: [SourceFrame]) -> AlignmentReference {
      AlignmentReference(base, with: others, isOneOfMany: sides.count >= burst, resources: resources)
    }
    let alike = sides.filter { $0.index != sides[reference].index && ExposureGroup.areAlike($0.frame, base) }
    let many = Set(alike.map(\.index))
    var shared: AlignmentReference?
    for (index, side) in sides.enumerated() {
      guard index != reference, options.alignment != .none else {
        result.append(.none())
        continue
      }
      let isShared = many.contains(side.index)
      var target = isShared ? shared ?? view(alike.map(\.frame)) : view([side.frame])
      let alignment = FrameAlignment(
        side.frame, to: &target, local: options.alignment == .auto, resources: resources)
      if isShared { shared = target }
      if alignment.isUnrelated {
        throw .unrelated(frame: side.index, correlation: alignment.similarity)
      }
      if alignment.isUncertain {
        // Without structure to go by, light alone can still tell that the scene is another.
        let (short, long) = index < reference ? (side, sides[reference]) : (sides[reference], side)
        let ratio = ExposureRatio.solve(short: short, long: long)
        if let ratio, ratio.agreement < relatedAgreement {
          throw .unrelated(frame: side.index, correlation: alignment.similarity)
        }
        warnings.append("frame \(side.index + 1): no trustworthy alignment found; taken as it lies")
      }
      result.append(alignment)
    }
    return result
  }

  /// Exposures from blocks that lie on each other: beside the reference or, when hardly any light is common with it,
  /// beside the next frame on the way there. What pixels cannot tell reliably is believed as recorded.
  private static func solveExposures(
    _ sides: inout [Side], _ photos: [RawPhoto], _ alignments: [FrameAlignment], reference: Int,
    _ warnings: inout [String]
  ) {
    let grid = BlockGrid(sides[reference])
    func ratio(_ lower: Int, _ upper: Int) -> ExposureRatio? {
      let (a, b) = (alignments[lower].motion, alignments[upper].motion)
      return ExposureRatio.solve(
        short: sides[lower], long: sides[upper],
        motion: a == b
          ? nil
          : { x, y in
            let (p, q) = (grid.displacement(a, x, y), grid.displacement(b, x, y))
            return (q.x - p.x, q.y - p.y)
          })
    }
    for index in Array((0..<reference).reversed()) + Array(reference + 1..<sides.count) {
      let next = index < reference ? index + 1 : index - 1
      func recorded(beside base: Int) -> Double? {
        sides[index].recorded(photos).flatMap { mine in sides[base].recorded(photos).map { mine / $0 } }
      }
      var solved: Double?
      for base in next == reference ? [next] : [reference, next] where solved == nil {
        let facts = recorded(beside: base).map { index < base ? 1 / $0 : $0 }
        guard let ratio = ratio(min(index, base), max(index, base)), ratio.isReliable(recorded: facts) else {
          continue
        }
        solved = sides[base].frame.exposure * (index < base ? 1 / ratio.value : ratio.value)
      }
      let recorded = recorded(beside: reference)
      if solved == nil {
        let believed = recorded == nil ? "exposure is guessed from the pixels" : "recorded exposure is believed"
        warnings.append("frame \(sides[index].index + 1): too little common light; its \(believed)")
      }
      if let exposure = solved ?? recorded { sides[index].frame.exposure = exposure }
    }
    if sides.contains(where: { $0.recorded(photos) == nil }) {
      warnings.append("exposure facts are missing; exposure ratios are from the pixels alone")
    }
  }

  /// Exposure facts that the pixels deny.
  private static func deniedFacts(_ sides: [Side], _ photos: [RawPhoto], reference: Int) -> [String] {
    sides.compactMap { side in
      guard side.index != sides[reference].index, let mine = side.recorded(photos),
        let others = sides[reference].recorded(photos)
      else { return nil }
      let (recorded, found) = (mine / others, side.frame.exposure)
      guard abs(Elementary.log2(recorded / found)) > recordTolerance else { return nil }
      let hundredths = 100.0
      return
        "frame \(side.index + 1): its facts say \((recorded * hundredths).rounded() / hundredths) times the reference's light, its pixels \((found * hundredths).rounded() / hundredths); the pixels are believed"
    }
  }

  /// What makes grey equal in red, green and blue.
  static func balance(_ photo: RawPhoto) -> [Float] {
    guard case .neutral(let neutral) = photo.calibration.asShotWhite, neutral.count == 3,
      photo.calibration.colours == [.red, .green, .blue], neutral.allSatisfy({ $0 > 0 })
    else { return [1, 1, 1] }
    return neutral.map { Float(neutral[1] / $0) }
  }

  private static func check(_ photos: [RawPhoto], _ options: MergeOptions, fewest: Int) throws(MergeError) {
    guard let first = photos.first, photos.count >= fewest else { throw .tooFewFrames(found: photos.count) }
    for (index, photo) in photos.enumerated().dropFirst() {
      guard photo.pixels.size == first.pixels.size else {
        throw .differentSize(frame: index, found: photo.pixels.size, expected: first.pixels.size)
      }
      guard photo.pattern == first.pattern else {
        throw .differentPattern(frame: index, found: photo.pattern, expected: first.pattern)
      }
      if let a = photo.facts.model, let b = first.facts.model, a != b {
        throw .differentCamera(frame: index, found: a, expected: b)
      }
    }
    if let reference = options.reference, !photos.indices.contains(reference) {
      throw .noSuchReference(number: reference + 1, count: photos.count)
    }
  }
}

extension RawPhoto {
  /// The pattern's name, for messages and comparison.
  fileprivate var pattern: String {
    switch pixels {
    case .mosaic(let mosaic): mosaic.cfa.description
    case .linear: "linear RGB"
    }
  }
}

/// One frame while it is being solved.
struct Side {
  let index: Int
  var frame: SourceFrame
  let light: BlockLight

  init(_ photo: RawPhoto, index: Int, workers: Workers) throws(MergeError) {
    self.index = index
    var frame = SourceFrame(photo)
    frame.saturation = SaturationLevel.find(frame)
    if frame.noise.scale == 0 && frame.noise.offset == 0, let noise = frame.estimatedNoise {
      frame.noise = noise
    }
    frame.noise.offset = max(frame.noise.offset, frame.roundingVariance)
    light = BlockLight(frame, workers: workers)
    self.frame = frame
    let least = 6 * (frame.noise.offset / Double(samplesPerBlock)).squareRoot()
    let most = frame.saturation * TileMerger.fadeStart
    let usable = light.means.count { Double($0) > least && $0 < most }
    let leastUsable = 1000  // one block in this many
    guard usable * leastUsable >= light.means.count, usable > 0 else { throw .noUsableLight(frame: index) }
  }

  var samplesPerBlock: Int { light.cells.area * frame.cell.count }

  /// Mean of the light, saturated or not: grows with exposure.
  var brightness: Double { light.means.reduce(0) { $0 + Double($1) } }

  /// Time x sensitivity / f-number², up to a common factor.
  func recorded(_ photos: [RawPhoto]) -> Double? {
    let facts = photos[index].facts
    guard let time = facts.exposureTime, time > 0, let iso = facts.iso, iso > 0 else { return nil }
    let apertures = photos.map(\.facts.fNumber)
    // Manual lenses record no aperture; then it was the same for all, as long as none records one.
    if apertures.allSatisfy({ $0 == nil || $0 == 0 }) { return time * iso }
    guard let aperture = facts.fNumber, aperture > 0 else { return nil }
    return time * iso / (aperture * aperture)
  }

  func report(_ photos: [RawPhoto], reference: Side, _ alignment: FrameAlignment) -> MergeReport.Frame {
    let mine = recorded(photos)
    let others = reference.recorded(photos)
    let degrees = 180 / 3.141592653589793
    return MergeReport.Frame(
      index: index, exposure: frame.exposure, recordedExposure: mine.flatMap { a in others.map { a / $0 } },
      clippedShare: light.clippedShare, saturation: Double(frame.saturation), noise: frame.noise,
      shiftX: alignment.motion.shiftX,
      shiftY: alignment.motion.shiftY, rotation: alignment.motion.turn * degrees, similarity: alignment.similarity)
  }
}
