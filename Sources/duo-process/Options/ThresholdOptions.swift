import ImageCore

/// How far two files may differ.
struct ThresholdOptions: ParsableArguments {
  @Option(value: "N", help: "Largest difference of any sample, in codes of the finer integer type.")
  var maxAbs: Double?
  @Option(value: "SHARE", help: "Largest root mean square difference, parts of full scale.") var maxRmse: Double?
  @Option(value: "DB", help: "Least PSNR.") var minPsnr: Double?
  @Option(value: "DB", help: "Least PSNR of light under the μ-law.") var minPsnrMu: Double?
  @Option(value: "N", help: "Least SSIM, at most 1.") var minSsim: Double?
  @Option(value: "N", help: "Least MS-SSIM, at most 1.") var minMsSsim: Double?
  @Option(value: "DE", help: "Largest CIEDE2000 of any pixel.") var maxDe: Double?
  @Option(value: "DE", help: "Largest CIEDE2000 of 99.9 % of the pixels.") var p999De: Double?
  @Option(value: "DE", help: "Largest mean CIEDE2000.") var meanDe: Double?
  @Option(value: "N", help: "Largest mean FLIP, 0 to 1.") var maxFlip: Double?
  @Option(value: "SHARE", help: "Largest mean signed difference of a channel, parts of full scale.")
  var maxShift: Double?
  @Option(value: "PIXELS", help: "Largest displacement.") var maxOffset: Double?
  @Option(value: "PERCENT", help: "Largest part of pixels that differ at all.") var maxDiffering: Double?

  var thresholds: ComparisonThresholds {
    var limits = ComparisonThresholds()
    (limits.maxAbs, limits.maxRmse, limits.minPsnr, limits.minPsnrMu) = (maxAbs, maxRmse, minPsnr, minPsnrMu)
    (limits.minSsim, limits.minMsSsim, limits.maxDe, limits.p999De) = (minSsim, minMsSsim, maxDe, p999De)
    (limits.meanDe, limits.maxFlip, limits.maxShift) = (meanDe, maxFlip, maxShift)
    (limits.maxOffset, limits.maxDiffering) = (maxOffset, maxDiffering)
    return limits
  }
}

/// Names of metrics, parted by commas.
struct MetricList: ExpressibleByArgument {
  let metrics: Set<Metric>

  init?(argument: ArgumentWord) {
    if argument.text == "all" {
      metrics = Metric.all
      return
    }
    let found = argument.text.split(separator: ",", omittingEmptySubsequences: false).map {
      Metric(rawValue: String($0))
    }
    guard !found.contains(nil) else { return nil }
    metrics = Set(found.compactMap { $0 })
  }

  static var allValueStrings: [String] { ["all"] + Metric.allCases.map(\.rawValue) }
}

extension DifferenceMap: ExpressibleByArgument {}
