import CVector

/// The frequency tiles of a difference between two pictures and how they are shrunk.
///
/// Tiles of 16 x 16 with a sine window on both ways overlap by half; each coefficient is multiplied by
/// `max(0, 1 - c P / E)`, where `P` is the power of noise and `E` the coefficient's own power averaged with that of the
/// neighbouring frequencies. (Averaging neighbouring tiles too gains nothing; tiles 4 apart gain 0.03 dB for four times
/// the work.)
/// - Source: Hasinoff et al. 2016, "Burst photography for high dynamic range and low-light imaging on mobile cameras",
///   section 5 (merging by shrinking differences); Wiener shrinkage with smoothed power: Ghael, Sayeed & Baraniuk 1997.
enum DifferenceTiles {
  static let side = 16
  static let area = 256
  /// From tile to tile.
  static let hop = 8
  /// Result pixels along a side of what is worked on at once.
  static let unit = 256
  /// Tiles along a unit that reach into it.
  static let across = unit / hop + side / hop - 1
  /// Pixels around a unit that its tiles cover.
  static let halo = 8
  /// Pixels along the side of a unit with its halo.
  static let span = unit + 2 * halo
  /// Floats that ``cv_energy16x16`` works in.
  static let energyScratch = 18 * 24

  /// How many times noise is taken for what it is, for brightness: more when the detail frame is noisier, as less of
  /// what stands out by chance is detail then. Colour takes twice as much.
  /// - Parameter deviation: ``FusionPlan/detailNoise``.
  static func strength(_ deviation: Double) -> Float {
    let (least, slope, most) = (2.5, 0.4, 5.0)
    return Float(min(most, least + slope * deviation))
  }
  /// Strength for colour over that for brightness.
  static let chroma: Float = 2

  /// `sin(π (i + ½) / 16)`: squares of windows 8 apart sum to 1.
  static let window: [Float] = (0..<side).map { index in
    // Taylor's series of the sine on 0...π.
    let angle = Double.pi * (Double(index) + 0.5) / Double(side)
    var (term, sum) = (angle, angle)
    for k in 1...12 {
      term *= -angle * angle / Double(2 * k * (2 * k + 1))
      sum += term
    }
    return Float(sum)
  }
}

/// Buffers of one thread for one tile.
struct TileScratch {
  var coefficients = [Float](repeating: 0, count: DifferenceTiles.area)
  var power = [Float](repeating: 0, count: DifferenceTiles.area)
  var noise = [Float](repeating: 0, count: DifferenceTiles.area)
  var energy = [Float](repeating: 0, count: DifferenceTiles.energyScratch)
}

/// Shrinks the difference of one plane in one unit.
struct TileShrinkage: Sendable {
  let spectra: NoiseSpectra
  /// 0 brightness, 1 and 2 colour.
  let plane: Int
  /// Noise spectra by level, times what noise is taken for.
  private let noise: [[Float]]

  /// - Parameter strength: what noise is multiplied by for brightness.
  init(_ spectra: NoiseSpectra, plane: Int, strength: Float) {
    (self.spectra, self.plane) = (spectra, plane)
    let own = plane == 0 ? strength : strength * DifferenceTiles.chroma
    noise = spectra.levels.map { level in
      zip(level.detail[plane], level.composite[plane]).map { own * ($0 + $1) }
    }
  }

  /// Adds the shrunk difference to `out`.
  ///
  /// - Parameters:
  ///   - difference: `span` x `span` samples.
  ///   - brightness: roots of brightness, as large.
  ///   - out: as large; only its unit is complete.
  ///   - taken: one value a tile: the mean factor.
  func run(
    _ difference: UnsafePointer<Float>, brightness: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>,
    taken: UnsafeMutablePointer<Float>, scratch: inout TileScratch
  ) {
    let (area, across, span, hop) = (
      DifferenceTiles.area, DifferenceTiles.across, DifferenceTiles.span, DifferenceTiles.hop
    )
    scratch.coefficients.withUnsafeMutableBufferPointer { coefficients in
      scratch.power.withUnsafeMutableBufferPointer { power in
        scratch.energy.withUnsafeMutableBufferPointer { energy in
          scratch.noise.withUnsafeMutableBufferPointer { own in
            DifferenceTiles.window.withUnsafeBufferPointer { window in
              let (tile, near) = (coefficients.baseAddress!, power.baseAddress!)
              for index in 0..<across * across {
                let place = index / across * hop * span + index % across * hop
                cv_dct16x16(difference + place, span, window.baseAddress!, tile)
                cv_energy16x16(tile, near, energy.baseAddress!)
                prepareNoise(Self.level(brightness + place, span), own.baseAddress!)
                let factors = cv_shrink16x16(tile, near, own.baseAddress!)
                taken[index] = factors * (1 / Float(area))
                if factors > 0 { cv_add_inverse_dct16x16(tile, window.baseAddress!, out + place, span) }
              }
            }
          }
        }
      }
    }
  }

  /// The mean brightness of a tile, from every fourth pixel of every fourth row.
  private static func level(_ from: UnsafePointer<Float>, _ stride: Int) -> Float {
    var sum: Float = 0
    for y in 0..<4 {
      let row = from + (4 &* y &+ 2) &* stride
      sum += (row[2] + row[6]) + (row[10] + row[14])
    }
    return sum * (1.0 / 16)
  }

  private func prepareNoise(_ root: Float, _ out: UnsafeMutablePointer<Float>) {
    let (level, part) = spectra.place(root)
    noise[level].withUnsafeBufferPointer { a in
      noise[min(noise.count - 1, level + 1)].withUnsafeBufferPointer { b in
        for index in 0..<DifferenceTiles.area { out[index] = a[index] + part * (b[index] - a[index]) }
      }
    }
  }
}
