public import ImageCore

/// Video of one size.
public struct VideoMode: Sendable, Hashable, Codable {
  /// Pixels of a frame.
  public let dimensions: PixelSize
  /// The highest rate, frames per second; every lower rate is possible too.
  public let maxFrameRate: Int

  /// Video of `dimensions` at up to `maxFrameRate` frames per second.
  public init(dimensions: PixelSize, maxFrameRate: Int) {
    self.dimensions = dimensions
    self.maxFrameRate = maxFrameRate
  }

  /// 1920x1080.
  public static let hd = PixelSize(width: 1920, height: 1080)
  /// 3840x2160.
  public static let uhd4K = PixelSize(width: 3840, height: 2160)
}

/// Depth maps. They are measured along the rays of one lens, so depth of two lenses is not the same kind of data.
public struct DepthFormat: Sendable, Hashable, Codable {
  /// The camera whose calibration turns a depth map into points in space.
  public let calibratedFor: DeviceType

  /// Depth as seen through one camera's lens.
  public init(calibratedFor: DeviceType) { self.calibratedFor = calibratedFor }
}

/// What a camera can be set to deliver.
public struct CaptureFormat: Sendable, Hashable, Codable {
  /// Photosites of the sensor.
  public let sensorDimensions: PixelSize
  /// Video; `nil` where none is stated.
  public let video: VideoMode?
  /// Depth; empty when there is none.
  public let depth: Set<DepthFormat>
  /// Ratios that can be chosen while the camera runs; empty for sensors that have one. The first is the default.
  public let dynamicAspectRatios: [AspectRatio]
  /// Photo sizes that may be asked for, smallest first.
  public let supportedMaxPhotoDimensions: [PhotoSize]

  /// A format of these abilities.
  public init(
    sensorDimensions: PixelSize, video: VideoMode?, depth: Set<DepthFormat>, dynamicAspectRatios: [AspectRatio],
    supportedMaxPhotoDimensions: [PhotoSize]
  ) {
    self.sensorDimensions = sensorDimensions
    self.video = video
    self.depth = depth
    self.dynamicAspectRatios = dynamicAspectRatios
    self.supportedMaxPhotoDimensions = supportedMaxPhotoDimensions
  }

  /// Whether the sensor is as high as it is wide.
  public var isSquare: Bool { sensorDimensions.width == sensorDimensions.height }
  /// Whether depth can be delivered.
  public var deliversDepth: Bool { !depth.isEmpty }

  /// What both formats can do; `nil` when they share no video size.
  ///
  /// Frame rates meet at the lower one; depth, ratios and photo sizes are those that both list.
  public func intersection(_ other: CaptureFormat) -> CaptureFormat? {
    guard let mine = video, let theirs = other.video, mine.dimensions == theirs.dimensions else { return nil }
    return CaptureFormat(
      sensorDimensions: PixelSize(
        width: min(sensorDimensions.width, other.sensorDimensions.width),
        height: min(sensorDimensions.height, other.sensorDimensions.height)),
      video: VideoMode(
        dimensions: mine.dimensions, maxFrameRate: min(mine.maxFrameRate, theirs.maxFrameRate)),
      depth: depth.intersection(other.depth),
      dynamicAspectRatios: dynamicAspectRatios.filter(other.dynamicAspectRatios.contains),
      supportedMaxPhotoDimensions: supportedMaxPhotoDimensions.filter(other.supportedMaxPhotoDimensions.contains))
  }
}
