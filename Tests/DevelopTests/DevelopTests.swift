import Develop
import ImageCore
import Testing

/// A repeatable noise-like count for a photosite.
private func grain(_ x: Int, _ y: Int) -> UInt16 {
  var state = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663)
  state ^= state << 13
  state ^= state >> 17
  state ^= state << 5
  return UInt16(256 + state % 3000)
}

private func photo(
  _ size: PixelSize, _ cfa: CFAPattern = .rggb, neutral: [Double]? = nil,
  _ count: (_ x: Int, _ y: Int) -> UInt16 = grain
) -> RawPhoto {
  let mosaic = Mosaic(
    samples: Image(size, pixel: count), cfa: cfa, levels: SensorLevels(black: 256, white: 4096))
  var calibration = ColourCalibration()
  if let neutral { calibration.asShotWhite = .neutral(neutral) }
  return RawPhoto(pixels: .mosaic(mosaic), calibration: calibration)
}

private func develop(
  _ photo: RawPhoto, _ rect: PixelRect? = nil, _ orientation: Orientation = .up,
  _ options: DevelopOptions = .standard, workers: Int = 1
) throws -> Image<RGB<UInt16>> {
  let rect = rect ?? PixelRect(photo.pixels.size)
  var image = Image<RGB<UInt16>>(uninitialized: orientation.applied(to: rect.size))
  try Developer(photo, options: options).render(
    rect, orientation: orientation, into: &image, resources: Resources(workers: Workers(count: workers)))
  return image
}

private var camera: DevelopOptions {
  var options = DevelopOptions()
  options.rendering = .camera
  return options
}

private let patterns = [
  "RGGB", "GRBG", "GBRG", "BGGR", "xtrans", "quad-rggb", "nona-rggb", "hexadeca-bggr",
].compactMap { CFAPattern(named: $0) }

/// Steps of 16 bits by which a coloured flat may be missed: what whole-number codes of square-root light cannot resolve
/// at white, and for larger clusters what linear filters, whose weights add up over all colours, leave of it.
private func resolution(_ cfa: CFAPattern) -> Int {
  switch cfa.description.split(separator: "-").first {
  case "quad": 8
  case "nona", "hexadeca": 400
  default: 0
  }
}

private func largestDifference(_ image: Image<RGB<UInt16>>, from colour: RGB<UInt16>) -> Int {
  var largest = 0
  for y in 0..<image.size.height {
    for x in 0..<image.size.width {
      let pixel = image[x, y]
      for (found, wanted) in [(pixel.red, colour.red), (pixel.green, colour.green), (pixel.blue, colour.blue)] {
        largest = max(largest, abs(Int(found) - Int(wanted)))
      }
    }
  }
  return largest
}

@Test("A flat field stays flat and exact in camera rendering", arguments: patterns)
func flatField(cfa: CFAPattern) throws {
  let size = PixelSize(width: 53, height: 41)
  let levels: [CFAColour: UInt16] = [.red: 256 + 480, .green: 256 + 1920, .blue: 256 + 960]
  let flat = photo(size, cfa, neutral: [0.5, 1, 0.65]) { x, y in levels[cfa[x, y]]! }
  let result = try develop(flat, nil, .up, camera)
  #expect(largestDifference(result, from: RGB(8192, 32768, 16384)) <= resolution(cfa))
}

@Test("Camera rendering: black is 0, white is full scale", arguments: patterns)
func fullScale(cfa: CFAPattern) throws {
  let size = PixelSize(width: 20, height: 16)
  let white = try develop(photo(size, cfa, neutral: [0.4, 1, 0.7]) { _, _ in 4096 }, nil, .up, camera)
  #expect(largestDifference(white, from: RGB(65535, 65535, 65535)) <= resolution(cfa))
  let black = try develop(photo(size, cfa) { _, _ in 256 }, nil, .up, camera)
  #expect(largestDifference(black, from: RGB(0, 0, 0)) == 0, "black under \(cfa)")
}

