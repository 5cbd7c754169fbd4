/// One plane of photosites as the sensor stored them: counts under a colour filter array.
///
/// Covers the sensor's active area; the pattern and the levels are phased to its first photosite.
public struct Mosaic: Sendable {
  /// Stored counts.
  public var samples: Image<UInt16>
  public var cfa: CFAPattern
  public var levels: SensorLevels

  public init(samples: Image<UInt16>, cfa: CFAPattern, levels: SensorLevels) {
    precondition(levels.black.planes == 1, "a mosaic has one plane")
    self.samples = samples
    self.cfa = cfa
    self.levels = levels
  }

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
  public var levels: SensorLevels

  public init(samples: Image<RGB<UInt16>>, levels: SensorLevels) {
    precondition(levels.black.planes == 3, "a linear picture has three planes")
    self.samples = samples
    self.levels = levels
  }

  public var size: PixelSize { samples.size }
}
