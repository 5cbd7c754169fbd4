import Develop
import ImageCore
import Testing

/// Local gains (ProfileGainTableMap) in pictures.
@Suite struct GainTableTests {
  static let size = PixelSize(width: 40, height: 30)

  private func photo(_ level: Float) -> RawPhoto {
    let samples = Image<RGB<UInt16>>(Self.size) { x, y in
      RGB(UInt16(Float(8000 + x * 200) * level), UInt16(Float(12000 + y * 100) * level), UInt16(9000 * level))
    }
    let levels = SensorLevels(black: BlackLevel(uniform: 0, planes: 3), white: [65535, 65535, 65535])
    let d65 = 21
    let toCamera = OutputColourSpace.sRGB.toXYZ.inverse ?? .identity(3)
    return RawPhoto(
      pixels: .linear(LinearPicture(samples: samples, levels: levels)),
      calibration: ColourCalibration(
        profiles: [.init(illuminant: .exif(d65), colorMatrix: toCamera)], asShotWhite: .neutral([1, 1, 1])))
  }

  private func render(_ photo: RawPhoto, _ options: DevelopOptions = .standard) throws -> Image<RGB<UInt16>> {
    var picture = Image<RGB<UInt16>>(Self.size) { _, _ in RGB(0, 0, 0) }
    try Developer(photo, options: options).render(PixelRect(Self.size), orientation: .up, into: &picture)
    return picture
  }

  private func table(columns: Int = 1, values: Int = 1, gains: [Float]) -> ProfileGainTable? {
    ProfileGainTable(
      rows: 1, columns: columns, values: values, rowSpacing: 1, columnSpacing: 1, rowOrigin: 0, columnOrigin: 0,
      weights: [0, 0, 0, 0, 1], gains: gains)
  }

  private func worst(_ a: Image<RGB<UInt16>>, _ b: Image<RGB<UInt16>>, columns: Range<Int> = 0..<40) -> Int {
    var worst = 0
    for y in 0..<Self.size.height {
      for x in columns {
        worst = max(worst, abs(Int(a[x, y].r) - Int(b[x, y].r)), abs(Int(a[x, y].g) - Int(b[x, y].g)))
      }
    }
    return worst
  }

  @Test("A gain of a half is half the light")
  func uniform() throws {
    var dimmed = photo(1)
    dimmed.gainTable = table(gains: [0.5])
    let tolerance = 40  // sixteenth bits of what is rounded before and after
    #expect(try worst(render(dimmed), render(photo(0.5))) < tolerance)
    #expect(try worst(render(dimmed), render(photo(1))) > 1000)
  }

  @Test("Gains go over from point to point and follow the brightness")
  func places() throws {
    var lit = photo(1)
    lit.gainTable = table(columns: 2, gains: [1, 0.5])
    let (full, half, mixed) = try (render(photo(1)), render(photo(0.5)), render(lit))
    #expect(worst(mixed, full, columns: 0..<1) < worst(half, full, columns: 0..<1) / 8)
    #expect(worst(mixed, half, columns: 39..<40) < worst(half, full, columns: 39..<40) / 8)
    // Everything here is darker than a half: the curve's upper part plays no role.
    var curved = photo(1)
    curved.gainTable = table(values: 4, gains: [0.5, 0.5, 0.5, 4])
    #expect(worst(try render(curved), half) < 40)
  }

  @Test("Camera rendering, the linear tone and scene light have no local gains")
  func off() throws {
    var lit = photo(1)
    lit.gainTable = table(gains: [0.5])
    var camera = DevelopOptions.standard
    camera.rendering = .camera
    var linear = DevelopOptions.standard
    linear.tone = .linear
    for options in [camera, linear] {
      let same = try render(lit, options) == render(photo(1), options)
      #expect(same, "\(options.rendering)")
    }
  }
}
