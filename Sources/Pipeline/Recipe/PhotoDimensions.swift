import CaptureModel
public import ImageCore

/// The largest picture that is asked for: a request, not a promise. A capture that is smaller keeps its size.
public struct PhotoDimensions: Sendable, Hashable, CustomStringConvertible {
  /// The largest size in landscape; portrait pictures may be as large turned. `nil` for no limit.
  public let size: PixelSize?
  /// As it was written: `full`, `24MP` or `5712x4284`.
  public let description: String
  /// Sizes that go by a name are a number of pixels, whatever the ratio of the sides.
  private let isCount: Bool

  /// Sizes that go by a name: those of the capture model, and no limit.
  static let named: [(name: String, size: PixelSize?)] =
    [("full", nil)] + PhotoSize.allCases.map { ($0.rawValue, $0.dimensions) }
  /// The longest side that is taken for a size.
  private static let longestSide = 1_000_000
  /// Pictures with more pixels than a name says, by less than this part, are left alone: a small change of size only
  /// costs sharpness.
  private static let tolerance = 0.1

  /// `full`, `12MP`, `18MP`, `24MP`, `48MP` or `WxH`; `nil` for any other text. Case does not matter.
  public init?(_ text: String) {
    if let match = Self.named.first(where: { $0.name.lowercased() == text.lowercased() }) {
      (size, description, isCount) = (match.size, match.name, true)
      return
    }
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...Self.longestSide).contains($0) }) else { return nil }
    let size = PixelSize(width: sides[0], height: sides[1])
    (self.size, description, isCount) = (size, "\(size)", false)
  }

  /// The size that is made by fusing a full-resolution frame with binned ones.
  public static let fused = PhotoDimensions("24MP")!

  /// The size to which a picture is scaled down, with its sides' ratio; `nil` when it may stay as it is, upright or
  /// turned. A name is a number of pixels, `WxH` is a frame to fit into.
  func limit(of found: PixelSize) -> PixelSize? {
    guard let size else { return nil }
    if isCount {
      let excess = Double(found.area) / Double(size.area)
      guard excess > 1 + Self.tolerance else { return nil }
      return found.scaled(by: 1 / excess.squareRoot())
    }
    let scale = min(
      Double(max(size.width, size.height)) / Double(max(found.width, found.height)),
      Double(min(size.width, size.height)) / Double(min(found.width, found.height)))
    return scale < 1 ? found.scaled(by: scale) : nil
  }

  /// - Throws: unavailable (69) when a picture would have to be made smaller, which moving pixels does not.
  func check(_ found: PixelSize) throws(JobFailure) {
    guard limit(of: found) != nil else { return }
    throw JobFailure(
      .unavailable,
      "the picture is \(found), maxPhotoDimensions asks for at most \(description): transform keeps every pixel; "
        + "ask for more, or leave it out")
  }
}

extension PixelSize {
  fileprivate func scaled(by factor: Double) -> PixelSize {
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
    return PixelSize(width: side(width), height: side(height))
  }
}
