import Develop
import ImageCore
import Testing

/// Laws of finishing: what it must leave alone, what it must take, what it must give.
struct DetailTests {
  private static let levels = SensorLevels(black: 1000, white: 61000)

  private static func photo(
    _ size: PixelSize, _ cfa: CFAPattern = .rggb, noise: NoiseProfile? = nil, light: (_ x: Int, _ y: Int) -> Double
  ) -> RawPhoto {
    var state: UInt64 = 3
    func deviate() -> Double {
      // Twelve uniform numbers summed have variance 1.
      (0..<12).reduce(-6.0) { sum, _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return sum + Double(state >> 33) / Double(1 << 31)
      }
    }
    let samples = Image<UInt16>(size) { x, y in
      let signal = light(x, y)
      let plane = noise?.plane(0) ?? .init(scale: 0, offset: 0)
      let value = signal + (plane.scale * signal + plane.offset).squareRoot() * deviate()
      return UInt16(min(65535, max(0, (1000 + value * 60000).rounded())))
    }
    return RawPhoto(
      pixels: .mosaic(Mosaic(samples: samples, cfa: cfa, levels: levels)),
      calibration: ColourCalibration(asShotWhite: .neutral([1, 1, 1])), noise: noise)
  }

  private static func options(_ detail: Double) -> DevelopOptions {
    var options = DevelopOptions.standard
    options.tone = .linear
    options.detail = detail
    return options
  }

  private static func develop(
    _ photo: RawPhoto, _ options: DevelopOptions, _ rect: PixelRect? = nil, _ orientation: Orientation = .up,
    workers: Int = 1
  ) throws -> Image<RGB<UInt16>> {
    let rect = rect ?? PixelRect(photo.pixels.size)
    var image = Image<RGB<UInt16>>(uninitialized: orientation.applied(to: rect.size))
    try Developer(photo, options: options).render(
      rect, orientation: orientation, into: &image, resources: Resources(workers: Workers(count: workers)))
    return image
  }

  private static func firstDifference(_ a: Image<RGB<UInt16>>, _ b: Image<RGB<UInt16>>) -> String? {
    guard a.size == b.size else { return "sizes \(a.size) and \(b.size)" }
    for y in 0..<a.height {
      for x in 0..<a.width where a[x, y] != b[x, y] { return "(\(x), \(y)): \(a[x, y]) and \(b[x, y])" }
    }
    return nil
  }

  private static func texture(_ x: Int, _ y: Int) -> Double {
    0.1 + 0.7 * Double((x &* 73_856_093 ^ y &* 19_349_663) & 0xFF) / 255 * Double((x / 9 + y / 7) & 1)
  }

  static let profile = NoiseProfile(planes: [.init(scale: 4e-3, offset: 1e-5)])

