import ImageCore

/// Which stored pixels are taken, how they are laid, and which tag the result carries.
struct Placement: Sendable, Hashable {
  let source: PixelRect
  let lay: Orientation
  let tag: Orientation

  var size: PixelSize { lay.applied(to: source.size) }
}
