import ImageCore
import Testing

@testable import Pipeline

struct SiteCalibrationTests {
  /// Flat grey under a quad array whose sites differ by up to `error` of the signal, with a little noise.
  static func photo(error: Double) -> RawPhoto {
    let cfa = CFAPattern(named: "quad-rggb")!
    let samples = Image<UInt16>(PixelSize(width: 640, height: 512)) { x, y in
      let sign: Double = (x + y) % 2 == 0 ? 1 : -1
      let hash = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663) &* 2_654_435_761
      let noise = Double(hash >> 16) / 65536 - 0.5
      return UInt16(512 + 8000 * (1 + error * sign) + 20 * noise)
    }
    let levels = SensorLevels(black: 512, white: 16383)
    return RawPhoto(pixels: .mosaic(Mosaic(samples: samples, cfa: cfa, levels: levels)))
  }

  @Test func unequalSitesAreMadeEqual() throws {
    var photo = Self.photo(error: 0.02)
    let correction = photo.equaliseSites(resources: Resources())
    let largest = try #require(correction)
    #expect(abs(largest - 0.02) < 0.003, "the largest correction is \(largest)")
    guard case .mosaic(let mosaic) = photo.pixels else { return }
    var sums = [0.0, 0.0]
    for y in 0..<mosaic.size.height {
      for x in 0..<mosaic.size.width { sums[(x + y) % 2] += Double(mosaic.samples[x, y]) - 512 }
    }
    #expect(abs(sums[0] / sums[1] - 1) < 0.001, "a maze of \(sums[0] / sums[1] - 1) is left")
  }

  @Test func equalSitesAreLeftAlone() {
    var photo = Self.photo(error: 0)
    let correction = photo.equaliseSites(resources: Resources())
    #expect(correction == nil)
  }
}
