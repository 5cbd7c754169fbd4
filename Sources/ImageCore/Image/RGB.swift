/// Three interleaved samples of one pixel. What the samples mean (camera, scene or display light) is said by the
/// type that holds the image, not by this one.
@frozen
public struct RGB<Sample: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  public var red: Sample
  public var green: Sample
  public var blue: Sample

  @inlinable
  public init(_ red: Sample, _ green: Sample, _ blue: Sample) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

extension RGB: Equatable where Sample: Equatable {}
extension RGB: Hashable where Sample: Hashable {}
