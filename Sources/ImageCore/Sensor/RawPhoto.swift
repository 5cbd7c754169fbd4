/// Facts about a capture that processing or grouping needs. Everything else travels as metadata of the file.
public struct CaptureFacts: Sendable, Hashable, Codable {
  public var make: String?
  public var model: String?
  public var lens: String?
  /// Seconds.
  public var exposureTime: Double?
  public var fNumber: Double?
  public var iso: Double?
  /// Millimetres.
  public var focalLength: Double?
  /// As EXIF writes it: `YYYY:MM:DD HH:MM:SS`.
  public var dateTime: String?
  /// Stops, as the photographer set it.
  public var exposureBias: Double?
  public var software: String?

  public init() {}
}

/// A rectangle in fractions of the default crop (DNG DefaultUserCrop): what the camera suggests to show.
public struct UnitRect: Sendable, Hashable, Codable {
  public var top: Double
  public var left: Double
  public var bottom: Double
  public var right: Double

  public init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}

/// A capture as its file stores it, decoded but not interpreted.
public struct RawPhoto: Sendable {
  public enum Pixels: Sendable {
    /// Needs demosaicing.
    case mosaic(Mosaic)
    /// Has all colours already: linear DNG.
    case linear(LinearPicture)

    public var size: PixelSize {
      switch self {
      case .mosaic(let mosaic): mosaic.size
      case .linear(let picture): picture.size
      }
    }
  }

  /// The active area of the sensor.
  public var pixels: Pixels
  /// What to show, in coordinates of ``pixels``.
  public var defaultCrop: PixelRect
  /// What the camera's own viewfinder framed, if it says so.
  public var userCrop: UnitRect?
  /// Width of a shown pixel over its height; 1 for square pixels.
  ///
  /// DNG DefaultScale horizontal / vertical: the factor by which columns must be stretched relative to rows.
  public var pixelAspect: Double
  public var calibration: ColourCalibration
  /// Stops to add for the intended brightness (DNG BaselineExposure).
  public var baselineExposure: Double
  public var noise: NoiseProfile?
  /// What makes the stored pixels upright.
  public var orientation: Orientation
  public var facts: CaptureFacts

  public init(
    pixels: Pixels, defaultCrop: PixelRect? = nil, userCrop: UnitRect? = nil, pixelAspect: Double = 1,
    calibration: ColourCalibration = ColourCalibration(), baselineExposure: Double = 0, noise: NoiseProfile? = nil,
    orientation: Orientation = .up, facts: CaptureFacts = CaptureFacts()
  ) {
    self.pixels = pixels
    self.defaultCrop = defaultCrop ?? PixelRect(pixels.size)
    self.userCrop = userCrop
    self.pixelAspect = pixelAspect
    self.calibration = calibration
    self.baselineExposure = baselineExposure
    self.noise = noise
    self.orientation = orientation
    self.facts = facts
  }
}
