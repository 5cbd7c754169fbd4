/// How far two pictures may differ; `nil` does not limit. JSON keys are the options' names: `minPsnr` is `--min-psnr`.
public struct ComparisonThresholds: Sendable, Hashable, Codable {
  /// Largest absolute difference, in stored codes of the finer integer type, parts of 1 for floating point.
  public var maxAbs: Double?
  /// Root mean square difference of all channels, parts of full scale.
  public var maxRmse: Double?
  /// PSNR of all channels, decibels.
  public var minPsnr: Double?
  /// PSNR-μ of all channels, decibels.
  public var minPsnrMu: Double?
  /// SSIM, at most 1.
  public var minSsim: Double?
  /// MS-SSIM, at most 1.
  public var minMsSsim: Double?
  /// CIEDE2000 of the worst pixel.
  public var maxDe: Double?
  /// CIEDE2000 that 99.9 of 100 pixels do not exceed.
  public var p999De: Double?
  /// Mean CIEDE2000.
  public var meanDe: Double?
  /// Mean FLIP, 0...1.
  public var maxFlip: Double?
  /// Mean signed difference of any channel, parts of full scale, without its sign.
  public var maxShift: Double?
  /// Displacement, pixels.
  public var maxOffset: Double?
  /// Pixels that may differ at all, percent of all pixels.
  public var maxDiffering: Double?

  /// No limits.
  public init() {}

  /// Every sample the same.
  public static let identical: ComparisonThresholds = {
    var limits = ComparisonThresholds()
    limits.maxAbs = 0
    limits.maxDiffering = 0
    return limits
  }()

  /// What rounding in another order of operations or on another CPU may do: a code of 255, one pixel in 10000, 70 dB.
  ///
  /// - Parameter fullScale: see ``Comparison/fullScale``.
  public static func rounding(fullScale: Double) -> ComparisonThresholds {
    var limits = ComparisonThresholds()
    // One code of 8 bits; 64 of 16 bits, a quarter of one.
    limits.maxAbs = fullScale == 255 ? 1 : fullScale == 1 ? 1.0 / 1024 : (fullScale / 1024).rounded(.down) + 1
    limits.minPsnr = 70
    return limits
  }

  /// What nobody sees: the limits for a deliberate change of a method.
  public static let invisible: ComparisonThresholds = {
    var limits = ComparisonThresholds()
    limits.minSsim = 0.999
    limits.meanDe = 0.2
    limits.p999De = 1
    limits.maxFlip = 0.01
    return limits
  }()

  /// Whether nothing is limited.
  public var isEmpty: Bool { self == ComparisonThresholds() }

  /// The metrics that a verdict needs.
  public var metrics: Set<Metric> {
    let needs: [(Double?, Metric)] = [
      (maxAbs, .maxAbs), (maxRmse, .rmse), (minPsnr, .psnr), (minPsnrMu, .psnrMu), (minSsim, .ssim),
      (minMsSsim, .msSSIM), (maxDe, .colour), (p999De, .colour), (meanDe, .colour), (maxFlip, .flip),
      (maxShift, .shift), (maxOffset, .alignment),
    ]
    return Set(needs.compactMap { limit, metric in limit == nil ? nil : metric })
  }
}

/// Whether a comparison stays within its limits.
public struct ComparisonVerdict: Sendable, Hashable, Encodable {
  /// One limit and what was found.
  public struct Finding: Sendable, Hashable, Encodable {
    /// The limit's name, as the command line writes it: `min-psnr`.
    public let name: String
    /// What was measured; `nil` when it could not be, which fails.
    public let value: Double?
    /// What was allowed.
    public let limit: Double
    /// Whether it was kept.
    public let isWithin: Bool

    private enum CodingKeys: String, CodingKey { case name, value, limit, within }

    /// An infinite value is left out.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      if let value, value.isFinite { try container.encode(value, forKey: .value) }
      try container.encode(limit, forKey: .limit)
      try container.encode(isWithin, forKey: .within)
    }
  }

  /// Whether all limits are kept.
  public let isWithin: Bool
  /// Every limit that was set, in the order of ``ComparisonThresholds``.
  public let findings: [Finding]

  private enum CodingKeys: String, CodingKey {
    case isWithin = "within"
    case findings
  }

  /// Holds a comparison against limits. What was not measured counts as outside; so does a sample that is a number in
  /// one picture only, whatever the limits. Without limits only equal pictures are within.
  public init(_ comparison: Comparison, within limits: ComparisonThresholds) {
    let pixels = Double(max(1, comparison.size.area))
    let most: [(String, Double?, Double?)] = [
      ("max-abs", comparison.maxAbs?.value, limits.maxAbs),
      ("max-rmse", comparison.rmse?.all, limits.maxRmse),
      ("max-de", comparison.colour?.max, limits.maxDe),
      ("p999-de", comparison.colour?.p999, limits.p999De),
      ("mean-de", comparison.colour?.mean, limits.meanDe),
      ("max-flip", comparison.flip?.mean, limits.maxFlip),
      ("max-shift", comparison.shift?.map(abs).max(), limits.maxShift),
      ("max-offset", comparison.alignment?.distance, limits.maxOffset),
      ("max-differing", 100 * Double(comparison.differingPixels) / pixels, limits.maxDiffering),
    ]
    let least: [(String, Double?, Double?)] = [
      ("min-psnr", comparison.psnr?.all, limits.minPsnr),
      ("min-psnr-mu", comparison.psnrMu?.all, limits.minPsnrMu),
      ("min-ssim", comparison.ssim, limits.minSsim),
      ("min-ms-ssim", comparison.msSSIM?.value, limits.minMsSsim),
    ]
    func findings(_ rows: [(String, Double?, Double?)], _ keeps: (Double, Double) -> Bool) -> [Finding] {
      rows.compactMap { name, value, limit in
        guard let limit else { return nil }
        return Finding(name: name, value: value, limit: limit, isWithin: value.map { keeps($0, limit) } ?? false)
      }
    }
    self.findings = findings(most, <=) + findings(least, >=)
    let isSound = comparison.nonFinite.mismatched == 0
    isWithin = isSound && (limits.isEmpty ? comparison.isIdentical : self.findings.allSatisfy(\.isWithin))
  }
}
