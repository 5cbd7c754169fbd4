public import Develop
public import HDRMerge
public import ImageCore
public import PhotoFiles
public import RawFiles

/// What is to become of captures, as one value: read from a JSON file, changed key by key, written into each report.
///
/// `nil` means "not said": the next layer (file, then `--set`, then options) or the default decides. ``RecipeKey`` has
/// the names of all keys.
public struct Recipe: Sendable, Hashable {
  /// The largest picture asked for.
  public var maxPhotoDimensions: PhotoDimensions?
  /// Speed or quality.
  public var photoQualityPrioritization: PhotoQualityPrioritization?
  /// The exact ratio to crop to, as the picture is seen upright.
  public var aspectRatio: AspectRatio?
  /// Which part a crop keeps.
  public var gravity: Gravity?
  /// How pixels are turned.
  public var rotation: Rotation?
  /// Whether the upright picture is mirrored.
  public var mirroring: Mirroring?
  /// How RAW data become a picture.
  public var develop = Develop()
  /// How exposure brackets become one.
  public var merge = Merge()
  /// What is known better than the file says.
  public var sensor = Sensor()
  /// How clusters become photosites.
  public var bin = Bin()
  /// The file a picture becomes.
  public var output = Output()

  /// How RAW data become a picture.
  public struct Develop: Sendable, Hashable {
    /// A picture, or linear camera RGB.
    public var rendering: DevelopOptions.Rendering?
    /// The curve from scene light to display light.
    public var tone: DevelopOptions.Tone?
    /// Which light is white.
    public var whiteBalance: DevelopOptions.WhiteBalance?
    /// Stops to add.
    public var exposure: Double?
    /// How carefully missing colours are found.
    public var demosaic: DemosaicQuality?
    /// How far noise is taken out and edges are sharpened, 0...2.
    public var detail: Double?
  }

  /// How exposure brackets become one.
  public struct Merge: Sendable, Hashable {
    /// How frames are brought into register.
    public var align: MergeOptions.Alignment?
    /// What happens to things that moved.
    public var deghost: MergeOptions.Deghosting?
  }

  /// What is known better than the file says.
  public struct Sensor: Sendable, Hashable {
    /// The colour filter array.
    public var cfa: CFAPattern?
    /// Black level, counts.
    public var black: Double?
    /// Saturation, counts.
    public var white: Double?
  }

  /// How clusters of one colour become one photosite each.
  public struct Bin: Sendable, Hashable {
    /// What becomes of their counts.
    public var mode: BinMode?
  }

  /// The file a picture becomes.
  public struct Output: Sendable, Hashable {
    /// The kind of file.
    public var format: OutputSettings.Format?
    /// JPEG quality, 1...100.
    public var quality: Int?
    /// Bits a sample: 8, 16 or 32.
    public var bits: Int?
    /// The colour space of the picture.
    public var profile: OutputColourSpace?
    /// How TIFF samples are packed.
    public var compression: TIFFCompression?
    /// How DNG samples are packed.
    public var dngCompression: DNGWriteOptions.Compression?
    /// How much colour resolution JPEG keeps.
    public var chroma: JPEGQuality.ChromaSubsampling?
    /// Whether EXIF, GPS and XMP are left out.
    public var strip: Bool?
  }

  /// A recipe that says nothing.
  public init() {}
}

extension Recipe {
  /// How pixels are laid: upright, not mirrored and not cropped where nothing is said.
  public var geometry: GeometryChoice {
    GeometryChoice(
      rotation: rotation ?? .apply, mirroring: mirroring ?? .auto, aspectRatio: aspectRatio,
      gravity: gravity ?? .center)
  }

  /// How RAW data become a picture: ``DevelopOptions/standard`` where nothing is said.
  public var developOptions: DevelopOptions {
    var options = DevelopOptions.standard
    options.rendering = develop.rendering ?? options.rendering
    if output.format == .exr { (options.tone, options.encoding) = (.linear, .scene) }
    options.tone = develop.tone ?? options.tone
    options.whiteBalance = develop.whiteBalance ?? options.whiteBalance
    options.exposure = develop.exposure ?? options.exposure
    options.demosaic = develop.demosaic ?? photoQualityPrioritization?.demosaic
    options.detail = develop.detail ?? Self.standardDetail(options)
    options.outputSpace = output.profile ?? options.outputSpace
    return options
  }

