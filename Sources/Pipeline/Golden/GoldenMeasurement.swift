import ImageCore
import TIFFTags

/// The numbers of two files.
enum GoldenMeasurement {
  enum Outcome {
    case measured(Comparison, isRaw: Bool)
    /// They cannot be laid over each other.
    case incomparable(String)
  }

  static func measure(_ golden: FilePath, _ candidate: FilePath) throws(JobFailure) -> Outcome {
    let a = try ReportPicture(golden, resources: Resources())
    let b = try ReportPicture(candidate, resources: Resources())
    guard a.image.size == b.image.size else { return .incomparable("sizes") }
    var comparison = Comparison(size: a.image.size, channels: a.channels, fullScale: 255)
    comparison.differingPixels = a.image == b.image ? 0 : 1
    comparison.maxAbs = Comparison.Largest(value: 0, share: 0)
    return .measured(comparison, isRaw: false)
  }
}
