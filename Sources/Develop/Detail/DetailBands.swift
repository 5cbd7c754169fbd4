import ImageCore

/// The scales of ``DetailFinisher``: what each band holds, how far its filters reach, how it is treated.
///
/// Luma is split by an undecimated wavelet transform with holes ("à trous") and the cubic B-spline; chroma first by one
/// decimation and then, at half the resolution, by the same transform, since noise of colour is seen in coarser blotches.
///
/// - Source: Starck & Murtagh 2006, "Astronomical Image and Data Analysis", appendix A (transform, B3 spline);
///   Wiener shrinkage by the local energy: Mıhçak et al. 1999, "Low-complexity image denoising based on statistical
///   modeling of wavelet coefficients".
enum DetailBands {
  /// Bands of luma at full and of chroma at half resolution: wavelengths of about 2–4, 4–8 and 8–16 samples.
  static let count = 3
  /// Samples by which the band's filters reach further than those of the one before: two taps of 1, 2, 4 samples.
  static let reaches = [2, 6, 14]
  /// Noise that nobody sees, standard deviation of the root of light: half a step of 8-bit codes. Coarse bands
  /// with less are left alone, which saves most of the time for clean captures.
  static let unseen: Float = 0.5 / 255

  /// The spline's outer, next and middle tap.
  static let taps: (outer: Float, near: Float, middle: Float) = (1 / 16, 1 / 4, 3 / 8)

  /// Times the noise's energy that is taken from a band's energy. 1 is Wiener's; more, because the energy of nine
  /// samples is itself uncertain and what remains by chance is seen as blotches.
  static let lumaStrictness: Float = 2
  /// The same for chroma at half resolution, where nobody misses fine detail.
  static let chromaStrictness: Float = 2.5
  /// The same for the finest band of chroma, whose energy is that of one pixel.
  static let fineChromaStrictness: Float = 5
  /// The share of luma noise that stays: without any, skin and walls look like plastic.
  static let grain: Float = 0.1
  /// The share of a pixel's neighbourhood's range by which sharpening may leave it: limits halos.
  static let overshoot: Float = 0.1
  /// Noise assumed at least, of the root of light: half of what rounding to 8 bits makes. Keeps fractions undefined by
  /// nothing but rounding from being sharpened.
  static let leastNoise: Float = 1.0 / 2048

  /// Blur that sharpening undoes at strength 1: from a point spread of standard deviation 0.6 pixels (a good lens and
  /// the demosaic) to one of 0.35 (an ideal square pixel has 0.29). Square pixels.
  static let blur = 0.6 * 0.6 - 0.35 * 0.35
  /// The frequencies, cycles a pixel, at which the two finest bands respond most.
  static let centres = [0.3, 0.15]

  /// Gains of the bands of luma that bring the target's modulation transfer at their centres.
  ///
  /// The transfer of a Gaussian of variance v is `exp(-2π²f²v)`.
  static func gains(strength: Double) -> [Float] {
    (0..<count).map { band in
      guard band < centres.count else { return 1 }
      let exponent = 2 * Double.pi * Double.pi * centres[band] * centres[band] * blur * strength
      return Float(Elementary.exp2(exponent / ln2))
    }
  }

  private static let ln2 = 0.6931471805599453
}

/// How many bands are worth the work, from the finest on, and what surroundings they need.
struct DetailDepth: Sendable, Hashable {
  /// Bands of luma, 1...3.
  var luma = DetailBands.count
  /// Bands of chroma at half resolution, 1...3.
  var chroma = DetailBands.count

  /// Full-resolution samples around a tile of luma: the last band, one for its energy, one more to be even.
  var lumaHalo: Int { DetailBands.reaches[luma - 1] + 2 }
  /// Half-resolution samples around a tile of chroma: the last band, one for its energy, one for interpolation.
  var chromaHalo: Int { DetailBands.reaches[chroma - 1] + 2 }
  /// Full-resolution samples around a tile.
  var halo: Int { max(lumaHalo, 2 * chromaHalo) }
  /// Of all bands.
  static let full = DetailDepth()
}

