import Develop
public import ImageCore
public import RawFiles
public import TIFFTags

/// What becomes of a mosaic of clusters.
public enum MosaicOperation: String, Sendable, Hashable {
  /// Quad, nona or hexadeca → Bayer of a quarter, a ninth or a sixteenth of the pixels.
  case bin
  /// Quad → Bayer of the same size: photosites change their colours as the demosaicer would have them.
  case remosaic
}

/// Clustered capture → Bayer DNG.
public struct MosaicChain: FileChain {
  /// What is done.
  public let operation: MosaicOperation
  /// What is said of the operation and the output.
  public var recipe: Recipe
  /// How the file is read.
  public var raw: RawReadOptions
  /// The name written into the Software tag.
  public var software: String

  /// What reports call it.
  public var name: String { operation.rawValue }

  /// A chain of these settings; nothing is read yet.
  public init(_ operation: MosaicOperation, _ recipe: Recipe, raw: RawReadOptions, software: String) {
    self.operation = operation
    self.recipe = recipe
    self.raw = raw
    self.software = software
  }

  /// Runs the chain into an open file.
  ///
  /// - Throws: bad data (65) when the capture has no such clusters too, usage (64) when sums do not fit 16 bits, no
  ///   input (66), a missing codec (69), or an I/O error (74).
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    var clock = StageClock()
    let capture = try CaptureReader(options: raw).read(input, resources: resources)
    clock.mark("read")
    var result = ChainResult(sourceSize: capture.photo.pixels.size)
    let photo: RawPhoto
    switch operation {
    case .bin: photo = try binned(capture.photo, resources, &result)
    case .remosaic: photo = try remosaiced(capture.photo, resources, &clock, &result)
    }
    clock.mark(name)
    let warning = try DNGEncoder(recipe.output, software: software).encode(
      photo, metadataFrom: raw.headerless == nil ? input : nil, into: descriptor, resources: resources)
    clock.mark("encode")
    result.size = photo.pixels.size
    result.format = .dng
    result.bits = 16  // what mosaics are held and written with
    result.cfa = capture.cfa
    result.warn(capture.warning)
    result.warn(warning)
    result.stages = clock.stages
    return result
  }

  private func binned(
    _ photo: RawPhoto, _ resources: Resources, _ result: inout ChainResult
  ) throws(JobFailure) -> RawPhoto {
    result.sizing = Sizing(binned: photo.clusterSide ?? 1)
    do { return try photo.binned(recipe.bin.mode ?? .mean, resources: resources) } catch { throw JobFailure(error) }
  }

  private func remosaiced(
    _ photo: RawPhoto, _ resources: Resources, _ clock: inout StageClock, _ result: inout ChainResult
  ) throws(JobFailure) -> RawPhoto {
    var photo = photo
    result.siteGains = photo.equaliseSites(resources: resources)
    if result.siteGains != nil { clock.mark("calibrate") }
    let remosaicer: Remosaicer
    do { remosaicer = try Remosaicer(photo, quality: recipe.develop.demosaic ?? .balanced) } catch {
      throw JobFailure(error)
    }
    result.method = remosaicer.name
    photo.pixels = .mosaic(remosaicer.mosaic(resources: resources))
    return photo
  }

  /// Memory that a file will need at most, bytes: the mosaic as read, with equal sites, and the result. 0 when it cannot
  /// be read, since it then fails at once.
  public func expectedMemory(of input: FilePath) -> Int {
    guard let description = try? RawReader(options: raw).describe(input) else { return 0 }
    let bytesPerSample = 2
    let quarters = operation == .bin ? 5 : 12
    return description.activeArea.size.area * bytesPerSample * quarters / 4
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
