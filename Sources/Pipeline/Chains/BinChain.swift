public import ImageCore
public import RawFiles
public import TIFFTags

/// Quad, nona or hexadeca capture → Bayer DNG of a quarter, a ninth or a sixteenth of the pixels.
public struct BinChain: Sendable {
  public var raw: RawReadOptions
  public var mode: BinMode
  /// Leave out what the capture's EXIF says, but for the camera's name.
  public var strip: Bool
  /// The name written into the Software tag.
  public var software: String

  public init(raw: RawReadOptions, mode: BinMode, strip: Bool = false, software: String) {
    self.raw = raw
    self.mode = mode
    self.strip = strip
    self.software = software
  }

  /// Runs the chain into an open file.
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    var clock = StageClock()
    let capture = try CaptureReader(options: raw).read(input, resources: resources)
    clock.mark("read")
    var photo: RawPhoto
    do { photo = try capture.photo.binned(mode, resources: resources) } catch { throw JobFailure(error) }
    clock.mark("bin")
    if strip {
      var facts = CaptureFacts()
      facts.make = photo.facts.make
      facts.model = photo.facts.model
      photo.facts = facts
    }
    do { try DNGWriter.write(photo, to: descriptor, software: software) } catch {
      throw JobFailure(.ioError, error.description)
    }
    clock.mark("encode")
    var result = ChainResult(sourceSize: capture.photo.pixels.size)
    result.size = photo.pixels.size
    result.cfa = capture.cfa
    result.sizing = PictureSize.binned(capture.photo)
    result.warning = capture.warning
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
