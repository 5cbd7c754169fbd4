public import ImageCore

/// What the develop stage may be told; saved beside each result.
public struct DevelopOptions: Sendable, Hashable, Codable {
  /// What the result's values mean.
  public enum Rendering: String, Sendable, Hashable, Codable, CaseIterable {
    /// A picture to look at: white balance, colour, tone, output encoding.
    case picture
    /// Linear camera RGB, black 0 and white full scale; nothing else is applied. For measurements.
    case camera
  }

  /// How scene light becomes display light.
  public enum Tone: String, Sendable, Hashable, Codable, CaseIterable {
    /// A gentle S with a shoulder that ends where the sensor saturates.
    case standard
    /// Proportional, clipped at white.
    case linear
  }

  /// What a picture's numbers stand for.
  public enum Encoding: String, Sendable, Hashable, Codable, CaseIterable {
    /// Display light, 0...1, by the tone curve and the space's transfer function.
    case display
    /// Scene light in the space's primaries, 1 at the sensor's white before exposure; not clipped from above, so only
    /// floating-point results hold all of it. There is no tone curve.
    case scene
  }

  /// Which light is white.
  public enum WhiteBalance: Sendable, Hashable, Codable {
    /// What the file says; the scene's average as grey when it says nothing.
    case asShot
    /// Factors for the camera's colours, up to a common factor. All above 0.
    case multipliers(red: Double, green: Double, blue: Double)
  }

  /// What the result's values mean.
  public var rendering: Rendering = .picture
  /// How scene light becomes display light; pictures only.
  public var tone: Tone = .standard
  /// What the numbers stand for; pictures only.
  public var encoding: Encoding = .display
  /// Which light is white.
  public var whiteBalance: WhiteBalance = .asShot
  /// How much care is spent on missing colours; `nil` leaves it to the developer.
  public var demosaic: DemosaicQuality?
  /// Stops to add to what the file asks for.
  public var exposure: Double = 0
  /// How far residual noise is taken out and edges are sharpened, 0...2: 0 leaves pixels as the demosaic made them, 1 is
  /// the standard, 2 sharpens twice as much. Pictures only. Costs about 10 ns a pixel.
  public var detail: Double = 0
  /// The space of a picture's values.
  public var outputSpace: OutputColourSpace = .sRGB

  /// The standard options.
  public init() {}

  /// A picture as the camera meant it, in sRGB.
  public static let standard = DevelopOptions()
}

/// What a developer settled on, for the log and the recipe.
public struct DevelopReport: Sendable, Hashable, Codable {
  /// Camera values of a neutral grey, largest 1, in the order of ``colours``.
  public var neutral: [Double]
  /// The camera's colours.
  public var colours: [CFAColour]
  /// Factors applied to the colours; the smallest is 1.
  public var whiteBalance: [Double]
  /// Correlated colour temperature of the white in kelvin; `nil` when the camera's colours are not calibrated.
  public var temperature: Double?
  /// `forward matrix`, `colour matrix`, or `none`.
  public var matrixSource: String
  /// Factor applied to scene light: BaselineExposure and the exposure option.
  public var exposureGain: Double
  /// The name of the method that found the missing colours.
  public var demosaic: String
  /// The quality the method stands for; `nil` when no colours were missing.
  public var demosaicQuality: DemosaicQuality?
  /// How much detail was finished, 0...2.
  public var detail: Double
}

/// Why a photo cannot be developed.
public enum DevelopError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The filter array has colours for which no conversion is known.
  case unsupportedColours([CFAColour])
  /// Camera rendering writes three colours; the sensor has another number.
  case cameraRenderingNeedsThreeColours(found: Int)
  /// A multiplier, a neutral or an exposure is not a usable number.
  case unusableValue(String)
  /// The calibration's matrices cannot be inverted.
  case singularMatrix
  /// Only quad arrays can be remosaiced; `nil` for pictures that have all colours.
  case notQuad(CFAPattern?)
  /// The sensor is smaller than the filters reach.
  case tooSmall(PixelSize)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .unsupportedColours(let colours):
      "no colour conversion for a sensor with \(String(colours.map(\.letter))): only RGB and GMCY sensors are developed"
    case .cameraRenderingNeedsThreeColours(let found):
      "camera rendering needs a sensor of three colours, this one has \(found): use picture rendering"
    case .unusableValue(let what): "\(what) is not usable: give finite numbers above 0"
    case .notQuad(let cfa):
      "has \(cfa.map { "the filter array \($0)" } ?? "all colours already"), not a quad array: develop it instead, or say --cfa quad-rggb if the file is wrong"
    case .tooSmall(let size): "\(size) photosites are too few to remosaic"
    case .singularMatrix: "the colour matrices of this file cannot be inverted: its calibration is damaged"
    }
  }
}
