import ImageCore

extension DetailNoiseMeter {
  /// A flat neutral patch with the noise, the filter array and the levels of `photo`.
  ///
  /// - Parameters:
  ///   - texture: of the noise of a linear picture.
  ///   - light: parts of white at the white-balanced colours.
  static func patch(
    like photo: RawPhoto, _ profile: NoiseProfile, _ texture: NoiseTexture, _ multipliers: [CFAColour: Double],
    light: Double, seed: UInt64
  ) -> RawPhoto {
    let size = PixelSize(width: patchSide, height: patchSide)
    var noise = PatchNoise(seed: seed)
    func count(_ colour: CFAColour, _ black: Double, _ white: Double, _ deviate: Double) -> UInt16 {
      let plane = profile.plane(colour == .red ? 0 : colour == .blue ? 2 : 1)
      let signal = light / (multipliers[colour] ?? 1)
      let sigma = max(0, plane.scale * signal + plane.offset).squareRoot()
      let value = black + (signal + sigma * deviate) * (white - black)
      return UInt16(min(65535, max(0, value.isFinite ? value.rounded() : 0)))
    }
    var patch = photo
    switch photo.pixels {
    case .mosaic(let mosaic):
      let (black, white) = (mosaic.levels.black.mean, mosaic.levels.white[0])
      let samples = Image<UInt16>(size) { x, y in count(mosaic.cfa[x, y], Double(black), Double(white), noise.next())
      }
      patch.pixels = .mosaic(
        Mosaic(samples: samples, cfa: mosaic.cfa, levels: SensorLevels(black: black, white: white)))
    case .linear(let picture):
      let (black, white) = (Double(picture.levels.black.mean), picture.levels.white.map { Double($0) })
      let field = texture.field(size, &noise)
      let samples = Image<RGB<UInt16>>(size) { x, y in
        let at = y * size.width + x
        return RGB(
          count(.red, black, white[0], field[0][at]), count(.green, black, white[1], field[1][at]),
          count(.blue, black, white[2], field[2][at]))
      }
      let levels = SensorLevels(black: BlackLevel(uniform: Float(black), planes: 3), white: picture.levels.white)
      patch.pixels = .linear(LinearPicture(samples: samples, levels: levels))
    }
    patch.defaultCrop = PixelRect(size)
    return patch
  }
}

/// Deviates of mean 0 and variance 1, nearly normal: twelve uniform ones summed. The same on every machine.
///
/// - Source: SplitMix64, Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators".
struct PatchNoise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> Double {
    // Four numbers of 16 bits from each of three words.
    var sum = 0.0
    for _ in 0..<3 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
      for shift in [0, 16, 32, 48] { sum += (Double(mixed >> UInt64(shift) & 0xFFFF) + 0.5) / 65536 }
    }
    return sum - 6
  }
}
