import ImageCore
import TIFFTags

/// The numbers of two files.
enum GoldenMeasurement {
  enum Outcome {
    /// - Parameter isRaw: photosites or linear camera colours.
    case measured(Comparison, isRaw: Bool)
    /// They cannot be laid over each other, or one cannot be decoded.
    case incomparable(String)
  }

  /// Measures everything that limits know, and whatever a report shows besides.
  static func measure(_ golden: FilePath, _ candidate: FilePath) -> Outcome {
    do throws(JobFailure) {
      let result = try FileComparer().compare(golden, candidate)
      return .measured(result.comparison, isRaw: result.left.samples == nil)
    } catch { return .incomparable(error.message) }
  }
}
