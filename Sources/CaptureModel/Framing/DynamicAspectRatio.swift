public import ImageCore

/// Ratios that a square sensor can be cropped to while it runs. A landscape ratio needs no turning of the device.
public enum DynamicAspectRatio {
  /// 1:1, 4:3, 3:4, 16:9, 9:16.
  public static let all: [AspectRatio] = [(1, 1), (4, 3), (3, 4), (16, 9), (9, 16)].compactMap {
    AspectRatio(width: $0.0, height: $0.1)
  }

  /// - Throws: when the format does not list the ratio.
  public static func check(_ ratio: AspectRatio, in format: CaptureFormat) throws(CaptureError) {
    guard format.dynamicAspectRatios.contains(ratio) else {
      throw .unsupportedAspectRatio(ratio, listed: format.dynamicAspectRatios)
    }
  }

  /// The photosites that are used: centred, as large as possible, of exactly the ratio.
  ///
  /// - Throws: when the format does not list the ratio.
  public static func sensorRect(_ ratio: AspectRatio, in format: CaptureFormat) throws(CaptureError) -> PixelRect {
    try check(ratio, in: format)
    return AspectCrop.rect(in: format.sensorDimensions, ratio: ratio) ?? PixelRect(format.sensorDimensions)
  }
}
