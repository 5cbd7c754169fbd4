/// Facts about a capture that processing or grouping needs. Everything else travels as metadata of the file.
public struct CaptureFacts: Sendable, Hashable, Codable {
  /// The maker of the camera, as the file writes it.
  public var make: String?
  /// The camera, as the file writes it.
  public var model: String?
  /// The lens, as the file writes it.
  public var lens: String?
  /// Seconds.
  public var exposureTime: Double?
  /// Focal length over the diameter of the entrance pupil.
  public var fNumber: Double?
  /// Sensitivity (ISO speed or recommended exposure index).
  public var iso: Double?
  /// Millimetres.
  public var focalLength: Double?
  /// As EXIF writes it: `YYYY:MM:DD HH:MM:SS`.
  public var dateTime: String?
  /// Stops, as the photographer set it.
  public var exposureBias: Double?
  /// Whether the camera took the frame as one of a bracket (EXIF ExposureMode 2); `nil` when it does not say.
  public var isAutoBracket: Bool?
  /// The program that wrote the file.
  public var software: String?

  /// Facts of which nothing is known.
  public init() {}
}

/// A rectangle in fractions of the default crop (DNG DefaultUserCrop): what the camera suggests to show.
public struct UnitRect: Sendable, Hashable, Codable {
  /// The first row shown, 0...1 of the crop's height.
  public var top: Double
  /// The first column shown, 0...1 of the crop's width.
  public var left: Double
  /// Where rows end, 0...1, above ``top``.
  public var bottom: Double
  /// Where columns end, 0...1, above ``left``.
  public var right: Double

  /// A rectangle from its edges, 0...1; nothing is checked.
  public init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}

/// A capture as its file stores it, decoded but not interpreted.
public struct RawPhoto: Sendable {
  /// What the sensor or an earlier program left at each place.
  public enum Pixels: Sendable {
    /// Needs demosaicing.
    case mosaic(Mosaic)
    /// Has all colours already: linear DNG.
    case linear(LinearPicture)

    /// Columns and rows of the active area.
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
  /// How the camera's colours relate to CIE XYZ, and its white.
  public var calibration: ColourCalibration
  /// Stops to add for the intended brightness (DNG BaselineExposure).
  public var baselineExposure: Double
  /// How noisy samples are; `nil` when the file does not say.
  public var noise: NoiseProfile?
  /// Local gains that pictures are to have, over all of ``pixels``; `nil` when the file has none.
  public var gainTable: ProfileGainTable?
  /// What makes the stored pixels upright.
  public var orientation: Orientation
  /// What is known of the taking of the picture.
  public var facts: CaptureFacts

  /// A capture; without a crop, all of `pixels` is shown.
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
