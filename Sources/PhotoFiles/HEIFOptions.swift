/// What a HEIF file holds besides the picture.
public struct HEIFOptions: Sendable, Hashable {
  /// libheif's scale, 1...100: x265's constant rate factor is (100 - quality) / 2.
  public var quality: Int
  /// How much colour resolution is kept.
  public var chroma: JPEGQuality.ChromaSubsampling
  /// 8, 10 or 12; above 8 rows are 16-bit samples of full range.
  public var bits: Int

  /// From this quality on colour keeps its resolution unless something else is asked for.
  public static let fullChromaQuality = 90

  /// - Parameter chroma: `nil` for all of it from ``fullChromaQuality`` on.
  public init(quality: Int = 75, chroma: JPEGQuality.ChromaSubsampling? = nil, bits: Int = 8) {
    self.quality = quality
    self.chroma = chroma ?? (quality >= Self.fullChromaQuality ? .s444 : .s420)
    self.bits = bits
  }
}

/// What a JPEG XL file holds besides the picture.
public struct JXLOptions: Sendable, Hashable {
  /// 1...100: 100 loses nothing, 90 is a difference that is just visible; see ``ImageCore/JXLScale``.
  public var quality: Int
  /// libjxl's scale, 1 (fast) ... 9 (small).
  public var effort: Int

  /// Lossless streams gain a few percent from more effort and take many times as long.
  public static let losslessEffort = 3
  /// Three times as fast as libjxl's own choice of 7 for about 5 % more bytes.
  public static let lossyEffort = 5

  /// - Parameter effort: `nil` for the one that fits the quality.
  public init(quality: Int = 90, effort: Int? = nil) {
    self.quality = quality
    self.effort = effort ?? (quality >= 100 ? Self.losslessEffort : Self.lossyEffort)
  }
}