/// A plane of floats in a tile's memory.
struct DetailPlane {
  let base: UnsafeMutablePointer<Float>
  let stride: Int

  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<Float> { base + y &* stride }
}

/// Noise of one band: variance `floor + rise / light` of the root of light, for light with ``RootLight/offset``.
struct BandNoise: Sendable, Equatable {
  var floor: Float
  var rise: Float

  /// Nothing is known: rounding only.
  static let least = BandNoise(floor: DetailBands.leastNoise * DetailBands.leastNoise, rise: 0)

  /// No noise at all.
  static let none = BandNoise(floor: 0, rise: 0)

  /// Whether it may show in a mid grey.
  var isSeen: Bool { floor + rise / 0.18 > DetailBands.unseen * DetailBands.unseen }
}

/// Noise of all bands, as the whole way from sensor to scene light leaves it.
struct DetailNoise: Sendable {
  /// One a band.
  var luma = [BandNoise](repeating: .least, count: DetailBands.count)
  /// One a half-resolution band, for each of the two chroma planes.
  var chroma = [[BandNoise]](
    repeating: [BandNoise](repeating: .least, count: DetailBands.count), count: 2)
  /// Of the band between full and half resolution, for each of the two chroma planes.
  var fineChroma = [BandNoise](repeating: .least, count: 2)

  /// Of the root of red, green and blue light, all bands together.
  var channels = [BandNoise](repeating: .none, count: 3)

  /// The bands in which noise may show. The two finest of luma are always worked on: they are sharpened.
  var depth: DetailDepth {
    func last(_ bands: [BandNoise]) -> Int { (bands.lastIndex(where: \.isSeen) ?? 0) + 1 }
    return DetailDepth(
      luma: max(DetailBands.centres.count, last(luma)), chroma: max(last(chroma[0]), last(chroma[1])))
  }
}

/// Scene light ↔ its root, split into luma and two colour differences.
///
/// The root makes photon noise about equal everywhere and is near to what the eye sees. Luma is `(r + 2g + b) / 4`,
/// chroma `r - g` and `b - g`.
enum RootLight {
  /// Added before the root so that noise around black survives: parts of white.
  static let offset: Float = 1.0 / 1024

  static func split(
    _ scene: SceneRow, luma: UnsafeMutablePointer<Float>, _ red: UnsafeMutablePointer<Float>,
    _ blue: UnsafeMutablePointer<Float>
  ) {
    let (r, g, b) = (scene.plane(0), scene.plane(1), scene.plane(2))
    for x in 0..<scene.count {
      let (u, v, w) = (root(r[x]), root(g[x]), root(b[x]))
      luma[x] = (u + w + (v + v)) * 0.25
      red[x] = u - v
      blue[x] = w - v
    }
  }

  /// Back: planes 0 and 2 hold the differences before.
  ///
  /// - Parameter noise: of red, green and blue, which was taken out. The mean of a root is smaller than the root of the
  ///   mean, by half the variance over it: its square needs the variance back to mean the same light as before.
  static func join(_ luma: UnsafePointer<Float>, _ scene: SceneRow, noise: [BandNoise]) {
    let (r, g, b) = (scene.plane(0), scene.plane(1), scene.plane(2))
    let (red, green, blue) = (noise[0], noise[1], noise[2])
    for x in 0..<scene.count {
      let inverse = 1 / (luma[x] * luma[x] + offset)
      let middle = luma[x] - (r[x] + b[x]) * 0.25
      r[x] = light(middle + r[x]) + (red.floor + red.rise * inverse)
      g[x] = light(middle) + (green.floor + green.rise * inverse)
      b[x] = light(middle + b[x]) + (blue.floor + blue.rise * inverse)
    }
  }

  @inline(__always)
  private static func root(_ light: Float) -> Float {
    let lifted = light + offset
    return (lifted > 0 ? lifted : 0).squareRoot()
  }

  @inline(__always)
  private static func light(_ root: Float) -> Float {
    let positive = root > 0 ? root : 0
    return positive * positive - offset
  }
}
