public import ImageCore

/// How a preview fills its place, as AVFoundation names it.
public enum VideoGravity: String, Sendable, Hashable, Codable, CaseIterable {
  /// All of the picture, ratio kept: bars remain.
  case aspect
  /// All of the place, ratio kept: the picture is cropped.
  case aspectFill = "aspect-fill"
  /// All of both: the picture is stretched.
  case resize
}

/// Where along the free direction a preview lies that does not fill its place.
public enum PreviewPlacement: String, Sendable, Hashable, Codable, CaseIterable {
  case center
  /// At the left or top edge; the rest is one area for controls.
  case leading
  /// At the right or bottom edge; the rest is one area for controls.
  case trailing
}

/// Exact rectangles of a preview on a display.
public struct PreviewLayout: Sendable, Hashable, Codable {
  /// Where the picture is drawn, in the place's pixels.
  public let preview: PixelRect
  /// The part of the picture that is drawn, in its own pixels.
  public let visible: PixelRect
  /// What the preview leaves free for controls; no empty ones.
  public let free: [PixelRect]

  /// Lays a picture into a place.
  ///
  /// Fitted and cropped sides are the exact quotient rounded to the nearest whole pixel, halves up. When the free space
  /// is odd, a centred rectangle lies half a pixel to the left or top.
  ///
  /// - Parameters:
  ///   - picture: the upright picture's size, both sides at least 1.
  ///   - place: the display or window, both sides at least 1.
  ///   - placement: matters for `aspect` only.
  public init(
    picture: PixelSize, in place: PixelSize, gravity: VideoGravity, placement: PreviewPlacement = .center
  ) {
    switch gravity {
    case .resize:
      (preview, visible, free) = (PixelRect(place), PixelRect(picture), [])
    case .aspectFill:
      let shown = Self.fitted(place, in: picture)
      preview = PixelRect(place)
      visible = PixelRect(
        x: (picture.width - shown.width) / 2, y: (picture.height - shown.height) / 2, width: shown.width,
        height: shown.height)
      free = []
    case .aspect:
      let shown = Self.fitted(picture, in: place)
      let spare = PixelSize(width: place.width - shown.width, height: place.height - shown.height)
      preview = PixelRect(
        x: placement.offset(spare.width), y: placement.offset(spare.height), width: shown.width,
        height: shown.height)
      visible = PixelRect(picture)
      free = Self.rest(of: place, around: preview)
    }
  }

  /// The largest size of `shape`'s ratio inside `limits`; one side is always that of the limits.
  private static func fitted(_ shape: PixelSize, in limits: PixelSize) -> PixelSize {
    let isWider = shape.width * limits.height >= limits.width * shape.height
    return isWider
      ? PixelSize(width: limits.width, height: max(1, rounded(limits.width * shape.height, by: shape.width)))
      : PixelSize(width: max(1, rounded(limits.height * shape.width, by: shape.height)), height: limits.height)
  }

  private static func rounded(_ a: Int, by b: Int) -> Int { (2 * a + b) / (2 * b) }

  /// Left, right, above, below: at most one pair is not empty, since one side is filled.
  private static func rest(of place: PixelSize, around rect: PixelRect) -> [PixelRect] {
    let (right, bottom) = (rect.x + rect.width, rect.y + rect.height)
    return [
      PixelRect(x: 0, y: 0, width: rect.x, height: place.height),
      PixelRect(x: right, y: 0, width: place.width - right, height: place.height),
      PixelRect(x: 0, y: 0, width: place.width, height: rect.y),
      PixelRect(x: 0, y: bottom, width: place.width, height: place.height - bottom),
    ].filter { !$0.isEmpty }
  }
}

extension PreviewPlacement {
  fileprivate func offset(_ spare: Int) -> Int {
    switch self {
    case .center: spare / 2
    case .leading: 0
    case .trailing: spare
    }
  }
}
