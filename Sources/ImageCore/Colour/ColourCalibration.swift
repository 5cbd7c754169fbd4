/// A light source of the EXIF LightSource list (EXIF 2.32, tag 37384), or a chromaticity of its own.
public enum Illuminant: Sendable, Hashable, Codable {
  case exif(Int)
  case chromaticity(Chromaticity)

  /// Correlated colour temperature in kelvin, `nil` when the number is not known. DNG 1.7, CalibrationIlluminant1.
  public var temperature: Double? {
    guard case .exif(let code) = self else { return nil }
    switch code {
    case 3, 17: return 2850  // tungsten, standard light A
    case 24: return 3200  // ISO studio tungsten
    case 2, 14: return 4150  // fluorescent, cool white
    case 15: return 3450  // white fluorescent
    case 23: return 5000  // D50
    case 1, 4, 9, 18, 20: return 5500  // daylight, flash, fine weather, B, D55
    case 19, 21: return 6500  // C, D65
    case 10, 11, 22: return 7500  // cloudy, shade, D75
    case 12: return 6430  // daylight fluorescent
    case 13: return 5000  // day white fluorescent
    default: return nil
    }
  }
}

/// What the camera saw as white when the picture was taken.
public enum AsShotWhite: Sendable, Hashable, Codable {
  /// Camera values of a neutral grey, one a colour; the largest is usually 1 (DNG AsShotNeutral).
  case neutral([Double])
  /// DNG AsShotWhiteXY.
  case chromaticity(Chromaticity)
  /// Not recorded.
  case unknown
}

/// How camera colours relate to CIE XYZ: what DNG's colour tags or LibRaw's tables say. DNG 1.7, chapter 6.
public struct ColourCalibration: Sendable, Hashable, Codable {
  /// The matrices measured under one light.
  public struct Profile: Sendable, Hashable, Codable {
    /// The light the matrices were measured under.
    public var illuminant: Illuminant
    /// XYZ → camera, `colours` x 3.
    public var colorMatrix: Matrix
    /// White-balanced camera → XYZ D50, 3 x `colours`.
    public var forwardMatrix: Matrix?
    /// This camera's own deviation, `colours` x `colours`.
    public var cameraCalibration: Matrix?

    /// Matrices of one light; those that the file does not have are `nil`.
    public init(
      illuminant: Illuminant, colorMatrix: Matrix, forwardMatrix: Matrix? = nil, cameraCalibration: Matrix? = nil
    ) {
      self.illuminant = illuminant
      self.colorMatrix = colorMatrix
      self.forwardMatrix = forwardMatrix
      self.cameraCalibration = cameraCalibration
    }
  }

  /// The colours in the order of the matrices' rows.
  public var colours: [CFAColour]
  /// None (colour unknown), one, or two under different lights.
  public var profiles: [Profile]
  /// Gains the stored data already has, one a colour; empty for none.
  public var analogBalance: [Double]
  /// What the camera took for white, in whichever form the file has it.
  public var asShotWhite: AsShotWhite

  /// An uncalibrated RGB camera unless told otherwise.
  public init(
    colours: [CFAColour] = [.red, .green, .blue], profiles: [Profile] = [], analogBalance: [Double] = [],
    asShotWhite: AsShotWhite = .unknown
  ) {
    self.colours = colours
    self.profiles = profiles
    self.analogBalance = analogBalance
    self.asShotWhite = asShotWhite
  }
}