  @Test(arguments: ["RGGB", "quad-rggb", "xtrans"])
  func aFlatStaysFlat(_ name: String) throws {
    let cfa = try #require(CFAPattern(named: name))
    // The profile says noise; there is none, so there is nothing to take.
    let flat = Self.photo(PixelSize(width: 301, height: 67), cfa, light: { _, _ in 0.2 })
    var noisy = flat
    noisy.noise = Self.profile
    let image = try Self.develop(noisy, Self.options(1))
    let expected = try Self.develop(noisy, Self.options(0))
    for y in 0..<image.height {
      for x in 0..<image.width {
        let (a, b) = (image[x, y], expected[x, y])
        let off = max(abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)), abs(Int(a.blue) - Int(b.blue)))
        // The light that the promised noise would have taken from a mean of roots is given: 0.1 %.
        #expect(off <= 100, "(\(x), \(y)) of \(name): \(a), without finishing \(b)")
        if off > 100 { return }
      }
    }
  }

  @Test(arguments: [
    PixelRect(x: 0, y: 0, width: 301, height: 283), PixelRect(x: 61, y: 90, width: 99, height: 77),
    PixelRect(x: 100, y: 3, width: 201, height: 280), PixelRect(x: 7, y: 200, width: 1, height: 1),
  ])
  func aCropOfTheResultIsTheResultOfTheCrop(_ rect: PixelRect) throws {
    let photo = Self.photo(PixelSize(width: 301, height: 283), noise: Self.profile, light: Self.texture)
    let whole = try Self.develop(photo, Self.options(1))
    let part = try Self.develop(photo, Self.options(1), rect)
    #expect(Self.firstDifference(whole.cropped(to: rect), part) == nil)
  }

  @Test func threadsAndOrientationsChangeNothing() throws {
    let photo = Self.photo(
      PixelSize(width: 530, height: 401), try #require(CFAPattern(named: "quad-rggb")), noise: Self.profile,
      light: Self.texture)
    let one = try Self.develop(photo, Self.options(1.5))
    #expect(Self.firstDifference(one, try Self.develop(photo, Self.options(1.5), workers: 3)) == nil)
    for orientation in Orientation.allCases {
      let turned = try Self.develop(photo, Self.options(1.5), nil, orientation)
      #expect(Self.firstDifference(one.oriented(orientation), turned) == nil, "\(orientation)")
    }
  }

  @Test(arguments: ["RGGB", "quad-rggb"], [0.02, 0.3])
  func noiseIsTaken(_ name: String, _ light: Double) throws {
    let cfa = try #require(CFAPattern(named: name))
    let photo = Self.photo(PixelSize(width: 200, height: 200), cfa, noise: Self.profile, light: { _, _ in light })
    // Of light, not of its encoding: the mean of noisy codes is darker than the code of the mean.
    let transfer = OutputColourSpace.sRGB.transfer
    func spread(_ detail: Double) throws -> (mean: Double, deviation: Double) {
      let image = try Self.develop(photo, Self.options(detail))
      var (sum, squares, count) = (0.0, 0.0, 0.0)
      for y in 20..<180 {
        for x in 20..<180 {
          for value in [image[x, y].red, image[x, y].green, image[x, y].blue] {
            let light = transfer.decode(Double(value) / 65535, power: Elementary.power)
            sum += light
            squares += light * light
            count += 1
          }
        }
      }
      return (sum / count, (squares / count - sum / count * sum / count).squareRoot())
    }
    let (before, after) = (try spread(0), try spread(1))
    // The networks of quad arrays take most of the noise themselves.
    let share = cfa.isBayer ? 0.5 : 0.75
    #expect(after.deviation < before.deviation * share, "\(after.deviation) of \(before.deviation)")
    #expect(abs(after.mean - before.mean) < 0.02 * before.mean, "the mean went from \(before.mean) to \(after.mean)")
  }

  /// A grating of 0.3 cycles a pixel is raised by what a lens took, and no further.
  @Test(arguments: [1.0, 2.0])
  func gratingsAreRaised(_ detail: Double) throws {
    let photo = Self.photo(
      PixelSize(width: 160, height: 64), light: { x, _ in 0.3 + 0.03 * Self.cosine(0.3 * Double(x)) })
    func contrast(_ detail: Double) throws -> Double {
      let image = try Self.develop(photo, Self.options(detail))
      let row = (40..<120).map { Double(image[$0, 32].green) }
      return (row.max() ?? 0) - (row.min() ?? 0)
    }
    let gain = try contrast(detail) / contrast(0)
    // 1.52 at strength 1 in the middle of the band, held back by the limit on overshoot.
    #expect(gain > 1.1 && gain < 2.4, "the contrast grew \(gain) times")
  }

  /// The cosine of turns, by its series: enough for a test pattern.
  private static func cosine(_ turns: Double) -> Double {
    let x = (turns - turns.rounded()) * 2 * Double.pi
    var (sum, term) = (1.0, 1.0)
    for index in 1...12 {
      term *= -x * x / Double((2 * index - 1) * 2 * index)
      sum += term
    }
    return sum
  }

  @Test func edgesGetNoHalo() throws {
    let photo = Self.photo(PixelSize(width: 96, height: 64), light: { x, _ in x < 48 ? 0.1 : 0.5 })
    let (plain, sharp) = (try Self.develop(photo, Self.options(0)), try Self.develop(photo, Self.options(2)))
    func range(_ image: Image<RGB<UInt16>>) -> ClosedRange<Int> {
      let row = (0..<96).map { Int(image[$0, 32].green) }
      return (row.min() ?? 0)...(row.max() ?? 0)
    }
    let (before, after) = (range(plain), range(sharp))
    let room = Int(0.15 * Double(before.count))
    #expect(
      after.lowerBound >= before.lowerBound - room && after.upperBound <= before.upperBound + room,
      "\(before) became \(after)")
  }

  @Test func measurementsAreLeftAlone() throws {
    let photo = Self.photo(PixelSize(width: 90, height: 40), noise: Self.profile, light: Self.texture)
    var (plain, asked) = (Self.options(0), Self.options(1))
    (plain.rendering, asked.rendering) = (.camera, .camera)
    #expect(Self.firstDifference(try Self.develop(photo, plain), try Self.develop(photo, asked)) == nil)
    #expect(try Developer(photo, options: asked).resolved.detail == 0)
    #expect(try Developer(photo, options: Self.options(1)).resolved.detail == 1)
  }

  @Test func smallPhotosWork() throws {
    for size in [PixelSize(width: 4, height: 4), PixelSize(width: 5, height: 70), PixelSize(width: 64, height: 4)] {
      let photo = Self.photo(size, noise: Self.profile, light: { _, _ in 0.25 })
      #expect(try Self.develop(photo, Self.options(1)).size == size)
    }
  }

  @Test(arguments: [-0.1, 2.1, .nan, .infinity])
  func otherStrengthsAreRefused(_ strength: Double) {
    let photo = Self.photo(PixelSize(width: 16, height: 16), light: { _, _ in 0.25 })
    #expect(throws: DevelopError.self) { try Developer(photo, options: Self.options(strength)) }
  }
}
