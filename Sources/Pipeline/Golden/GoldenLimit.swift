import ImageCore

/// The limits of ``ImageCore/ComparisonThresholds`` by name, for suites, tables and reports.
public struct GoldenLimit: Sendable {
  /// Its key in a suite: `minPsnr`.
  public let key: String
  /// Its name in findings and on the command line: `min-psnr`.
  public let option: String
  /// What people call it.
  public let title: String
  /// Printed behind values.
  public let unit: String
  let path: any WritableKeyPath<ComparisonThresholds, Double?> & Sendable

  /// Whether the limit is a least value.
  public var isLeast: Bool { option.hasPrefix("min-") }

  /// All of them, in the order of tables.
  public static let all: [GoldenLimit] = [
    GoldenLimit(key: "maxAbs", option: "max-abs", title: "largest difference", unit: "codes", path: \.maxAbs),
    GoldenLimit(
      key: "maxDiffering", option: "max-differing", title: "pixels that differ", unit: "%", path: \.maxDiffering),
    GoldenLimit(key: "minPsnr", option: "min-psnr", title: "PSNR", unit: "dB", path: \.minPsnr),
    GoldenLimit(key: "minPsnrMu", option: "min-psnr-mu", title: "PSNR-μ", unit: "dB", path: \.minPsnrMu),
    GoldenLimit(key: "maxRmse", option: "max-rmse", title: "RMSE", unit: "", path: \.maxRmse),
    GoldenLimit(key: "maxShift", option: "max-shift", title: "channel shift", unit: "", path: \.maxShift),
    GoldenLimit(key: "meanDe", option: "mean-de", title: "mean ΔE00", unit: "", path: \.meanDe),
    GoldenLimit(key: "p999De", option: "p999-de", title: "ΔE00 of 99.9 %", unit: "", path: \.p999De),
    GoldenLimit(key: "maxDe", option: "max-de", title: "largest ΔE00", unit: "", path: \.maxDe),
    GoldenLimit(key: "minSsim", option: "min-ssim", title: "SSIM", unit: "", path: \.minSsim),
    GoldenLimit(key: "minMsSsim", option: "min-ms-ssim", title: "MS-SSIM", unit: "", path: \.minMsSsim),
    GoldenLimit(key: "maxFlip", option: "max-flip", title: "mean FLIP", unit: "", path: \.maxFlip),
    GoldenLimit(key: "maxOffset", option: "max-offset", title: "displacement", unit: "px", path: \.maxOffset),
  ]

  /// What a comparison measured of every limit's kind, limited or not.
  static func values(of comparison: Comparison) -> [ComparisonVerdict.Finding] {
    var none = ComparisonThresholds()
    for limit in all { none[keyPath: limit.path] = 0 }
    return ComparisonVerdict(comparison, within: none).findings.filter { $0.value != nil }
  }

  /// A value with its unit, rounded for people to four significant digits.
  public func text(_ value: Double) -> String {
    let number = value.isFinite ? Self.rounded(value) : value > 0 ? "∞" : "no number"
    if number == "1" && unit == "codes" { return "1 code" }
    return unit.isEmpty ? number : "\(number) \(unit)"
  }

  private static func rounded(_ value: Double) -> String {
    let (digits, finest) = (1000.0, 1e6)
    var scale = 1.0
    while abs(value) * scale < digits && scale < finest { scale *= 10 }
    let result = (value * scale).rounded() / scale
    return Int(exactly: result).map(String.init) ?? "\(result)"
  }
}
