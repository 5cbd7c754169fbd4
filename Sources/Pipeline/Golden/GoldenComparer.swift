import ImageCore
import TIFFTags

/// Lays a candidate over its golden: pixels, then metadata.
struct GoldenComparer {
  var tolerance: GoldenTolerance
  /// Tags that may differ.
  var ignoredMetadata: Set<String>

  /// - Throws: the failure to read one of the two, with its name: what cannot be compared has not passed.
  func compare(golden: FilePath, candidate: FilePath) throws(JobFailure) -> GoldenComparison {
    let was = try Self.named("the golden", golden) { path throws(JobFailure) in try GoldenMetadata.read(path) }
    let now = try Self.named("the candidate", candidate) { path throws(JobFailure) in try GoldenMetadata.read(path) }
    let tags = GoldenMetadata.differences(golden: was, candidate: now, ignoring: ignoredMetadata)
    switch GoldenMeasurement.measure(golden, candidate) {
    case .incomparable(let reason): return GoldenComparison(incomparable: reason, tags: tags)
    case .measured(let comparison, let isRaw):
      return GoldenComparison(comparison, tolerance: tolerance, isRaw: isRaw, tags: tags)
    }
  }

  private static func named<Value>(
    _ name: String, _ path: FilePath, _ body: (FilePath) throws(JobFailure) -> Value
  ) throws(JobFailure) -> Value {
    do { return try body(path) } catch {
      throw JobFailure(error.status, "\(name) cannot be compared: \(path.string): \(error.message)")
    }
  }
}
