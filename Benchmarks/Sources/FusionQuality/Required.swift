import Foundation

/// What fusing must reach, and whether it does.
enum Required {
  /// dB over the better source when the composite is off or turned, or something moved elsewhere.
  static let gainInMotion = 0.0
  /// dB over the detail frame alone where something moved.
  static let gainInObject = -0.02
  /// MTF50 of an edge, parts of what an ideal picture of the size has.
  static let sharpness = 0.9
  /// Noise of even grey over that of the enlarged composite.
  static let noise = 1.25
  /// Codes of colour at a neutral lamp's rim.
  static let rim = 2.0
  /// Error of the light of a lamp that the composite holds, parts of it.
  static let lampLight = 0.01
  /// CPU seconds of fusing a 48MP frame, without demosaicing.
  static let seconds = 3.0

  static func verdict(_ figure: Double, atLeast limit: Double) -> String {
    String(format: figure >= limit ? "  ok (at least %.2f)" : "  MISSED (at least %.2f)", limit)
  }

  static func verdict(_ figure: Double, atMost limit: Double) -> String {
    String(format: figure <= limit ? "  ok (at most %.2f)" : "  MISSED (at most %.2f)", limit)
  }
}