  /// Pictures to look at are finished; what is in proportion to light is for measuring and stays as it is.
  private static func standardDetail(_ options: DevelopOptions) -> Double {
    options.rendering == .picture && options.tone == .standard ? 1 : 0
  }

  /// How exposure brackets become one: the standard options where nothing is said.
  public var mergeOptions: MergeOptions {
    var options = MergeOptions()
    options.alignment = merge.align ?? options.alignment
    options.deghosting = merge.deghost ?? options.deghosting
    return options
  }

  /// How the file is read: by its own word where nothing is said.
  public var readOptions: RawReadOptions {
    var options = RawReadOptions()
    options.cfa = sensor.cfa
    options.black = sensor.black.map { Float($0) }
    options.white = sensor.white.map { Float($0) }
    return options
  }

  /// The output file of `format`.
  ///
  /// - Throws: usage (64) when quality, bits and format do not fit.
  public func outputSettings(_ format: OutputSettings.Format) throws(JobFailure) -> OutputSettings {
    try OutputSettings(
      format: format, quality: output.quality, bits: output.bits,
      compression: output.compression ?? .none, chroma: output.chroma ?? .s420, strip: output.strip ?? false)
  }

  /// The recipe of a developed picture with every default filled in. Camera rendering gets 16 bits unless it is said
  /// otherwise or written as JPEG: in 8 bits its values are of little use.
  public func resolvedForDeveloping(_ format: OutputSettings.Format) throws(JobFailure) -> Recipe {
    var recipe = self
    recipe.output.format = format
    recipe = recipe.resolvedForMoving()
    let options = recipe.developOptions
    guard options.encoding == .display || options.tone == .linear else {
      throw JobFailure(.usage, "\(format.rawValue) holds scene light, which has no tone curve: leave --tone out")
    }
    recipe.develop.rendering = options.rendering
    recipe.develop.tone = options.tone
    recipe.develop.whiteBalance = options.whiteBalance
    recipe.develop.exposure = options.exposure
    recipe.develop.demosaic = options.demosaic
    recipe.develop.detail = options.detail
    recipe.merge.align = mergeOptions.alignment
    recipe.merge.deghost = mergeOptions.deghosting
    recipe.output.profile = options.outputSpace
    if options.rendering == .camera && format != .jpeg { recipe.output.bits = output.bits ?? 16 }
    recipe.output.bits = try recipe.outputSettings(format).bits
    return recipe
  }

  /// The recipe of a binned mosaic with every default filled in.
  ///
  /// - Throws: usage (64) when other samples than 16 bits are asked for.
  public func resolvedForBinning() throws(JobFailure) -> Recipe {
    var recipe = try resolvedForMosaic()
    recipe.bin.mode = bin.mode ?? .mean
    return recipe
  }

  /// The recipe of a remosaiced capture with every default filled in.
  ///
  /// - Throws: usage (64) when other samples than 16 bits are asked for.
  public func resolvedForRemosaicing() throws(JobFailure) -> Recipe {
    var recipe = try resolvedForMosaic()
    recipe.develop.demosaic = develop.demosaic ?? .balanced
    return recipe
  }

  private func resolvedForMosaic() throws(JobFailure) -> Recipe {
    guard (output.bits ?? 16) == 16 else { throw JobFailure(.usage, "mosaics have 16-bit samples, nothing else") }
    var recipe = self
    recipe.output.format = .dng
    recipe.output.bits = 16
    recipe.output.dngCompression = output.dngCompression ?? .losslessJPEG
    recipe.output.strip = output.strip ?? false
    return recipe
  }

  /// The same for pictures that are only moved; format and bits stay those of the input unless they are said.
  public func resolvedForMoving() -> Recipe {
    var recipe = self
    recipe.rotation = geometry.rotation
    recipe.mirroring = geometry.mirroring
    recipe.gravity = geometry.gravity
    // A DNG loses nothing unless that is asked for.
    if output.dngCompression != .jpegXL {
      recipe.output.quality = output.quality ?? OutputSettings.defaultQuality(output.format)
    }
    recipe.output.compression = output.compression ?? TIFFCompression.none
    recipe.output.dngCompression = output.dngCompression ?? .losslessJPEG
    recipe.output.chroma = output.chroma ?? .s420
    recipe.output.strip = output.strip ?? false
    return recipe
  }
}
