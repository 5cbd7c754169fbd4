import ImageCore

/// How noisy a capture is: the standard deviation of 255 times the square root of its light (black 0, saturation 1),
/// before white balance. The square root makes photon noise equal everywhere, so one number serves the whole frame.
struct NoiseLevel: Sendable, Hashable {
  /// Codes of 255; 0 for clean captures.
  let sigma: Double

  /// Photon noise of variance `scale * x` becomes `scale / 4` under the root.
  init(_ profile: NoiseProfile?) {
    guard let profile else {
      sigma = 0
      return
    }
    let scale = profile.planes.map(\.scale).reduce(0, +) / Double(profile.planes.count)
    sigma = scale > 0 && scale.isFinite ? 255 * scale.squareRoot() / 2 : 0
  }

  /// The level of the closest table, by ratio; `nil` when there is none. Below half the least noisy table's level
  /// captures count as clean.
  func nearest(_ levels: [Int32]) -> Int32? {
    guard let first = levels.first else { return nil }
    var nearest = first
    for level in levels.dropFirst() {
      let border = nearest == 0 ? Double(level) / 2 : (Double(nearest) * Double(level)).squareRoot()
      if sigma >= border { nearest = level }
    }
    return nearest
  }
}
