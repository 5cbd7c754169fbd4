import Develop
import HDRMerge
import ImageCore
import TIFFTags

/// Merged light and full-resolution frame → the fused photo.
struct ShotFuser {
  private let frames: ShotFrames
  private let base: FuseBase
  private let options: FusionOptions
  private let quality: DemosaicQuality?
  private let resources: Resources
  private var warnings: [String] = []
  private var lightAtWhite = 1.0
  private var recordedLightAtWhite: Double?

  /// Stops by which recorded and measured exposure may differ before the pixels are believed.
  private static let recordTolerance = 0.3

  init(
    frames: ShotFrames, base: FuseBase, options: FusionOptions, quality: DemosaicQuality?, resources: Resources
  ) {
    (self.frames, self.base, self.options, self.quality) = (frames, base, options, quality)
    self.resources = resources
  }

  mutating func run(_ clock: inout StageClock) throws(JobFailure) -> FusedShot {
    settleExposure()
    let origin = frames.detail.clusterOrigin
    let result = try fused(frames.detail, origin, &clock)
    let fusion = result.report
    guard fusion.decision != .differentScenes else {
      throw JobFailure(
        .badData,
        "\(frames.detailPath.string) and \(frames.basePaths[frames.reference].string): \(fusion.reason)")
    }
    try ShotCheck.colours(fusion.gains)
    let photo = fusion.decision == .fused ? photo(of: result, origin: origin) : base.photo
    let reference = frames.basePaths[frames.reference]
    let report = FuseReport(
      detail: frames.detailPath.string, base: frames.basePaths.map(\.string), reference: reference.string,
      decision: fusion.decision, reason: fusion.reason,
      ratio: "\(fusion.ratioNumerator)/\(fusion.ratioDenominator)", lightAtWhite: lightAtWhite,
      recordedLightAtWhite: recordedLightAtWhite, resolution: frames.resolution,
      noiseEstimated: frames.noiseEstimated, noise: photo.noise,
      baseNoise: NoiseProfile(estimatedFrom: base.photo), fusion: fusion)
    return FusedShot(
      photo: photo, reference: reference, report: report, merge: base.report, cfa: frames.cfa,
      siteGains: frames.siteGains,
      warnings: frames.warnings + warnings + (base.report?.warnings ?? []), sourceMap: result.sourceMap,
      ghostMap: result.ghostMap)
  }

  /// White-balanced light at which all colours of the base are cut: the white that all of them reach. Where it is
  /// saturated colours end at their own whites, and interpolation would draw coloured rims around lamps.
  private let baseLimit = 1.0
  /// The same scene light in the detail frame's units.
  private var detailLimit: Double { baseLimit / lightAtWhite }

  private func fused(
    _ detail: RawPhoto, _ origin: (x: Int, y: Int), _ clock: inout StageClock
  ) throws(JobFailure) -> FusionResult {
    var camera = DevelopOptions.standard
    camera.rendering = .camera
    camera.demosaic = quality
    let detailDeveloper: Developer
    let baseDeveloper: Developer
    do {
      (detailDeveloper, baseDeveloper) = (
        try Developer(detail, options: camera, limit: detailLimit),
        try Developer(base.photo, options: camera, limit: baseLimit)
      )
    } catch { throw JobFailure(error) }
    var light = Image<RGB<Float>>(uninitialized: base.photo.pixels.size, in: resources.pool)
    baseDeveloper.render(PixelRect(light.size), orientation: .up, into: &light, resources: resources)
    clock.mark("demosaic")
    var options = options
    let neutral = baseDeveloper.resolved.neutral
    if neutral.count == 3 { options.neutral = RGBTriple(neutral[0], neutral[1], neutral[2]) }
    let (size, resources) = (detail.pixels.size, resources)
    let source = FusionDetail(size: size, lightAtWhite: lightAtWhite) { rows, band in
      let rect = PixelRect(x: 0, y: rows.lowerBound, width: size.width, height: rows.count)
      detailDeveloper.render(rect, orientation: .up, into: &band, resources: resources)
    }
    defer { clock.mark("fuse") }
    do {
      return try Fusion.fuse(
        FusionComposite(pixels: light, originX: origin.x, originY: origin.y), source,
        noise: noise(detail, camera), options: options, resources: resources)
    } catch { throw JobFailure(.badData, error.description) }
  }

  /// Seeds of the even surfaces: any two.
  private static let seeds: (detail: UInt64, base: UInt64) = (1, 2)

  private func noise(_ detail: RawPhoto, _ options: DevelopOptions) -> FusionNoiseSource {
    let full = EvenSurface(like: detail, options: options, limit: detailLimit, seed: Self.seeds.detail)
    let merged = EvenSurface(like: base.photo, options: options, limit: baseLimit, seed: Self.seeds.base)
    return FusionNoiseSource(
      profile: detail.noise ?? NoiseProfile(planes: [NoiseProfile.Plane(scale: 0, offset: 0)]),
      detail: full.picture, composite: merged.picture)
  }

  /// The result on the reference's terms: its calibration, facts and exposure; crop and noise are its own. (Noise could not be found in its pixels: neighbours
  /// share it, so that their differences show less than half of it.)
  private func photo(of result: FusionResult, origin: (x: Int, y: Int)) -> RawPhoto {
    var photo = base.photo
    photo.pixels = .linear(LinearPicture(samples: result.pixels, levels: result.levels))
    let report = result.report
    func place(_ position: Int, _ origin: Int) -> Int {
      (origin + 2 * position) * report.ratioNumerator / report.ratioDenominator
    }
    let crop = base.photo.defaultCrop
    let isWhole = crop == PixelRect(base.photo.pixels.size)
    let (left, top) = (place(crop.x, origin.x), place(crop.y, origin.y))
    let scaled = PixelRect(
      x: left, y: top, width: place(crop.x + crop.width, origin.x) - left,
      height: place(crop.y + crop.height, origin.y) - top)
    photo.defaultCrop = isWhole ? PixelRect(report.size) : PixelRect(report.size).intersection(scaled)
    photo.noise = result.noise
    return photo
  }

  /// What the detail frame's white level is on the base's scale: by the exposures that the files record, or by the
  /// pixels where they deny it.
  private mutating func settleExposure() {
    let photo = base.photo
    let headroom = Elementary.exp2(photo.baselineExposure - frames.referenceExposure)
    let recorded = photo.facts.light.flatMap { a in frames.detail.facts.light.map { a / $0 / headroom } }
    recordedLightAtWhite = recorded
    let measured = LightRatio.measure(photo, over: frames.detail)
    switch (recorded, measured) {
    case (let recorded?, let measured?):
      lightAtWhite = recorded
      guard abs(Elementary.log2(measured / recorded)) > Self.recordTolerance else { return }
      lightAtWhite = measured
      let stops = (Elementary.log2(recorded / measured) * 10).rounded() / 10
      warnings.append(
        "the detail frame's light differs by \(stops) EV from what exposures say; the pixels are believed")
    case (let recorded?, nil): lightAtWhite = recorded
    case (nil, let measured?): lightAtWhite = measured
    case (nil, nil):
      warnings.append("exposures are not recorded and cannot be measured: equal ones are assumed")
    }
  }
}

extension RawPhoto {
  /// Where the first whole cluster starts.
  fileprivate var clusterOrigin: (x: Int, y: Int) {
    guard case .mosaic(let mosaic) = pixels, let clusters = mosaic.cfa.clusters else { return (0, 0) }
    return (clusters.originX, clusters.originY)
  }
}
