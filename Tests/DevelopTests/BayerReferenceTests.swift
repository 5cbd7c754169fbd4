import Develop
import ImageCore
import Testing

/// The directional demosaic once more, as plain as the paper has it: Doubles, whole planes, one loop a step.
private struct ReferenceDemosaic {
  static let margin = 12
  /// What the developer adds before its square root, and to its variances.
  static let offset = 1.0 / 1024
  static let floor = 1e-6
  static let taps: [Double] = [4, 9, 15, 23, 26, 23, 15, 9, 4].map { $0 / 128 }

  let size: PixelSize
  let cfa: CFAPattern
  let light: (Int, Int) -> Double

  /// Values by place, made once; places run over the photo and a margin of 12.
  final class Plane {
    let size: PixelSize
    var values: [Double]

    init(_ size: PixelSize, _ value: (Int, Int) -> Double) {
      self.size = size
      values = []
      for y in -ReferenceDemosaic.margin..<size.height + ReferenceDemosaic.margin {
        for x in -ReferenceDemosaic.margin..<size.width + ReferenceDemosaic.margin { values.append(value(x, y)) }
      }
    }

    /// Beyond the margin: 0, which no finished pixel depends on.
    subscript(x: Int, y: Int) -> Double {
      let (column, row) = (x + ReferenceDemosaic.margin, y + ReferenceDemosaic.margin)
      let width = size.width + 2 * ReferenceDemosaic.margin
      guard (0..<width).contains(column), (0..<size.height + 2 * ReferenceDemosaic.margin).contains(row) else {
        return 0
      }
      return values[row * width + column]
    }
  }

  private static func mirrored(_ position: Int, _ count: Int) -> Int {
    let cycle = 2 * (count - 1)
    let wrapped = ((position % cycle) + cycle) % cycle
    return wrapped < count ? wrapped : cycle - wrapped
  }

  private func estimate(_ d: Plane, _ s: Plane, _ x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> (Double, Double) {
    let places = (-4...4).map { (x + $0 * dx, y + $0 * dy) }
    let smooth = places.map { s[$0.0, $0.1] }
    let mean = smooth.reduce(0, +) / 9
    let spread = smooth.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 9
    let noise = zip(places, smooth).map { (d[$0.0, $0.1] - $1) * (d[$0.0, $0.1] - $1) }.reduce(0, +) / 9
    let (signal, error) = (spread + Self.floor, noise + Self.floor)
    let gain = signal / (signal + error)
    return (mean + gain * (d[x, y] - mean), gain * error)
  }

  /// Linear light of the three colours at each pixel.
  func colours() -> (Int, Int) -> [Double] {
    let u = Plane(size) { x, y in
      (max(0, light(Self.mirrored(x, size.width), Self.mirrored(y, size.height)) + Self.offset)).squareRoot()
    }
    func difference(_ dx: Int, _ dy: Int) -> Plane {
      Plane(size) { x, y in
        let sides = (u[x - dx, y - dy] + u[x + dx, y + dy]) / 2
        let far = (u[x - 2 * dx, y - 2 * dy] + u[x + 2 * dx, y + 2 * dy]) / 2
        let other = sides + (u[x, y] - far) / 2
        return cfa[x, y] == .green ? u[x, y] - other : other - u[x, y]
      }
    }
    func smooth(_ d: Plane, _ dx: Int, _ dy: Int) -> Plane {
      Plane(size) { x, y in
        var sum = 0.0
        for tap in -4...4 { sum += Self.taps[tap + 4] * d[x + tap * dx, y + tap * dy] }
        return sum
      }
    }
    let (dh, dv) = (difference(1, 0), difference(0, 1))
    let (sh, sv) = (smooth(dh, 1, 0), smooth(dv, 0, 1))
    let own = Plane(size) { x, y in
      let (h, hv) = estimate(dh, sh, x, y, 1, 0)
      let (v, vv) = estimate(dv, sv, x, y, 0, 1)
      return (h * vv + v * hv) / (hv + vv)
    }
    func mean(_ plane: Plane, _ places: [(Int, Int)]) -> Double {
      places.map { plane[$0.0, $0.1] }.reduce(0, +) / Double(places.count)
    }
    // Green − the colour across the cell, where that colour lies diagonally.
    let other = Plane(size) { x, y in mean(own, [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]) }
    return { x, y in
      func minusColour(_ colour: CFAColour) -> Double {
        if cfa[x, y] == colour { return own[x, y] }
        if cfa[x, y] != .green { return other[x, y] }
        let beside = [(x - 1, y), (x + 1, y)]
        let above = [(x, y - 1), (x, y + 1)]
        let isInRow = cfa[x + 1, y] == colour
        return (mean(own, isInRow ? beside : above) + mean(other, isInRow ? above : beside)) / 2
      }
      let green = cfa[x, y] == .green ? u[x, y] : u[x, y] + own[x, y]
      return [CFAColour.red, .green, .blue].map { colour in
        let root =
          colour == .green ? green : cfa[x, y] == colour ? u[x, y] : green - minusColour(colour)
        return max(0, root) * max(0, root) - Self.offset
      }
    }
  }
}

@Test(
  "The Bayer demosaic equals a plain scalar one", arguments: ["rggb", "grbg", "gbrg", "bggr"],
  [PixelSize(width: 61, height: 47), PixelSize(width: 4, height: 4), PixelSize(width: 269, height: 5)])
func bayerEqualsReference(pattern: String, size: PixelSize) throws {
  let cfa = try #require(CFAPattern(named: pattern))
  func count(_ x: Int, _ y: Int) -> UInt16 {
    // An edge, a gradient and grain.
    let grain = (x &* 7919 ^ y &* 104_729) % 300
    return UInt16(400 + (x + 2 * y > 60 ? 1800 : 0) + 5 * (x % 64) + grain + (cfa[x, y] == .green ? 700 : 0))
  }
  let mosaic = Mosaic(samples: Image(size, pixel: count), cfa: cfa, levels: SensorLevels(black: 256, white: 4096))
  var options = DevelopOptions()
  options.rendering = .camera
  var image = Image<RGB<Float>>(uninitialized: size)
  var photo = RawPhoto(pixels: .mosaic(mosaic))
  photo.calibration.asShotWhite = .neutral([1, 1, 1])
  try Developer(photo, options: options).render(PixelRect(size), orientation: .up, into: &image)
  let reference = ReferenceDemosaic(size: size, cfa: cfa) { x, y in (Double(count(x, y)) - 256) / 3840 }.colours()
  var worst = (difference: 0.0, x: 0, y: 0)
  for y in 0..<size.height {
    for x in 0..<size.width {
      let found = [image[x, y].red, image[x, y].green, image[x, y].blue].map { Double($0) }
      let difference = zip(found, reference(x, y)).map { abs($0 - $1) }.max() ?? 0
      if difference > worst.difference { worst = (difference, x, y) }
    }
  }
  // Both directions' weights hang on small variances, which single precision takes from the difference of two sums. On
  // a sensor so small that its mirrored surroundings repeat, smoothed values hardly vary and the weights lose digits.
  let limit = size.width < 8 ? 1e-3 : 5e-5
  #expect(worst.difference < limit, "\(pattern) \(size) differs by \(worst.difference) at \(worst.x), \(worst.y)")
}
