import ImageCore

extension RawPhoto {
  /// Makes the photosites of each cluster equal, as far as they differ by more than noise and texture explain; without
  /// it a maze of the cluster's period shows in a full-size picture.
  ///
  /// - Returns: the largest correction, as a share of the signal; `nil` when nothing needed one.
  mutating func equaliseSites(resources: Resources) -> Double? {
    guard case .mosaic(let mosaic) = pixels, (clusterSide ?? 1) > 1,
      let gains = SiteGains.estimate(mosaic, resources: resources)
    else { return nil }
    pixels = .mosaic(gains.applied(to: mosaic, resources: resources))
    return Double(gains.largest)
  }
}
