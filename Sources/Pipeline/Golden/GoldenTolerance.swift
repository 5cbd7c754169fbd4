public import ImageCore

/// How far a candidate may lie from its golden.
public enum GoldenTolerance: Sendable, Hashable {
  /// Not at all: every sample is equal.
  case identical
  /// As far as another order of floating-point rounding leads.
  case rounding
  /// As far as nobody sees.
  case invisible
  /// Within limits of one's own; what is not named is not limited.
  case custom(ComparisonThresholds)

  /// What a case without a grade gets. This program promises equal bits for any number of threads, so that whatever
  /// exceeds rounding is a change.
  public static let standard = GoldenTolerance.rounding

  /// The name of a grade, or `custom`.
  public var name: String {
    switch self {
    case .identical: "identical"
    case .rounding: "rounding"
    case .invisible: "invisible"
    case .custom: "custom"
    }
  }

  /// A grade by its name.
  init?(named name: String) {
    switch name {
    case "identical": self = .identical
    case "rounding": self = .rounding
    case "invisible": self = .invisible
    default: return nil
    }
  }

  /// Pixels of an 8-bit picture that may differ by a code, per cent: `rounding`.
  private static let roundedPixels = 0.01
  /// PSNR of finer samples, decibels: an error of 64 of 65535 in one sample of 100.
  private static let finePSNR = 80.0
  /// Mean difference of a channel, parts of full scale: a tenth of an 8-bit code is no rounding, an eighth of one is
  /// what a 0.1 % gain makes of a bright picture.
  private static let (roundingShift, invisibleShift) = (0.1 / 255, 0.125 / 255)
  /// Just noticeable, CIEDE2000: no pixel may be plainly another colour.
  private static let noticeable = 2.3
  /// PSNR of photosites, decibels: below the noise of any sensor of 10 to 14 bits.
  private static let rawPSNR = 60.0

  /// The limits for a picture. Sources, grade by grade, in `Documentation/golden.md`.
  ///
  /// - Parameters:
  ///   - fullScale: the code of full scale: 255, 65535, 1 for floating point, white − black of a mosaic.
  ///   - isRaw: photosites, or linear camera colours: colour differences are not limited.
  public func limits(fullScale: Double, isRaw: Bool) -> ComparisonThresholds {
    switch self {
    case .identical: return .identical
    case .custom(let limits): return limits
    case .rounding:
      var limits = ComparisonThresholds.rounding(fullScale: fullScale)
      limits.maxShift = Self.roundingShift
      if fullScale == Double(UInt8.max) {
        limits.maxDiffering = Self.roundedPixels
      } else {
        limits.minPsnr = Self.finePSNR
      }
      return limits
    case .invisible:
      var limits = isRaw ? ComparisonThresholds() : .invisible
      if isRaw { limits.minPsnr = Self.rawPSNR } else { limits.maxDe = Self.noticeable }
      limits.maxShift = Self.invisibleShift
      return limits
    }
  }
}
