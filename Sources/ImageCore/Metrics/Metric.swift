/// What can be asked of two pictures. Raw values are the names of the command line and of reports.
///
/// Definitions and sources stand with ``Comparison``'s members of the same name.
public enum Metric: String, Sendable, Hashable, Codable, CaseIterable {
  /// Largest absolute difference of any sample, and where.
  case maxAbs = "max-abs"
  /// Root of the mean squared difference.
  case rmse
  /// Peak signal-to-noise ratio.
  case psnr
  /// The same of light compressed by the μ-law.
  case psnrMu = "psnr-mu"
  /// Structural similarity.
  case ssim
  /// Structural similarity at several scales.
  case msSSIM = "ms-ssim"
  /// CIEDE2000 colour differences.
  case colour = "de"
  /// What a viewer notices when flipping between the two.
  case flip
  /// Mean signed difference of each channel.
  case shift
  /// How far one picture is displaced against the other.
  case alignment

  /// Those that look at samples alone, whatever they mean: also defined for mosaics.
  public static let ofSamples: Set<Metric> = [.maxAbs, .rmse, .psnr, .shift]
  /// All of them.
  public static let all = Set(allCases)
}
