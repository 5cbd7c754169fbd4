/// The scale of quality of JPEG XL pictures.
public enum JXLScale {
  /// The butteraugli distance of a quality: 0 (nothing is lost) at 100, 1 (a difference that is just visible) at 90,
  /// 0.82 at 92. The mapping of libjxl's own tools (JxlEncoderDistanceFromQuality, libjxl 0.8).
  ///
  /// - Parameter quality: 1...100.
  public static func distance(quality: Int) -> Float {
    let q = Float(quality)
    if quality >= 100 { return 0 }
    return quality >= 30 ? 0.1 + (100 - q) * 0.09 : 53.0 / 3000 * q * q - 23.0 / 20 * q + 25
  }
}
