public import ImageCore

/// The colours that linear RGB values are shares of.
public struct RGBPrimaries: Sendable, Hashable {
  /// Light of (1, 0, 0), of (0, 1, 0), of (0, 0, 1) and of (1, 1, 1).
  public var red, green, blue, white: Chromaticity

  /// The four points.
  public init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  /// Those of an output space.
  public init(_ space: OutputColourSpace) {
    let colours = space.primaries
    self.init(red: colours[0], green: colours[1], blue: colours[2], white: space.white)
  }

  /// Files keep single precision, and writers round differently.
  private static let tolerance = 0.0005

  /// The output space that has these; `nil` when none has.
  public var space: OutputColourSpace? {
    OutputColourSpace.allCases.first { space in
      let known = RGBPrimaries(space)
      return zip(points, known.points).allSatisfy {
        abs($0.x - $1.x) < Self.tolerance && abs($0.y - $1.y) < Self.tolerance
      }
    }
  }

  var points: [Chromaticity] { [red, green, blue, white] }
}

/// What an OpenEXR file holds besides the picture.
public struct EXROptions: Sendable, Hashable {
  /// How samples are stored.
  public enum Precision: String, Sendable, Hashable, Codable, CaseIterable {
    /// IEEE 754 binary16: 11 bits of precision, at most 65504. Larger values are written as that.
    case half
    /// IEEE 754 binary32, as handed over.
    case float
  }

  /// How samples are stored.
  public var precision: Precision
  /// Written as the attribute `chromaticities`; readers take Rec. 709's when it is missing.
  public var primaries: RGBPrimaries?

  /// Half floats, no primaries.
  public init(precision: Precision = .half, primaries: RGBPrimaries? = nil) {
    self.precision = precision
    self.primaries = primaries
  }
}
