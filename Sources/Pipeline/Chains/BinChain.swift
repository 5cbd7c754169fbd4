public import ImageCore
public import RawFiles
public import TIFFTags

/// Quad, nona or hexadeca capture → Bayer DNG of a quarter, a ninth or a sixteenth of the pixels.
public struct BinChain: FileChain {
  /// What reports call it.
  public let name = "bin"
  /// What is said of binning and output.
  public var recipe: Recipe
  /// How the file is read.
  public var raw: RawReadOptions
  /// The name written into the Software tag.
  public var software: String

  /// A chain of these settings; nothing is read yet.
  public init(_ recipe: Recipe, raw: RawReadOptions, software: String) {
    self.recipe = recipe
    self.raw = raw
    self.software = software
  }

  /// Runs the chain into an open file.
  ///
  /// - Throws: bad data (65) when the capture has no clusters too, usage (64) when sums do not fit 16 bits, no input
  ///   (66), a missing codec (69), or an I/O error (74).
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    var clock = StageClock()
    let capture = try CaptureReader(options: raw).read(input, resources: resources)
    clock.mark("read")
    let photo: RawPhoto
    do { photo = try capture.photo.binned(recipe.bin.mode ?? .mean, resources: resources) } catch {
      throw JobFailure(error)
    }
    clock.mark("bin")
    let warning = try DNGEncoder(recipe.output, software: software).encode(
      photo, metadataFrom: raw.headerless == nil ? input : nil, into: descriptor, resources: resources)
    clock.mark("encode")
    var result = ChainResult(sourceSize: capture.photo.pixels.size)
    result.size = photo.pixels.size
    result.format = .dng
    result.bits = 16  // what mosaics are held and written with
    result.cfa = capture.cfa
    result.sizing = Sizing(binned: capture.photo.clusterSide ?? 1)
    result.warn(capture.warning)
    result.warn(warning)
    result.stages = clock.stages
    return result
  }

  /// Memory that a file will need at most, bytes; 0 when it cannot be read, since it then fails at once.
  public func expectedMemory(of input: FilePath) -> Int {
    guard let description = try? RawReader(options: raw).describe(input) else { return 0 }
    let bytesPerSample = 2
    return description.activeArea.size.area * bytesPerSample * 5 / 4  // and a result of a quarter of the samples
  }
}

extension JobFailure {
  init(_ error: BinningError) {
    switch error {
    case .sumTooLarge: self.init(.usage, error.description)
    case .noClusters, .notMosaic, .tooSmall: self.init(.badData, error.description)
    }
  }
}
