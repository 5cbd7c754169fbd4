import ImageCore
import Testing

@testable import Develop

struct RemosaicTests {
  /// Waves of light under a filter array, with unequal colours.
  static func photo(_ cfa: CFAPattern, _ size: PixelSize = PixelSize(width: 70, height: 53)) -> RawPhoto {
    let gains: [CFAColour: Double] = [.red: 0.5, .green: 1, .blue: 0.65]
    let samples = Image<UInt16>(size) { x, y in
      let light = 0.4 + 0.25 * Double((x * 7 + y * 3) % 40) / 40 + (x + y > 60 ? 0.2 : 0)
      return UInt16(256 + 3840 * light * gains[cfa[x, y]]!)
    }
    return RawPhoto(
      pixels: .mosaic(Mosaic(samples: samples, cfa: cfa, levels: SensorLevels(black: 256, white: 4096))),
      calibration: ColourCalibration(asShotWhite: .neutral([0.5, 1, 0.65])))
  }

  static var origins: [CFAPattern] {
    (0..<16).map { CFAPattern(named: "quad-rggb")!.shifted(dx: $0 % 4, dy: $0 / 4) }
  }

  @Test(arguments: origins)
  func keptColoursKeepTheirCounts(cfa: CFAPattern) throws {
    let photo = Self.photo(cfa)
    let remosaicer = try Remosaicer(photo)
    let result = remosaicer.mosaic(resources: Resources(workers: Workers(count: 2)))
    #expect(result.cfa.isBayer, "\(cfa) became \(result.cfa)")
    guard case .mosaic(let mosaic) = photo.pixels else { return }
    var kept = 0
    for y in 0..<mosaic.size.height {
      for x in 0..<mosaic.size.width where mosaic.cfa[x, y] == result.cfa[x, y] {
        kept += 1
        #expect(result.samples[x, y] == mosaic.samples[x, y], "(\(x), \(y)) of \(cfa)")
      }
    }
    let share = Double(kept) / Double(mosaic.size.area)
    #expect(abs(share - 6.0 / 16) < 0.02, "\(cfa) keeps \(share) of its photosites")
  }

  @Test func flatLightStaysFlat() throws {
    let cfa = CFAPattern(named: "quad-rggb")!.shifted(dx: 2, dy: 3)
    let levels: [CFAColour: UInt16] = [.red: 256 + 480, .green: 256 + 960, .blue: 256 + 624]
    var photo = Self.photo(cfa)
    guard case .mosaic(var mosaic) = photo.pixels else { return }
    mosaic.samples = Image(mosaic.size) { x, y in levels[cfa[x, y]]! }
    photo.pixels = .mosaic(mosaic)
    let result = try Remosaicer(photo).mosaic()
    for y in 0..<result.size.height {
      for x in 0..<result.size.width {
        let expected = Int(levels[result.cfa[x, y]]!)
        #expect(abs(Int(result.samples[x, y]) - expected) <= 1, "(\(x), \(y)): \(result.samples[x, y])")
      }
    }
  }

  @Test func otherArraysAreRefused() {
    #expect(throws: DevelopError.notQuad(.rggb)) { _ = try Remosaicer(Self.photo(.rggb)) }
  }

  /// A tile's neighbourhood is read, never made up: any part of a picture is developed as in the whole, for any
  /// number of threads and each quality.
  @Test(arguments: DemosaicQuality.allCases, ["quad-rggb", "nona-rggb", "rggb"])
  func partsEqualTheWhole(quality: DemosaicQuality, name: String) throws {
    let cfa = CFAPattern(named: name)!.shifted(dx: 3, dy: 1)
    let photo = Self.photo(cfa, PixelSize(width: 533, height: 301))
    var options = DevelopOptions()
    options.demosaic = quality
    let developer = try Developer(photo, options: options)
    func render(_ rect: PixelRect, _ threads: Int) -> Image<RGB<UInt16>> {
      var image = Image<RGB<UInt16>>(uninitialized: rect.size)
      developer.render(
        rect, orientation: .up, into: &image, resources: Resources(workers: Workers(count: threads)))
      return image
    }
    let whole = render(PixelRect(photo.pixels.size), 3)
    for rect in [
      PixelRect(photo.pixels.size), PixelRect(x: 5, y: 7, width: 61, height: 33),
      PixelRect(x: 470, y: 250, width: 63, height: 51),
    ] {
      #expect(render(rect, 1) == whole.cropped(to: rect), "\(rect) of \(name), \(quality)")
    }
  }

  /// Turning the sensor turns the picture: arrays of clusters look alike from all sides but the trained tables do not
  /// know that, so the agreement is close, not exact.
  @Test(arguments: Orientation.allCases)
  func turnedSensorsGiveTurnedPictures(orientation: Orientation) throws {
    let cfa = CFAPattern(named: "quad-rggb")!
    let photo = Self.photo(cfa, PixelSize(width: 96, height: 80))
    guard case .mosaic(let mosaic) = photo.pixels else { return }
    var turned = photo
    turned.pixels = .mosaic(
      Mosaic(
        samples: mosaic.samples.oriented(orientation), cfa: cfa.oriented(orientation, of: mosaic.size),
        levels: mosaic.levels.oriented(orientation, of: mosaic.size)))
    turned.defaultCrop = PixelRect(turned.pixels.size)
    var options = DevelopOptions()
    options.rendering = .camera
    func render(_ photo: RawPhoto, _ orientation: Orientation) throws -> Image<RGB<UInt16>> {
      let size = photo.pixels.size
      var image = Image<RGB<UInt16>>(uninitialized: orientation.applied(to: size))
      try Developer(photo, options: options).render(PixelRect(size), orientation: orientation, into: &image)
      return image
    }
    let difference = PixelDifference(try render(photo, orientation), try render(turned, .up), border: 4)
    #expect(difference.cpsnr > 38, "\(orientation): \(difference.cpsnr) dB")
  }
}
