import ImageCore
import Testing

@Suite("Moving pixels")
struct OrientationKernelTests {
  /// One pixel with its bytes around a filled margin: what the kernel may and may not touch.
  struct Plane: Equatable {
    static let margin = 40
    var bytes: [UInt8]
    let size: PixelSize
    let bytesPerPixel: Int
    let bytesPerRow: Int

    init(_ size: PixelSize, bytesPerPixel: Int, padding: Int, filled: Bool) {
      self.size = size
      self.bytesPerPixel = bytesPerPixel
      bytesPerRow = size.width * bytesPerPixel + padding
      let count = bytesPerRow * size.height + 2 * Self.margin
      var state: UInt32 = 12345
      bytes = (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223  // Numerical Recipes' linear congruential generator
        return filled ? UInt8(truncatingIfNeeded: state >> 24) : 0xA5
      }
    }

    func offset(_ x: Int, _ y: Int) -> Int { Self.margin + y * bytesPerRow + x * bytesPerPixel }
  }

  static func laid(_ source: Plane, by orientation: Orientation, padding: Int, workers: Workers) -> Plane {
    var result = Plane(
      orientation.applied(to: source.size), bytesPerPixel: source.bytesPerPixel, padding: padding, filled: false)
    let offset = result.offset(0, 0)
    let bytesPerRow = result.bytesPerRow
    source.bytes.withUnsafeBytes { from in
      result.bytes.withUnsafeMutableBytes { to in
        OrientationKernel.lay(
          orientation, source: from.baseAddress! + source.offset(0, 0), sourceBytesPerRow: source.bytesPerRow,
          sourceSize: source.size, destination: to.baseAddress! + offset, destinationBytesPerRow: bytesPerRow,
          bytesPerPixel: source.bytesPerPixel, workers: workers)
      }
    }
    return result
  }

  static func reference(_ source: Plane, by orientation: Orientation, padding: Int) -> Plane {
    var result = Plane(
      orientation.applied(to: source.size), bytesPerPixel: source.bytesPerPixel, padding: padding, filled: false)
    for y in 0..<result.size.height {
      for x in 0..<result.size.width {
        let from = orientation.source(x: x, y: y, in: source.size)
        for byte in 0..<source.bytesPerPixel {
          result.bytes[result.offset(x, y) + byte] = source.bytes[source.offset(from.x, from.y) + byte]
        }
      }
    }
    return result
  }

