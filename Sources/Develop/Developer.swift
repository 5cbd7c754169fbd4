public import ImageCore

/// Develops one photo: normalise → demosaic → colour → tone, tile by tile.
///
/// Nothing of the photo's size is allocated besides the result, and that only where it is wanted as a whole; each thread
/// owns about two megabytes of buffers.
/// Results do not depend on the number of threads.
public struct Developer: Sendable {
  /// What was settled from the file and the options.
  public let resolved: DevelopReport
  let scene: SceneRenderer
  /// `nil` when pixels stay as the demosaic left them.
  let finisher: DetailFinisher?
  /// `nil` when the file has no local gains or they are not wanted.
  let localGains: GainTableKernel?
  let quantiser: Quantiser
  let bounds: PixelRect

  /// Resolves colour and tone and builds their tables.
  ///
  /// - Parameter limit: white-balanced light, 1 where the least amplified colour saturates, at which a camera rendering
  ///   cuts all colours before missing ones are found and after, so that saturated light is neutral; above 0. `nil` cuts
  ///   nothing. Pictures are always cut at 1.
  public init(_ photo: RawPhoto, options: DevelopOptions, limit: Double? = nil) throws(DevelopError) {
    if let limit, !(limit.isFinite && limit > 0) { throw .unusableValue("limit \(limit)") }
    let sensor: [CFAColour] =
      switch photo.pixels {
      case .mosaic(let mosaic): mosaic.cfa.distinctColours
      case .linear: [.red, .green, .blue]
      }
    var calibration = photo.calibration
    // Without a recorded white the scene itself is all there is to go by.
    if options.rendering == .picture, calibration.asShotWhite == .unknown, case .mosaic(let mosaic) = photo.pixels,
      let grey = GreyWorld.neutral(of: mosaic, colours: sensor), calibration.colours == sensor
    {
      calibration.asShotWhite = .neutral(grey)
    }
    let transform = try ColourTransform(calibration, sensor: sensor, options: options)
    let stops = photo.baselineExposure + options.exposure
    guard (0...2).contains(options.detail) else { throw .unusableValue("detail \(options.detail) outside 0...2") }
    guard stops.isFinite, abs(stops) <= Self.largestExposure else { throw .unusableValue("exposure \(stops)") }
    let gain = Elementary.exp2(stops)
    let (colour, highlights): (ColourKernel, Highlights?)
    if options.rendering == .camera {
      guard Set(transform.colours) == [.red, .green, .blue], transform.colours == [.red, .green, .blue] else {
        throw .cameraRenderingNeedsThreeColours(found: transform.colours.count)
      }
      colour = ColourKernel(undoing: transform.multipliers, limit: limit)
      quantiser = Quantiser(curve: nil)
      highlights = nil
    } else if options.encoding == .scene {
      colour = ColourKernel(matrix: Matrix(diagonal: [gain, gain, gain]) * transform.matrix)
      quantiser = Quantiser(curve: nil, floor: 0)
      highlights = Highlights(multipliers: transform.multipliers)
    } else {
      colour = ColourKernel(matrix: transform.matrix)
      quantiser = Quantiser(curve: ToneCurve(options: options, gain: gain))
      highlights = options.tone == .standard ? Highlights(multipliers: transform.multipliers) : nil
    }
    localGains =
      options.rendering == .picture && options.encoding == .display && options.tone == .standard
      ? photo.gainTable.map {
        GainTableKernel($0, size: photo.pixels.size, space: options.outputSpace, exposure: photo.baselineExposure)
      } : nil
    let cut = options.rendering == .picture ? 1 : limit
    let (source, name, quality) = Self.source(photo, transform, options, cut)
    scene = SceneRenderer(source: source, highlights: highlights, colour: colour)
    finisher = Self.finisher(photo, transform, options) {
      SceneRenderer(source: $0, highlights: highlights, colour: colour)
    }
    bounds = PixelRect(photo.pixels.size)
    resolved = DevelopReport(
      neutral: transform.neutral, colours: transform.colours, whiteBalance: transform.multipliers,
      temperature: transform.temperature, matrixSource: transform.source,
      exposureGain: options.rendering == .camera ? 1 : gain, demosaic: name,
      demosaicQuality: quality, detail: finisher == nil ? 0 : options.detail)
  }

  /// Of pictures only: other renderings are for measurements.
  private static func finisher(
    _ photo: RawPhoto, _ transform: ColourTransform, _ options: DevelopOptions,
    _ renderer: (ColourSource) -> SceneRenderer
  ) -> DetailFinisher? {
    guard options.detail > 0, options.rendering == .picture else { return nil }
    let multipliers = Dictionary(
      zip(transform.colours, transform.multipliers), uniquingKeysWith: { first, _ in first })
    let noise = DetailNoiseMeter.noise(of: photo, multipliers: multipliers) { patch in
      renderer(Self.source(patch, transform, options, 1).0)
    }
    return DetailFinisher(strength: options.detail, noise: noise)
  }

  /// Stops beyond which an exposure is a mistake.
  static let largestExposure = 32.0
  /// Sensors narrower or lower than this go the way that needs no mirrored neighbourhood.
  static let smallestBayerSide = 4

  private static func source(
    _ photo: RawPhoto, _ transform: ColourTransform, _ options: DevelopOptions, _ limit: Double?
  ) -> (ColourSource, String, DemosaicQuality?) {
    switch photo.pixels {
    case .linear(let picture):
      return (.linear(LinearDecoder(picture, multipliers: transform.multipliers)), "none", nil)
    case .mosaic(let mosaic):
      let pairs = zip(transform.colours, transform.multipliers)
      let multipliers = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
      let encoder = MosaicEncoder(mosaic, multipliers: multipliers, limit: limit)
      let isRGB = transform.colours == [.red, .green, .blue]
      let quality = options.demosaic ?? .balanced
      // For Bayer arrays the directional method is what `balanced` means: as good as the network and faster.
      if isRGB, quality != .balanced || !mosaic.cfa.isBayer,
        let trained = TrainedDemosaic(
          mosaic, noise: photo.noise, multipliers: multipliers, quality: quality, limit: limit,
          passesLight: options.rendering == .camera,
          whiteIsKnown: options.whiteBalance != .asShot || photo.calibration.asShotWhite != .unknown)
      {
        return (.trained(trained), trained.name, trained.quality)
      }
      if mosaic.cfa.isBayer, isRGB, min(mosaic.size.width, mosaic.size.height) >= smallestBayerSide {
        return (.bayer(encoder, DirectionalDemosaic(mosaic.cfa)), "directional LMMSE", .balanced)
      }
      return (
        .anyPattern(encoder, WeightedMeanDemosaic(mosaic.cfa, colours: transform.colours)), "weighted mean", .balanced
      )
    }
  }
}
