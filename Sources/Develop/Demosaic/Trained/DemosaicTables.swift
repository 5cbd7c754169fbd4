/// The tables that suit an array, its noise and the wanted quality.
struct DemosaicTables: Sendable {
  enum First: Sendable {
    case network(NetworkTable, TrainedPattern)
    case phases(PhaseFilters)
  }

  let first: First
  let classes: ClassTable?
  /// Noise level that the tables were made for.
  let sigma: Int32
  /// The quality they stand for, at most the one that was wanted.
  let quality: DemosaicQuality

  /// `nil` when there are no tables for the array.
  init?(_ array: ClusteredArray, _ noise: NoiseLevel, _ wanted: DemosaicQuality) {
    let period = Int32(2 * array.side)
    guard let pattern = TrainedPattern(rawValue: period) else {
      guard let sigma = noise.nearest(TableLibrary.levels(period: period, .phases)),
        let filters = PhaseFilters(period: period, sigma: sigma)
      else { return nil }
      (first, classes, self.sigma, quality) = (.phases(filters), nil, sigma, .fast)
      return
    }
    let kind: TableKind = wanted == .fast ? .leastSquares : .network
    guard let sigma = noise.nearest(TableLibrary.levels(period: period, kind)),
      let table = NetworkTable(pattern, sigma: sigma, kind)
    else { return nil }
    let classes = wanted == .best ? ClassTable(pattern, sigma: sigma) : nil
    let reached: DemosaicQuality = classes == nil ? .balanced : .best
    (first, self.classes, self.sigma) = (.network(table, pattern), classes, sigma)
    quality = wanted == .fast ? .fast : reached
  }

  /// The method, for the report.
  var name: String {
    let method =
      switch quality {
      case .fast: "least squares"
      case .balanced: "network"
      case .best: "network, class filters"
      }
    return sigma == 0 ? method : "\(method), for noise \(sigma)"
  }
}
