extension NoiseProfile.Plane {
  /// What is known of noise at one level of light.
  struct Reading {
    /// Mean light.
    var light: Double
    /// Its variance; above 0.
    var variance: Double
    /// How much it counts.
    var weight = 1.0
  }

  /// The straight line `scale * light + offset` nearest to readings in relative terms, neither part below 0; `nil` without
  /// readings.
  init?(nearest readings: [Reading]) {
    var (s0, s1, s2, t0, t1) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for reading in readings {
      // Relative errors are alike, so each level counts by 1 / variance².
      let weight = reading.weight / (reading.variance * reading.variance)
      s0 += weight
      s1 += weight * reading.light
      s2 += weight * reading.light * reading.light
      t0 += weight * reading.variance
      t1 += weight * reading.light * reading.variance
    }
    guard s0 > 0 else { return nil }
    let determinant = s0 * s2 - s1 * s1
    var scale = determinant > 0 ? (s0 * t1 - s1 * t0) / determinant : 0
    var offset = determinant > 0 ? (s2 * t0 - s1 * t1) / determinant : t0 / s0
    if offset < 0 { (scale, offset) = (t1 / s2, 0) }
    if scale < 0 { (scale, offset) = (0, t0 / s0) }
    self.init(scale: scale, offset: offset)
  }
}
