/// What must be known of a picture to compare it.
public struct ComparedPicture: Sendable, Hashable {
  /// Columns and rows.
  public var size: PixelSize
  /// Channels and samples of the rows that are handed over.
  public var format: PixelFormat
  /// What stored values mean, for colour metrics.
  public var encoding: ColourEncoding

  /// A picture of sRGB values unless told otherwise.
  public init(size: PixelSize, format: PixelFormat, encoding: ColourEncoding = .sRGB) {
    (self.size, self.format, self.encoding) = (size, format, encoding)
  }
}

/// Rows of a picture, handed over from top to bottom.
public protocol ComparedRows: AnyObject {
  /// Why reading failed.
  associatedtype Failure: Error = Never

  /// Writes the next rows.
  ///
  /// - Parameters:
  ///   - count: how many; no more than are left.
  ///   - target: where the first goes.
  ///   - bytesPerRow: from the start of one row to the next.
  func read(rows count: Int, into target: UnsafeMutableRawPointer, bytesPerRow: Int) throws(Failure)
}

/// Why two pictures cannot be compared. One line; the left one is named first.
public enum ComparisonError: Error, Sendable, Hashable, CustomStringConvertible {
  /// They have different sizes.
  case sizes(PixelSize, PixelSize)
  /// They have different channels.
  case channels(ChannelLayout, ChannelLayout)
  /// One is a mosaic, the other a picture, or the like.
  case kinds(String, String)
  /// Their colour filter arrays differ.
  case filters(CFAPattern, CFAPattern)

  /// One line: what was found and what to do.
  public var description: String {
    switch self {
    case .sizes(let left, let right):
      "one has \(left), the other \(right) pixels: scale or crop one of them first"
    case .channels(let left, let right):
      "one has \(left.rawValue), the other \(right.rawValue) channels: convert one of them first"
    case .kinds(let left, let right): "one is \(left), the other \(right): compare two of a kind"
    case .filters(let left, let right):
      "one has the colour filters \(left), the other \(right): crop one by whole periods, or develop both"
    }
  }
}

/// Per-pixel differences that can be drawn while comparing.
public enum DifferenceMap: String, Sendable, Hashable, Codable, CaseIterable {
  /// FLIP, 0...1.
  case flip
  /// CIEDE2000.
  case colour = "de"
  /// The largest absolute difference of the channels, parts of full scale.
  case samples = "max-abs"
}
