/// Gives a picture of little noise the detail of one frame of twice its resolution: 12MP and 48MP make 24MP.
///
/// Both are brought to one grid, the composite laid on the detail frame and the detail frame's light matched to it.
/// Their difference is what the frame knows more plus its noise; by tiles of frequencies, as much of it is added to
/// the composite as stands above the noise. Saturated places come from the composite alone, moved ones from the detail
/// frame alone. Where the frame is too noisy to add anything the composite is enlarged instead.
///
/// - Source: Hasinoff et al. 2016, "Burst photography for high dynamic range and low-light imaging on mobile cameras"
///   (pairwise merging by frequency); Tico, Gelfand & Pulli 2010, "Motion-blur-free exposure fusion" (detail of one
///   frame on the light of several).
public enum Fusion {
  /// Counts of black and white of the result: room below for noise.
  public static let black: Float = 1024
  /// See ``black``.
  public static let white: Float = 65535

  /// - Parameters:
  ///   - composite: linear camera RGB of one pixel a cluster.
  ///   - detail: linear camera RGB of one pixel a photosite; read once, and not at all when the gate is closed.
  ///   - noise: how both look on even surfaces.
  /// - Returns: linear camera RGB in the composite's units, on the detail frame's grid.
  /// - Complexity: O(result pixels); besides inputs and result, about 12 bytes a result pixel and 16 a composite pixel.
  /// - Note: bits do not depend on the number of workers.
  public static func fuse(
    _ composite: FusionComposite, _ detail: FusionDetail, noise: FusionNoiseSource,
    options: FusionOptions = FusionOptions(), resources: Resources = Resources()
  ) throws(FusionError) -> FusionResult {
    let plan = try FusionPlan(
      compositeSize: composite.pixels.size, originX: composite.originX, originY: composite.originY,
      detailSize: detail.size, lightAtWhite: detail.lightAtWhite, noise: noise, options: options,
      resources: resources)
    return plan.run(composite, detail, resources)
  }
}

/// What can be settled before the pictures are there: grids, noise, and whether there is enough light for detail, so
/// that a frame that cannot be used need not be demosaiced.
public struct FusionPlan: Sendable {
  /// How the pictures lie on each other.
  public let geometry: FusionGeometry
  /// Whether the detail frame is to be used as far as noise tells.
  public let decision: FusionReport.Decision
  /// See ``FusionReport/detailNoise``.
  public let detailNoise: Double
  /// See ``FusionReport/compositeNoise``.
  public let compositeNoise: Double

  /// Noise of the detail frame, codes of 255 of the root of light, above which it is not used.
  public static let noiseLimit = 8.0

  let light: FusionLight
  let spectra: NoiseSpectra
  let options: FusionOptions
  let lightAtWhite: Double

  /// Measures noise and settles the grids.
  ///
  /// - Parameters: see ``FusionComposite``, ``FusionDetail`` and ``Fusion/fuse(_:_:noise:options:resources:)``.
  /// - Complexity: twelve even surfaces of about 480 x 480 and 240 x 240 pixels.
  public init(
    compositeSize: PixelSize, originX: Int = 0, originY: Int = 0, detailSize: PixelSize, lightAtWhite: Double,
    noise: FusionNoiseSource, options: FusionOptions = FusionOptions(), resources: Resources = Resources()
  ) throws(FusionError) {
    geometry = try FusionGeometry(
      detail: detailSize, composite: compositeSize, originX: originX, originY: originY)
    guard lightAtWhite.isFinite, lightAtWhite > 0 else { throw .unusableValue("light at white \(lightAtWhite)") }
    guard options.smoothness.isFinite, options.smoothness > 0 else {
      throw .unusableValue("smoothness \(options.smoothness)")
    }
    for value in [options.neutral.red, options.neutral.green, options.neutral.blue]
    where !(value.isFinite && value > 0) { throw .unusableValue("neutral \(value)") }
    let offset = Self.offset(noise.profile, lightAtWhite)
    light = FusionLight(
      domain: FusionDomain(neutral: options.neutral, offset: offset), lightAtWhite: lightAtWhite)
    (self.options, self.lightAtWhite) = (options, lightAtWhite)
    guard
      let calibration = NoiseCalibration(
        geometry, light: light, lightAtWhite: lightAtWhite, resources: resources)
    else { throw .tooSmall(detailSize) }
    spectra = calibration.spectra(noise)
    detailNoise = spectra.deviation(\.detail)
    compositeNoise = spectra.deviation(\.composite)
    decision =
      switch options.gate {
      case .auto: detailNoise > Self.noiseLimit ? .tooDark : .fused
      case .open: .fused
      case .closed: .asked
      }
  }