@Test("A neutral stays neutral and saturated light is white", arguments: OutputColourSpace.allCases)
func neutral(space: OutputColourSpace) throws {
  var options = DevelopOptions()
  options.outputSpace = space
  let size = PixelSize(width: 16, height: 16)
  let gains: [CFAColour: Double] = [.red: 0.5, .green: 1, .blue: 0.65]
  let xyzToCamera = Matrix([0.8, -0.25, -0.1], [-0.45, 1.25, 0.2], [-0.1, 0.25, 0.6])
  var grey = photo(size, .rggb, neutral: [0.5, 1, 0.65]) { x, y in
    UInt16(256 + 1000 * gains[CFAPattern.rggb[x, y]]!)
  }
  grey.calibration.profiles = [.init(illuminant: .exif(21), colorMatrix: xyzToCamera)]
  let pixel = try develop(grey, nil, .up, options)[8, 8]
  #expect(abs(Int(pixel.red) - Int(pixel.green)) <= 20)
  #expect(abs(Int(pixel.blue) - Int(pixel.green)) <= 20)
  grey.pixels = photo(size) { _, _ in 4096 }.pixels
  #expect(try develop(grey, nil, .up, options)[8, 8] == RGB(65535, 65535, 65535))
}

@Test("Laying while developing equals developing, then laying", arguments: Orientation.allCases)
func placement(orientation: Orientation) throws {
  let photo = photo(PixelSize(width: 301, height: 133))
  let upright = try develop(photo)
  let laid = try develop(photo, nil, orientation)
  let expected = Image(orientation.applied(to: upright.size)) { x, y in
    let source = orientation.source(x: x, y: y, in: upright.size)
    return upright[source.x, source.y]
  }
  #expect(laid == expected)
}

@Test("Threads do not change the result", arguments: [CFAPattern.rggb, .xTrans])
func threads(cfa: CFAPattern) throws {
  let photo = photo(PixelSize(width: 533, height: 401), cfa)
  #expect(try develop(photo) == develop(photo, workers: 2))
}

@Test("A rectangle is what the whole shows there", arguments: [CFAPattern.rggb, .xTrans])
func rectangle(cfa: CFAPattern) throws {
  let photo = photo(PixelSize(width: 533, height: 401), cfa)
  let whole = try develop(photo)
  for rect in [PixelRect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 31, y: 77, width: 301, height: 203)] {
    #expect(try develop(photo, rect) == whole.cropped(to: rect))
  }
}

@Test(
  "Small sensors are developed",
  arguments: [(1, 1), (1, 9), (2, 2), (3, 8), (4, 4), (5, 4)].map { PixelSize(width: $0.0, height: $0.1) }, patterns)
func smallSizes(size: PixelSize, cfa: CFAPattern) throws {
  let photo = photo(size, cfa)
  #expect(try develop(photo).size == size)
}

@Test("A linear picture needs no demosaic")
func linearPicture() throws {
  let size = PixelSize(width: 9, height: 7)
  let picture = LinearPicture(
    samples: Image(size) { x, y in RGB(UInt16(x * 1000), UInt16(y * 1000), 5000) },
    levels: SensorLevels(black: BlackLevel(uniform: 0, planes: 3), white: [65535, 65535, 65535]))
  let result = try develop(RawPhoto(pixels: .linear(picture)), nil, .up, camera)
  #expect(result == picture.samples)
}

@Test("Four complementary colours become RGB; unknown colours are refused")
func otherColours() throws {
  let gmcy = CFAPattern(named: "gmcy")!
  let grey = try develop(photo(PixelSize(width: 12, height: 12), gmcy) { _, _ in 1256 })[6, 6]
  #expect(abs(Int(grey.red) - Int(grey.green)) <= 20 && abs(Int(grey.blue) - Int(grey.green)) <= 20)
  #expect(throws: DevelopError.self) {
    try develop(photo(PixelSize(width: 8, height: 8), CFAPattern(named: "rgbw")!))
  }
}