  static let sizes = [
    PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 8), PixelSize(width: 17, height: 1),
    PixelSize(width: 1, height: 33), PixelSize(width: 67, height: 41), PixelSize(width: 40, height: 64),
  ]

  @Test(arguments: [1, 2, 3, 4, 5, 6, 8, 12, 16], [0, 1, 7])
  func equalsThePlainDefinition(bytesPerPixel: Int, padding: Int) {
    for size in Self.sizes {
      let source = Plane(size, bytesPerPixel: bytesPerPixel, padding: padding, filled: true)
      for orientation in Orientation.allCases {
        let expected = Self.reference(source, by: orientation, padding: padding + 3)
        for workers in [Workers.serial, Workers(count: 3)] {
          let result = Self.laid(source, by: orientation, padding: padding + 3, workers: workers)
          #expect(result == expected, "\(orientation) of \(size), \(bytesPerPixel) bytes a pixel")
        }
      }
    }
  }

  /// Large enough to be written past the cache: the other code path.
  @Test(arguments: [1, 2, 3, 6, 12])
  func largePicturesToo(bytesPerPixel: Int) {
    let size = PixelSize(width: 1933, height: (8 << 20) / bytesPerPixel / 1933 + 2)
    let source = Image<UInt8>(PixelSize(width: size.width * bytesPerPixel, height: size.height)) { x, y in
      UInt8(truncatingIfNeeded: x &* 7 &+ y &* 13 &+ (x >> 8))
    }
    for orientation in Orientation.allCases {
      let laid = orientation.applied(to: size)
      var there = Image<UInt8>(uninitialized: PixelSize(width: laid.width * bytesPerPixel, height: laid.height))
      var back = Image<UInt8>(uninitialized: source.size)
      Self.lay(source, size, orientation, into: &there, bytesPerPixel)
      Self.lay(there, laid, orientation.inverse, into: &back, bytesPerPixel)
      #expect(back == source, "\(orientation)")
      for (x, y) in [(0, 0), (laid.width - 1, 0), (laid.width / 2, laid.height / 3), (5, laid.height - 1)] {
        let from = orientation.source(x: x, y: y, in: size)
        for byte in 0..<bytesPerPixel {
          #expect(there[x * bytesPerPixel + byte, y] == source[from.x * bytesPerPixel + byte, from.y])
        }
      }
    }
  }

  static func lay(
    _ source: Image<UInt8>, _ size: PixelSize, _ orientation: Orientation, into result: inout Image<UInt8>,
    _ bytes: Int
  ) {
    source.withRows { from in
      result.withMutableRows { to in
        OrientationKernel.lay(
          orientation, source: from.base, sourceBytesPerRow: from.stride, sourceSize: size, destination: to.base,
          destinationBytesPerRow: to.stride, bytesPerPixel: bytes, workers: Workers(count: 2))
      }
    }
  }

  @Test func flippingTwiceAndTurningFourTimesIsNothing() {
    let image = Image<RGB<UInt16>>(PixelSize(width: 533, height: 401)) { x, y in
      RGB(UInt16(x), UInt16(y), UInt16(x ^ y))
    }
    #expect(image.oriented(.upMirrored).oriented(.upMirrored) == image)
    #expect(image.oriented(.downMirrored).oriented(.downMirrored) == image)
    var turned = image
    for _ in 0..<4 { turned = turned.oriented(.right) }
    #expect(turned == image)
    #expect(image.oriented(.right).size == PixelSize(width: 401, height: 533))
  }

  @Test(arguments: Orientation.allCases)
  func croppingThenTurningIsTurningThenCropping(orientation: Orientation) {
    let image = Image<UInt16>(PixelSize(width: 61, height: 47)) { x, y in UInt16(100 * y + x) }
    let rect = PixelRect(x: 5, y: 3, width: 13, height: 9)
    let turned = image.oriented(orientation)
    let stored = orientation.source(of: rect, in: image.size)
    #expect(image.cropped(to: stored).oriented(orientation) == turned.cropped(to: rect))
  }

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func composes(a: Orientation, b: Orientation) {
    let image = Image<RGB<Float>>(PixelSize(width: 35, height: 19)) { x, y in RGB(Float(x), Float(y), 0.5) }
    #expect(image.oriented(a).oriented(b) == image.oriented(a.then(b)))
  }

  @Test func aCopySharesNothing() {
    let whole = Image<UInt16>(PixelSize(width: 9, height: 9)) { x, y in UInt16(x + 9 * y) }
    let crop = whole.cropped(to: PixelRect(x: 2, y: 3, width: 4, height: 5))
    #expect(crop.copied() == crop)
    #expect(crop.copied().stride != crop.stride || crop.stride == 32)
  }
}

@Suite("Moving mosaics")
struct MosaicGeometryTests {
  static let patterns = ["rggb", "grbg", "gbrg", "bggr", "quad-rggb", "quad-gbrg", "nona-bggr", "xtrans"]

  /// Each sample says its colour and its black level, so that the facts can be checked against the pixels.
  static func labelled(_ pattern: CFAPattern, _ size: PixelSize) -> Mosaic {
    let black = BlackLevel(
      width: 2, height: 3, values: [0, 1, 2, 3, 4, 5], columnDeltas: (0..<size.width).map { Float(10 * ($0 % 5)) },
      rowDeltas: (0..<size.height).map { Float(100 * ($0 % 7)) })
    let samples = Image<UInt16>(size) { x, y in
      UInt16(1000 * Int(pattern[x, y].rawValue)) + UInt16(black.value(x: x, y: y))
    }
    return Mosaic(samples: samples, cfa: pattern, levels: SensorLevels(black: black, white: [16383]))
  }

  static func isConsistent(_ mosaic: Mosaic) -> Bool {
    for y in 0..<mosaic.size.height {
      for x in 0..<mosaic.size.width {
        let expected = 1000 * Float(mosaic.cfa[x, y].rawValue) + mosaic.levels.black.value(x: x, y: y)
        if Float(mosaic.samples[x, y]) != expected { return false }
      }
    }
    return true
  }

  @Test(arguments: patterns, Orientation.allCases)
  func patternAndBlackFollowThePixels(name: String, orientation: Orientation) {
    let pattern = CFAPattern(named: name)!
    for dy in 0..<pattern.height {
      for dx in 0..<pattern.width {
        let mosaic = Self.labelled(pattern.shifted(dx: dx, dy: dy), PixelSize(width: 23, height: 17))
        let crop = mosaic.cropped(to: PixelRect(x: 3, y: 1, width: 14, height: 11))
        #expect(Self.isConsistent(crop))
        #expect(Self.isConsistent(crop.oriented(orientation)), "\(name)+\(dx)+\(dy) under \(orientation)")
      }
    }
  }
}
