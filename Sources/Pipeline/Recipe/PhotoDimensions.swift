public import ImageCore

/// The largest picture that is asked for: a request, not a promise. A capture that is smaller keeps its size.
public struct PhotoDimensions: Sendable, Hashable, CustomStringConvertible {
  /// The largest size in landscape; portrait pictures may be as large turned.
  public let size: PixelSize
  /// As it was written: `24MP` or `5712x4284`.
  public let description: String

  /// The 4:3 sizes of phone captures that go by a name.
  static let named: [(name: String, size: PixelSize)] = [
    ("12MP", PixelSize(width: 4032, height: 3024)), ("18MP", PixelSize(width: 4896, height: 3672)),
    ("24MP", PixelSize(width: 5712, height: 4284)), ("48MP", PixelSize(width: 8064, height: 6048)),
  ]
  /// The longest side that is taken for a size.
  private static let longestSide = 1_000_000

  /// `12MP`, `18MP`, `24MP`, `48MP` or `WxH`; `nil` for any other text. Case does not matter.
  public init?(_ text: String) {
    if let match = Self.named.first(where: { $0.name == text.uppercased() }) {
      (size, description) = (match.size, match.name)
      return
    }
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...Self.longestSide).contains($0) }) else { return nil }
    size = PixelSize(width: sides[0], height: sides[1])
    description = "\(size)"
  }

  /// Whether a picture of this size may stay as it is, upright or turned.
  func admits(_ other: PixelSize) -> Bool {
    max(other.width, other.height) <= max(size.width, size.height)
      && min(other.width, other.height) <= min(size.width, size.height)
  }

  /// - Throws: unavailable (69) when a picture would have to be made smaller, for which there is no stage here.
  func check(_ found: PixelSize) throws(JobFailure) {
    guard !admits(found) else { return }
    throw JobFailure(
      .unavailable,
      "the capture is \(found), maxPhotoDimensions asks for at most \(description): this chain keeps every pixel; "
        + "ask for 48MP or more, or leave it out")
  }
}
