public import Develop
public import ImageCore
import PhotoFiles
public import RawFiles
public import TIFFTags

/// RAW file → picture file. The only place that knows the order: read, place, develop, encode.
public struct DevelopChain: Sendable {
  public var raw: RawReadOptions
  public var develop: DevelopOptions
  public var geometry: GeometryChoice
  public var output: OutputSettings
  /// The name written into the Software tag.
  public var software: String

  public init(
    raw: RawReadOptions, develop: DevelopOptions, geometry: GeometryChoice, output: OutputSettings, software: String
  ) {
    self.raw = raw
    self.develop = develop
    self.geometry = geometry
    self.output = output
    self.software = software
  }

  /// Runs the chain into an open file.
  public func run(_ input: FilePath, into descriptor: Int32, resources: Resources) throws(JobFailure) -> ChainResult {
    var clock = StageClock()
    let photo: RawPhoto
    do { photo = try RawReader(options: raw).read(input, resources: resources) } catch { throw JobFailure(error) }
    clock.mark("read")
    let source = raw.headerless == nil ? input : nil
    return try render(photo, metadataFrom: source, into: descriptor, resources: resources, clock: clock)
  }

  /// Everything after reading.
  ///
  /// - Parameter source: the file whose metadata the picture carries on.
  func render(
    _ photo: RawPhoto, metadataFrom source: FilePath?, into descriptor: Int32, resources: Resources, clock: StageClock
  ) throws(JobFailure) -> ChainResult {
    var clock = clock
    let developer: Developer
    do { developer = try Developer(photo, options: develop) } catch { throw JobFailure(error) }
    let placement = try geometry.placement(of: photo.defaultCrop.size, tag: photo.orientation)
    var result = ChainResult(sourceSize: photo.pixels.size, resolved: developer.resolved)
    switch output.bits {
    case 8:
      try finish(RGB<UInt8>.self, .uint8, photo, developer, placement, source, descriptor, resources, &clock, &result)
    case 16:
      try finish(
        RGB<UInt16>.self, .uint16, photo, developer, placement, source, descriptor, resources, &clock, &result)
    default:
      try finish(
        RGB<Float>.self, .float32, photo, developer, placement, source, descriptor, resources, &clock, &result)
    }
    result.stages = clock.stages
    return result
  }

  /// Memory that a file will need at most: its mosaic and the finished picture, bytes. 0 when it cannot be read, since
  /// it then fails at once.
  public func expectedMemory(of input: FilePath) -> Int {
    guard let description = try? RawReader(options: raw).describe(input) else { return 0 }
    let pixels = description.activeArea.size.area
    return pixels * 2 + pixels * 3 * (output.bits / 8)
  }

  private func finish<Pixel: DevelopedPixel>(
    _: Pixel.Type, _ sample: SampleType, _ photo: RawPhoto, _ developer: Developer, _ placement: Placement,
    _ source: FilePath?, _ descriptor: Int32, _ resources: Resources, _ clock: inout StageClock,
    _ result: inout ChainResult
  ) throws(JobFailure) {
    var image = Image<Pixel>(uninitialized: placement.size, in: resources.pool)
    let rect = placement.source.offset(dx: photo.defaultCrop.x, dy: photo.defaultCrop.y)
    Pixel.render(developer, rect, placement.lay, &image, resources)
    clock.mark("develop")
    let shown = Self.squarePixels(placement, aspect: photo.pixelAspect)
    if shown != image.size { image = Pixel.resample(image, shown, resources) }
    result.size = shown
    let encoder = PictureEncoder(output: output, software: software)
    let icc = develop.rendering == .camera ? [] : ICCProfile.bytes(for: develop.outputSpace, linear: false)
    result.warning = try encoder.encode(
      image, PixelFormat(.rgb, sample), metadataFrom: source, icc: icc,
      tag: placement.tag, into: descriptor)
    clock.mark("encode")
  }

  /// The shown size when pixels are not square: the side that is too short is stretched, so that nothing is lost.
  private static func squarePixels(_ placement: Placement, aspect: Double) -> PixelSize {
    let size = placement.size
    guard abs(aspect - 1) > 0.005 else { return size }  // half a percent is seen by nobody and is often rounding
    let horizontal = placement.lay.transposes ? 1 / aspect : aspect
    return horizontal > 1
      ? PixelSize(width: Int((Double(size.width) * horizontal).rounded()), height: size.height)
      : PixelSize(width: size.width, height: Int((Double(size.height) / horizontal).rounded()))
  }
}

/// Pixels that a developer renders to; lets one chain serve 8, 16 and 32 bits.
protocol DevelopedPixel: BitwiseCopyable, Sendable {
  static func render(
    _ developer: Developer, _ rect: PixelRect, _ lay: Orientation, _ image: inout Image<Self>, _ resources: Resources)
  static func resample(_ image: Image<Self>, _ size: PixelSize, _ resources: Resources) -> Image<Self>
}

extension RGB: DevelopedPixel where Sample: DevelopedSample {
  static func render(
    _ developer: Developer, _ rect: PixelRect, _ lay: Orientation, _ image: inout Image<Self>, _ resources: Resources
  ) {
    Sample.render(developer, rect, lay, &image, resources)
  }

  static func resample(_ image: Image<Self>, _ size: PixelSize, _ resources: Resources) -> Image<Self> {
    Sample.resample(image, size, resources)
  }
}

protocol DevelopedSample: BitwiseCopyable, Sendable {
  static func render(
    _ developer: Developer, _ rect: PixelRect, _ lay: Orientation, _ image: inout Image<RGB<Self>>,
    _ resources: Resources)
  static func resample(_ image: Image<RGB<Self>>, _ size: PixelSize, _ resources: Resources) -> Image<RGB<Self>>
}

extension UInt8: DevelopedSample {
  static func render(
    _ developer: Developer, _ rect: PixelRect, _ lay: Orientation, _ image: inout Image<RGB<UInt8>>,
    _ resources: Resources
  ) { developer.render(rect, orientation: lay, into: &image, resources: resources) }

  static func resample(_ image: Image<RGB<UInt8>>, _ size: PixelSize, _ resources: Resources) -> Image<RGB<UInt8>> {
    image.resampled(to: size, resources: resources)
  }
}

extension UInt16: DevelopedSample {
  static func render(
    _ developer: Developer, _ rect: PixelRect, _ lay: Orientation, _ image: inout Image<RGB<UInt16>>,
    _ resources: Resources
  ) { developer.render(rect, orientation: lay, into: &image, resources: resources) }

  static func resample(_ image: Image<RGB<UInt16>>, _ size: PixelSize, _ resources: Resources) -> Image<RGB<UInt16>> {
    image.resampled(to: size, resources: resources)
  }
}

extension Float: DevelopedSample {
  static func render(
    _ developer: Developer, _ rect: PixelRect, _ lay: Orientation, _ image: inout Image<RGB<Float>>,
    _ resources: Resources
  ) { developer.render(rect, orientation: lay, into: &image, resources: resources) }

  static func resample(_ image: Image<RGB<Float>>, _ size: PixelSize, _ resources: Resources) -> Image<RGB<Float>> {
    image.resampled(to: size, resources: resources)
  }
}
