/// How one sample of a picture is stored.
public enum SampleType: String, Sendable, Hashable, Codable, CaseIterable {
  /// 0...255.
  case uint8
  /// 0...65535, native byte order.
  case uint16
  /// IEEE 754 binary32; 0 is black, 1 is white, values above 1 are allowed.
  case float32

  /// Bytes of one sample: 1, 2 or 4.
  public var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16: 2
    case .float32: 4
    }
  }
}

/// Which channels one pixel of a picture has, interleaved in this order.
public enum ChannelLayout: String, Sendable, Hashable, Codable, CaseIterable {
  case grey, greyAlpha, rgb, rgba

  /// Samples of one pixel: 1...4.
  public var count: Int {
    switch self {
    case .grey: 1
    case .greyAlpha: 2
    case .rgb: 3
    case .rgba: 4
    }
  }

  /// Whether the last channel is opacity.
  public var hasAlpha: Bool { self == .greyAlpha || self == .rgba }
}

/// The run-time layout of a picture's pixels, for code that moves pixels without looking into them.
public struct PixelFormat: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Which channels a pixel has.
  public var channels: ChannelLayout
  /// How each of its samples is stored.
  public var sample: SampleType

  /// Channels and the sample type they all have.
  public init(_ channels: ChannelLayout, _ sample: SampleType) {
    self.channels = channels
    self.sample = sample
  }

  /// Bytes of one interleaved pixel: 1...16.
  public var bytesPerPixel: Int { channels.count * sample.byteCount }

  /// For messages, as `rgb/uint16`.
  public var description: String { "\(channels.rawValue)/\(sample.rawValue)" }
}