  /// Read noise over photon noise in composite units, within reason.
  private static func offset(_ profile: NoiseProfile, _ lightAtWhite: Double) -> Double {
    let ratios = profile.planes.map { $0.scale > 0 ? max(0, $0.offset) / $0.scale : 0 }
    let mean = ratios.reduce(0, +) / Double(ratios.count)
    let (least, most) = (1e-5, 0.05)
    return lightAtWhite * min(most, max(least, mean.isFinite ? mean : least))
  }

  /// Fuses as planned; the pictures must be those that the plan was made for.
  public func run(
    _ composite: FusionComposite, _ detail: FusionDetail, _ resources: Resources = Resources()
  ) -> FusionResult {
    precondition(
      composite.pixels.size == geometry.composite && detail.size == geometry.detail, "other pictures than planned")
    guard decision == .fused else { return enlarged(composite, decision, FusionRegistration.none.report, resources) }
    var reduced = DetailReduction(geometry, light: light, resources: resources).run(detail)
    let registration =
      options.alignment == .none
      ? FusionRegistration.none
      : FusionRegistration(
        detail: reduced.grey, composite: GreyRoots.image(of: composite.pixels, light, resources),
        noise: spectra.greyNoise, resources: resources)
    let sharpness = DetailEvidence(light: light, spectra: spectra, flow: registration.flow)
      .ratio(reduced.grey, composite.pixels)
    reduced.grey = Image(PixelSize(width: 1, height: 1), repeating: 0)
    if registration.isUnrelated { return enlarged(composite, .differentScenes, registration.report, resources) }
    if options.gate == .auto, let sharpness, sharpness < DetailEvidence.least {
      return enlarged(composite, .noDetail, registration.report, resources, sharpness: sharpness)
    }
    let blocks = BlockComparison(reduced, composite.pixels, geometry, light, flow: registration.flow, resources)
    let match = PhotometricMatch(blocks, light, spectra)
    let masks = FusionMasks(blocks, match, light, spectra, resources)
    let merger = FusionMerger(
      plan: self, planes: reduced.planes,
      sampler: CompositeSampler(geometry, domain: light.domain, flow: registration.flow), match: match, masks: masks)
    let (pixels, source) = merger.run(composite.pixels, resources)
    var report = report(.fused, registration.report)
    report.sharpness = sharpness
    report.gains = RGBTriple(Double(match.gain.x), Double(match.gain.y), Double(match.gain.z))
    (report.smallestGain, report.largestGain) = match.range
    (report.clippedShare, report.ghostShare) = (masks.clippedShare, masks.ghostShare)
    report.detailShare = source.share
    let ghosts = Image<UInt8>(masks.ghost.size) { x, y in UInt8((255 * masks.ghost[x, y]).rounded()) }
    return FusionResult(
      pixels: pixels, levels: Self.levels, noise: noise, sourceMap: source.map, ghostMap: ghosts, report: report)
  }

  private static let levels = SensorLevels(
    black: BlackLevel(uniform: Fusion.black, planes: 3), white: [Fusion.white, Fusion.white, Fusion.white])

  /// That of the enlarged composite, and of rounding to counts.
  private var noise: NoiseProfile {
    let step = 1 / Double(Fusion.white - Fusion.black)
    return NoiseProfile(
      planes: spectra.enlargedNoise(light.domain).planes.map {
        .init(scale: $0.scale, offset: $0.offset + step * step / 12)
      })
  }

  private func enlarged(
    _ composite: FusionComposite, _ decision: FusionReport.Decision, _ registration: FusionReport.Registration,
    _ resources: Resources, sharpness: Double? = nil
  ) -> FusionResult {
    var report = report(decision, registration)
    report.sharpness = sharpness

    let merger = FusionMerger(
      plan: self, planes: nil, sampler: CompositeSampler(geometry, domain: light.domain, flow: nil), match: .none,
      masks: nil)
    let (pixels, source) = merger.run(composite.pixels, resources)
    return FusionResult(
      pixels: pixels, levels: Self.levels, noise: noise, sourceMap: source.map,
      ghostMap: Image(DetailReduction.blockGrid(geometry.composite), repeating: 0),
      report: report)
  }

  private func report(
    _ decision: FusionReport.Decision, _ registration: FusionReport.Registration
  ) -> FusionReport {
    FusionReport(
      detailSize: geometry.detail, compositeSize: geometry.composite, size: geometry.size,
      ratioNumerator: geometry.numerator, ratioDenominator: geometry.denominator, decision: decision,
      detailNoise: detailNoise, compositeNoise: compositeNoise, noiseLimit: Self.noiseLimit,
      registration: registration, gains: RGBTriple(1, 1, 1), smallestGain: 1, largestGain: 1, clippedShare: 0,
      ghostShare: 0, detailShare: 0)
  }
}

extension NoiseSpectra {
  /// Variance of a composite pixel's difference of brightness, of the brighter half of the levels, where noise of
  /// roots is largest.
  var greyNoise: Float { levels.map(\.grey).max()! }
}
