/// A sample type whose value can be computed with: resampled or compared.
public protocol IntensitySample: BitwiseCopyable, Sendable {
  /// The value of full intensity: the largest integer, or 1.
  static var fullScale: Double { get }
  /// The stored value.
  var intensity: Double { get }
  /// The nearest storable value; integers are clamped to their range, ties go to even.
  init(intensity: Double)
}

extension UInt8: IntensitySample {
  /// See ``IntensitySample``.
  public static var fullScale: Double { Double(UInt8.max) }
  /// See ``IntensitySample``.
  public var intensity: Double { Double(self) }
  /// See ``IntensitySample``.
  public init(intensity: Double) {
    self.init(Swift.min(Swift.max(intensity, 0), Self.fullScale).rounded(.toNearestOrEven))
  }
}

extension UInt16: IntensitySample {
  /// See ``IntensitySample``.
  public static var fullScale: Double { Double(UInt16.max) }
  /// See ``IntensitySample``.
  public var intensity: Double { Double(self) }
  /// See ``IntensitySample``.
  public init(intensity: Double) {
    self.init(Swift.min(Swift.max(intensity, 0), Self.fullScale).rounded(.toNearestOrEven))
  }
}

extension Float: IntensitySample {
  /// See ``IntensitySample``.
  public static var fullScale: Double { 1 }
  /// See ``IntensitySample``.
  public var intensity: Double { Double(self) }
  /// See ``IntensitySample``.
  public init(intensity: Double) { self.init(intensity) }
}
