import ImageCore
import Testing

@Suite("Orientation is the group of the square")
struct OrientationTests {
  static let stored = Image<UInt16>(PixelSize(width: 3, height: 5)) { x, y in UInt16(10 * y + x) }

  /// The plain definition: one pixel at a time.
  static func moved(_ image: Image<UInt16>, by orientation: Orientation) -> Image<UInt16> {
    Image(orientation.applied(to: image.size)) { x, y in
      let source = orientation.source(x: x, y: y, in: image.size)
      return image[source.x, source.y]
    }
  }

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func composedEqualsPixelsMovedTwice(a: Orientation, b: Orientation) {
    #expect(Self.moved(Self.stored, by: a.then(b)) == Self.moved(Self.moved(Self.stored, by: a), by: b))
  }

  @Test(arguments: Orientation.allCases)
  func inverseUndoes(a: Orientation) {
    #expect(a.then(a.inverse) == .up)
    #expect(Self.moved(Self.moved(Self.stored, by: a), by: a.inverse) == Self.stored)
  }

  @Test(arguments: Orientation.allCases)
  func libRawFlipRoundTrips(a: Orientation) {
    #expect(Orientation(libRawFlip: a.libRawFlip) == a)
  }

  @Test func libRawFlipsThatCamerasWrite() {
    #expect(Orientation(libRawFlip: 3) == .down)
    #expect(Orientation(libRawFlip: 5) == .left)
    #expect(Orientation(libRawFlip: 6) == .right)
  }

  @Test(arguments: Orientation.allCases)
  func patternFollowsThePixels(orientation: Orientation) {
    // The mosaic whose samples are its own colours: after moving, samples and pattern must still agree.
    for name in ["rggb", "quad-grbg", "nona-bggr", "xtrans"] {
      let pattern = CFAPattern(named: name)!.shifted(dx: 1, dy: 0)
      let size = PixelSize(width: 13, height: 11)
      let colours = Image<UInt16>(size) { x, y in UInt16(pattern[x, y].rawValue) }
      let result = Self.moved(colours, by: orientation)
      let moved = pattern.oriented(orientation, of: size)
      let expected = Image<UInt16>(result.size) { x, y in UInt16(moved[x, y].rawValue) }
      #expect(result == expected, "\(name) under \(orientation)")
    }
  }
}
