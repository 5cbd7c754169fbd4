import CVector
import ImageCore

/// Leads light near and beyond saturation to neutral, in place on a ``CameraRow``.
///
/// White-balanced colours are first clipped at 1, where the least amplified one saturates: what all photosites lost
/// is white, never magenta. Where a photosite nears its own saturation, nearly neutral light is blended towards its
/// brightest colour, so that skies and lamps pass into white without a coloured rim; strong colours stay.
struct Highlights: Sendable {
  /// Where blending begins, as a share of the photosite's saturation (1 = saturated). A choice, not a measurement: noise of
  /// photosites in the last tenth reaches saturation, so that their colours are no longer in proportion.
  static let onset: Float = 0.9
  /// Smallest over largest white-balanced colour (0 pure, 1 neutral) at which light begins to count as nearly neutral.
  /// A choice, not a measurement: skies and lamps are to lie above it, flowers and coloured signs below.
  static let neutrality: Float = 0.5

  /// For each colour, 1 over its white-balanced value at full saturation of its photosites.
  private let inverse: [Float]

  init(multipliers: [Double]) {
    inverse = multipliers.map { Float(1 / $0) }
  }

  /// Three colours; others are left to the clipping of ``ColourKernel``.
  func apply(_ row: CameraRow) {
    guard inverse.count == 3 else { return }
    let slope = 1 / (1 - Self.onset)
    let rise = 1 / (1 - Self.neutrality)
    // Where the brightest photosite lies between onset and saturation, times the square of how neutral the clipped light
    // is: the share of white.
    inverse.withUnsafeBufferPointer { inverse in
      cv_whiten_f32(
        row.plane(0), row.plane(1), row.plane(2), row.count, inverse.baseAddress!, Self.onset, slope,
        Self.neutrality, rise)
    }
  }
}
