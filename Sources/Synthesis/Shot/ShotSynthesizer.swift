public import ImageCore

/// Photographs one scene several times: a full-resolution quad frame and its companions, with independent noise.
///
/// Frames are made one at a time, so that a shot of full size does not have to fit into memory as a whole.
public struct ShotSynthesizer: Sendable {
  /// What is made.
  public let recipe: ShotRecipe
  /// The scene after optics, without the mover, at full resolution.
  private let light: Image<RGB<Float>>
  private let resources: Resources

  private static let rowsPerBand = 16
  private static let companionSeeds: UInt64 = 7919
  private static let freshNoiseStream: UInt32 = 223

  /// Renders the scene.
  public init(_ recipe: ShotRecipe, resources: Resources = Resources()) {
    let step = ShotRecipe.sideStep
    precondition(
      recipe.size.width % step == 0 && recipe.size.height % step == 0 && recipe.frames > 0, "a shot of whole cells")
    self.recipe = recipe
    self.resources = resources
    let scene = Scene(SceneRecipe(kind: recipe.kind, size: recipe.size, seed: recipe.seed), resources: resources)
    light = Optics.apply(Self.lens(recipe), to: scene.light, resources: resources)
  }

  private static func lens(_ recipe: ShotRecipe) -> SensorRecipe {
    var lens = SensorRecipe()
    lens.blurSigma = recipe.blurSigma
    return lens
  }

  /// The light that the full-resolution frame saw: linear sRGB, free of noise, not clipped.
  private var detailLight: Image<RGB<Float>> {
    guard recipe.hasMover else { return light }
    var view = SceneView()
    view.mover = recipe.mover(at: 0)
    return LightWarp(view: view, pitch: 1, gain: 1).applied(to: light, resources: resources)
  }

  /// The full-resolution quad frame, whose moment the truth shows.
  public func detail() -> RawPhoto {
    let full = sensor(isQuad: true, seed: recipe.seed, stops: 0)
    guard recipe.enlargement != .none else {
      return Synthesizer.photo(of: detailLight, sensor: full, resources: resources)
    }
    let light = LightWarp(view: SceneView(), pitch: 2, gain: 1).applied(to: detailLight, resources: resources)
    var photo = Synthesizer.photo(
      of: light, sensor: sensor(isQuad: false, seed: recipe.seed, stops: 0), resources: resources)
    guard case .mosaic(let binned) = photo.pixels else { return photo }
    photo.pixels = .mosaic(
      Mosaic(samples: enlarged(binned.samples, full.noise), cfa: full.cfa, levels: binned.levels))
    photo.defaultCrop = PixelRect(recipe.size)
    photo.noise = full.noise.map { NoiseProfile(planes: [$0]) }
    return photo
  }

  /// Straight lines between photosites of one colour, which are four full-resolution photosites apart: those of a
  /// cluster lie an eighth of that to either side of its centre.
  ///
  /// - Parameter noise: of single photosites.
  private func enlarged(_ binned: Image<UInt16>, _ noise: NoiseProfile.Plane?) -> Image<UInt16> {
    let fresh = recipe.enlargement == .noisy ? noise : nil
    let (black, range) = (Double(recipe.black), Double(recipe.white - recipe.black))
    let near: Float = 7 / 8
    func other(_ place: Int, _ count: Int) -> Int {
      let next = place & 1 == 0 ? place / 2 - 2 : place / 2 + 2
      return next >= 0 && next < count ? next : place / 2
    }
    return Image(recipe.size) { x, y in
      let (column, row) = (other(x, binned.width), other(y, binned.height))
      func across(_ line: Int) -> Float {
        near * Float(binned[x / 2, line]) + (1 - near) * Float(binned[column, line])
      }
      let count = near * across(y / 2) + (1 - near) * across(row)
      guard let fresh else { return UInt16(count.rounded()) }
      var random = CounterRandom(seed: recipe.seed, x: x, y: y, stream: Self.freshNoiseStream)
      let light = max(0, (Double(count) - black) / range)
      let noisy = Double(count) + (fresh.scale * light + fresh.offset).squareRoot() * range * random.normal()
      return UInt16(min(Double(recipe.white), max(0, noisy)).rounded())
    }
  }

  /// A companion, counted from 0.
  public func companion(_ index: Int) -> RawPhoto {
    let isQuad = recipe.companions == .quad
    let stops = recipe.stops(of: index)
    let warp = LightWarp(view: recipe.view(of: index), pitch: isQuad ? 1 : 2, gain: Float(ExactMath.exp2(stops)))
    return Synthesizer.photo(
      of: warp.applied(to: light, resources: resources),
      sensor: sensor(isQuad: isQuad, seed: recipe.seed &+ Self.companionSeeds &* UInt64(index + 1), stops: stops),
      resources: resources)
  }

  /// What a perfect camera of `size` pixels would have seen at the moment of ``detail()``: linear sRGB, free of noise, not
  /// clipped.
  public func truth(size: PixelSize) -> Image<RGB<Float>> { detailLight.resampled(to: size, resources: resources) }

  private func sensor(isQuad: Bool, seed: UInt64, stops: Double) -> SensorRecipe {
    var sensor = SensorRecipe()
    sensor.cfa = isQuad ? CFAPattern(cell: .rggb, clusterSide: 2)! : .rggb
    sensor.black = recipe.black
    sensor.white = recipe.white
    sensor.seed = seed
    sensor.exposureEV = stops
    sensor.model = "DuoSynth Quad48"
    // A binned photosite is the mean of four: a quarter of their variance.
    let photosites = isQuad ? 1.0 : 4.0
    sensor.noise = NoiseProfile.Plane(
      scale: 1 / recipe.electrons / photosites,
      offset: recipe.readNoise * recipe.readNoise / (recipe.electrons * recipe.electrons) / photosites)
    return sensor
  }
}
