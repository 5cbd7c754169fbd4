import Develop
public import ImageCore
public import RawFiles
public import TIFFTags

/// Quad capture → Bayer DNG of the same size: photosites change their colours as the demosaicer would have them.
public struct RemosaicChain: FileChain {
  /// What reports call it.
  public let name = "remosaic"
  /// What is said of the demosaic and output.
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
  /// - Throws: bad data (65) when the capture is no quad mosaic too, no input (66), a missing codec (69), or an
  ///   I/O error (74).
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    var clock = StageClock()
    let capture = try CaptureReader(options: raw).read(input, resources: resources)
    clock.mark("read")
    var photo = capture.photo
    let siteGains = photo.equaliseSites(resources: resources)
    if siteGains != nil { clock.mark("calibrate") }
    let remosaicer: Remosaicer
    do { remosaicer = try Remosaicer(photo, quality: recipe.develop.demosaic ?? .balanced) } catch {
      throw JobFailure(error)
    }
    photo.pixels = .mosaic(remosaicer.mosaic(resources: resources))
    clock.mark("remosaic")
    let warning = try DNGEncoder(recipe.output, software: software).encode(
      photo, metadataFrom: raw.headerless == nil ? input : nil, into: descriptor, resources: resources)
    clock.mark("encode")
    var result = ChainResult(sourceSize: capture.photo.pixels.size)
    result.size = photo.pixels.size
    result.format = .dng
    result.bits = 16  // what mosaics are held and written with
    result.cfa = capture.cfa
    result.siteGains = siteGains
    result.method = remosaicer.name
    result.warn(capture.warning)
    result.warn(warning)
    result.stages = clock.stages
    return result
  }

  /// Memory that a file will need at most, bytes; 0 when it cannot be read, since it then fails at once.
  public func expectedMemory(of input: FilePath) -> Int {
    guard let description = try? RawReader(options: raw).describe(input) else { return 0 }
    let bytesPerSample = 2
    let mosaics = 3  // as read, with equal sites, with new colours
    return description.activeArea.size.area * bytesPerSample * mosaics
  }
}
