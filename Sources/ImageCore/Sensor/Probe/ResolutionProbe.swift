/// Whether a quad mosaic was taken at full resolution: the noise of single photosites, and detail that the means of their
/// clusters do not tell.
///
/// Interpolation averages noise away, so that a mosaic that was enlarged from one photosite a cluster has far less noise
/// within its clusters than photosites have. Detail is what remains of the differences within clusters after their
/// prediction, by least squares, from the means of the clusters around; it depends on the scene, so that it is a figure to
/// look at and decides nothing: straight edges are predicted well, coloured texture never is.
public struct ResolutionProbe: Sendable, Hashable, Codable {
  /// Share of the energy of differences within clusters, noise left out, that the clusters' means do not tell: the median
  /// of the windows with structure. `nil` when there are too few of them.
  public let detailShare: Double?
  /// Variance of diagonal differences within clusters in the quietest windows, in parts of what the noise profile says; `nil`
  /// without a profile.
  public let noiseShare: Double?
  /// Mean energy of differences within clusters beyond noise, in square-root encoded light: sharper frames of one scene
  /// and exposure have more.
  public let energy: Double
  /// Windows with structure.
  public let windows: Int

  /// Noise of single photosites below this share of the recorded one was averaged away by interpolation.
  public static let leastNoise = 0.15

  /// Whether the mosaic was enlarged from its clusters' means. One to which noise was added afterwards is not found
  /// out by this; a fusion finds that it lacks contrast (``FusionReport/sharpness``).
  public var isEnlarged: Bool { noiseShare.map { $0 < Self.leastNoise } ?? false }

  /// Clusters on a window's side.
  static let side = 64
  /// Windows looked at: spread evenly over the picture.
  private static let mostWindows = 600
  /// Windows of the most structure that are taken, and fewest that tell anything.
  private static let taken = 64
  private static let fewest = 4
  /// Energy in a window must exceed that of noise by this to be structure.
  private static let leastStructure = 4.0
  /// The quantile of windows that is taken for noise alone.
  private static let quiet = 0.1

  /// Measures the green clusters of a quad mosaic.
  ///
  /// - Parameter noise: of single photosites; what the quietest windows show is taken when there is none.
  /// - Returns: `nil` when the mosaic is no quad array or holds not a single window.
  /// - Complexity: less than one pass over the photosites.
  public static func measure(_ mosaic: Mosaic, noise: NoiseProfile?) -> ResolutionProbe? {
    guard let clusters = mosaic.cfa.clusters, clusters.side == 2, let reader = ClusterWindow.Reader(mosaic, noise)
    else {
      return nil
    }
    let places = places(in: clusters.count(in: mosaic.size))
    guard !places.isEmpty else { return nil }
    var window = ClusterWindow(side: side)
    var energies: [(place: (x: Int, y: Int), energy: Double)] = []
    var diagonals: [Double] = []
    mosaic.samples.withRows { rows in
      for place in places where reader.read(rows, place, into: &window) {
        let (all, diagonal) = window.meanEnergy
        energies.append((place, all))
        diagonals.append(diagonal)
      }
    }
    let ordered = energies.map(\.energy).sorted()
    guard !ordered.isEmpty else { return nil }
    let lowest = Int(Double(ordered.count - 1) * quiet)
    let (quietest, quietestDiagonal) = (ordered[lowest], diagonals.sorted()[lowest])
    let expected = noise == nil ? quietest : reader.variance
    let structured = energies.filter { $0.energy > max(leastStructure * expected, .leastNormalMagnitude) }
      .sorted { ($0.energy, $0.place.y, $0.place.x) > ($1.energy, $1.place.y, $1.place.x) }.prefix(taken)
    var shares: [Double] = []
    mosaic.samples.withRows { rows in
      for (place, energy) in structured where reader.read(rows, place, into: &window) {
        guard let rest = window.unexplained(noise: expected) else { continue }
        shares.append(max(0, rest - expected) / (energy - expected))
      }
    }
    shares.sort()
    return ResolutionProbe(
      detailShare: shares.count >= fewest ? shares[shares.count / 2] : nil,
      noiseShare: noise == nil ? nil : quietestDiagonal / max(reader.variance, .leastNormalMagnitude),
      energy: max(0, ordered.reduce(0, +) / Double(ordered.count) - expected), windows: shares.count)
  }

  /// Upper left clusters of the windows.
  private static func places(in clusters: PixelSize) -> [(x: Int, y: Int)] {
    let (columns, rows) = (clusters.width / side, clusters.height / side)
    var result: [(x: Int, y: Int)] = []
    let step = max(1, Int((Double(columns * rows) / Double(mostWindows)).squareRoot().rounded(.up)))
    for y in stride(from: 0, to: rows, by: step) {
      for x in stride(from: 0, to: columns, by: step) { result.append((x * side, y * side)) }
    }
    return result
  }
}
