/// One plane of photosites as the sensor stored them: counts under a colour filter array.
///
/// Covers the sensor's active area; the pattern and the levels are phased to its first photosite.
public struct Mosaic: Sendable {
  /// Stored counts.
  public var samples: Image<UInt16>
  /// Which colour each photosite measures, phased to the first sample.
  public var cfa: CFAPattern
  /// Black and saturation in counts, phased to the first sample.
  public var levels: SensorLevels

  /// Counts with their pattern and levels; the black level must have one plane.
  public init(samples: Image<UInt16>, cfa: CFAPattern, levels: SensorLevels) {
    precondition(levels.black.planes == 1, "a mosaic has one plane")
    self.samples = samples
    self.cfa = cfa
    self.levels = levels
  }

  /// Columns and rows of photosites.
  public var size: PixelSize { samples.size }

  /// A part of the mosaic, without copying; the pattern and the levels are re-phased.
  public func cropped(to rect: PixelRect) -> Mosaic {
    Mosaic(
      samples: samples.cropped(to: rect), cfa: cfa.shifted(dx: rect.x, dy: rect.y),
      levels: levels.cropped(to: rect))
  }
}

/// A picture that is linear in light and has all colours at every pixel, as stored (linear DNG: ProRAW, merged files).
public struct LinearPicture: Sendable {
  /// Stored counts, camera colour space.
  public var samples: Image<RGB<UInt16>>
  /// Black and saturation in counts, one a colour.
  public var levels: SensorLevels

  /// Counts with their levels; the black level must have three planes.
  public init(samples: Image<RGB<UInt16>>, levels: SensorLevels) {
    precondition(levels.black.planes == 3, "a linear picture has three planes")
    self.samples = samples
    self.levels = levels
  }

  /// Columns and rows of pixels.
  public var size: PixelSize { samples.size }
}
