/// Three interleaved samples of one pixel. What the samples mean (camera, scene or display light) is said by the
/// type that holds the image, not by this one.
@frozen
public struct RGB<Sample: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  /// The first sample in memory.
  public var red: Sample
  /// The second sample.
  public var green: Sample
  /// The third sample.
  public var blue: Sample

  /// A pixel of these samples.
  @inlinable
  public init(_ red: Sample, _ green: Sample, _ blue: Sample) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

extension RGB: Equatable where Sample: Equatable {}
extension RGB: Hashable where Sample: Hashable {}
