public import ImageCore

/// How the bytes of a file without a header lie.
public struct HeaderlessLayout: Sendable, Hashable {
  /// Columns and rows.
  public var size: PixelSize
  /// Bits a sample: 8, or 9...16 stored in two bytes, least significant first.
  public var bits: Int
  /// The colour filter array.
  public var cfa: CFAPattern

  /// A layout from its parts.
  public init(size: PixelSize, bits: Int, cfa: CFAPattern) {
    self.size = size
    self.bits = bits
    self.cfa = cfa
  }
}

/// What the user knows better than the file.
public struct RawReadOptions: Sendable, Hashable {
  /// Replaces the declared colour filter array; phased to the active area.
  public var cfa: CFAPattern?
  /// Replaces the declared black level, counts.
  public var black: Float?
  /// Replaces the declared white level, counts.
  public var white: Float?
  /// Reads the file as a headerless mosaic.
  public var headerless: HeaderlessLayout?
  /// More pixels than this are refused.
  public var maxPixels = 1 << 30

  /// Believes the file.
  public init() {}
}

/// What a file declares, without decoding pixels.
public struct RawDescription: Sendable, Hashable {
  /// What the file is.
  public var kind: FileKind
  /// All stored photosites.
  public var storedSize: PixelSize
  /// The part that sees light, in stored coordinates.
  public var activeArea: PixelRect
  /// What to show, in coordinates of the active area.
  public var defaultCrop: PixelRect
  /// The colour filter array phased to the active area; `nil` for linear pictures.
  public var cfa: CFAPattern?
  /// Black and white of the active area, in stored counts; `nil` when they are known only once the pixels are decoded.
  public var levels: SensorLevels?
  /// Bits a stored sample; 0 when unknown.
  public var bits: Int
  /// How the samples are packed.
  public var compression: String
  /// What makes the stored pixels upright.
  public var orientation: Orientation
  /// Width of a shown pixel over its height.
  public var pixelAspect: Double
  /// Exposure, camera, time.
  public var facts: CaptureFacts
  /// What the file asks for and this reader leaves out, one line each.
  public var notApplied: [String]
  /// Whether ``levels`` are the file's own word; where it has none, they are what the format's rules assume.
  public var statesLevels = true
}
