extension SiteGains {
  /// Zones are at least this wide and high, so that each has photosites enough.
  private static let smallestZone = 512
  private static let mostZones = PixelSize(width: 8, height: 6)
  /// Patches looked at along each side of a zone, at most.
  private static let patchesPerSide = 12
  /// Fewer patches than this tell nothing about a zone.
  private static let fewestPatches = 8
  /// The mean square of findings in units of their standard error, from which they are not chance (which gives 1).
  private static let significance = 6.0
  /// Gains smaller than this, root mean square, are seen by nobody.
  private static let smallestGain = 2e-4
  /// Gains larger than this are those of another pattern than the declared one.
  private static let largestGain = 0.2

  /// Measures the gains of a mosaic on its own content.
  ///
  /// Patches of 8x8 cells are looked at all over the picture. In each, a site's ratio to the mean of its cluster is
  /// averaged after the slope between neighbouring clusters of the same colour is taken out; patches count by the
  /// inverse of their variance, so that flat content decides. The scatter between patches gives the standard error of
  /// each zone's ratios. Zones are drawn towards the mean of all as far as their errors explain the difference.
  ///
  /// - Returns: `nil` when the mosaic has no clusters, or its sites do not differ by more than chance and texture make
  ///   them: then nothing must be corrected.
  /// - Complexity: at most 7000 patches: about 0.1 s of one thread for a quad mosaic of 48 megapixels.
  public static func estimate(_ mosaic: Mosaic, resources: Resources = Resources()) -> SiteGains? {
    guard let clusters = mosaic.cfa.clusters, clusters.side > 1 else { return nil }
    let size = mosaic.size
    let zones = PixelSize(
      width: max(1, min(mostZones.width, size.width / smallestZone)),
      height: max(1, min(mostZones.height, size.height / smallestZone)))
    let measurer = SitePatch.Measurer(mosaic, clusters)
    let places = (0..<zones.area).map { zone in
      measurer.places(
        columns: zone % zones.width * size.width / zones.width..<(zone % zones.width + 1) * size.width / zones.width,
        rows: zone / zones.width * size.height / zones.height..<(zone / zones.width + 1) * size.height / zones.height,
        most: patchesPerSide)
    }
    let flat = places.flatMap { $0 }
    let patches = mosaic.samples.withRows { rows in
      resources.workers.map(count: flat.count, scratch: { measurer.scratch() }) { index, scratch in
        measurer.patch(rows, at: flat[index], &scratch)
      }
    }
    var start = 0
    let zoned = places.map { places in
      defer { start += places.count }
      return patches[start..<start + places.count].compactMap { $0 }
    }
    guard let ratios = settled(zoned, sites: clusters.side * clusters.side * 4) else { return nil }
    return SiteGains(
      size: size, period: 2 * clusters.side, zones: zones,
      factors: ratios.flatMap { $0.map { Float(1 / (1 + $0)) } })
  }

  /// The ratios of each zone's sites, less 1; `nil` when they are not significant.
  private static func settled(_ zoned: [[SitePatch]], sites: Int) -> [[Double]]? {
    let all = SiteStatistics(zoned.flatMap { $0 }, sites: sites)
    guard all.count >= fewestPatches else { return nil }
    let each = zoned.map { $0.count >= fewestPatches ? SiteStatistics($0, sites: sites) : nil }
    let tested = each.compactMap { $0 }.isEmpty ? [all] : each.compactMap { $0 }
    guard tested.map(\.meanSquaredScore).reduce(0, +) / Double(tested.count) >= significance else { return nil }
    var result = each.map { _ in all.ratios }
    for site in 0..<sites {
      let known = each.indices.compactMap { zone in each[zone].map { (zone: zone, own: $0) } }
      guard known.count > 1 else { continue }
      // What the zones differ by beyond their errors.
      let count = Double(known.count)
      let spread = known.map { $0.own.ratios[site] - all.ratios[site] }.map { $0 * $0 }.reduce(0, +) / count
      let error = known.map { $0.own.errors[site] }.map { $0 * $0 }.reduce(0, +) / count
      let true2 = max(0, spread - error)
      for (zone, own) in known {
        let trust = true2 / max(true2 + own.errors[site] * own.errors[site], .leastNormalMagnitude)
        result[zone][site] += trust * (own.ratios[site] - all.ratios[site])
      }
    }
    let squares = result.flatMap { $0 }.map { $0 * $0 }
    guard (squares.reduce(0, +) / Double(squares.count)).squareRoot() >= smallestGain,
      (squares.max() ?? 0) <= largestGain * largestGain
    else { return nil }
    return result
  }
}

/// Ratios of the sites in several patches, averaged.
private struct SiteStatistics {
  /// Patches.
  let count: Int
  /// A site's signal over the mean of its cluster, less 1; by the place in the cell.
  let ratios: [Double]
  /// Standard errors of the ratios, from the scatter of the patches.
  let errors: [Double]

  init(_ patches: [SitePatch], sites: Int) {
    var ratios = [Double](repeating: 0, count: sites)
    var errors = ratios
    for site in 0..<sites {
      var weight = 0.0
      var sum = 0.0
      for patch in patches {
        weight += patch.weights[site]
        sum += patch.weights[site] * patch.ratios[site]
      }
      guard weight > 0 else { continue }
      ratios[site] = sum / weight
      var squares = 0.0
      var weights2 = 0.0
      for patch in patches {
        let part = patch.weights[site] / weight
        let distance = patch.ratios[site] - ratios[site]
        squares += part * part * distance * distance
        weights2 += part * part
      }
      // As many patches as would weigh the same lose one degree of freedom to the mean.
      errors[site] = weights2 < 1 ? (squares / (1 - weights2)).squareRoot() : .infinity
    }
    count = patches.count
    self.ratios = ratios
    self.errors = errors
  }

  /// Mean of (ratio / error)² over the sites; about 1 when the sites do not differ.
  var meanSquaredScore: Double {
    let scores = zip(ratios, errors).map { ratio, error in
      error > 0 ? ratio * ratio / (error * error) : 0
    }
    return scores.reduce(0, +) / Double(scores.count)
  }
}
