import CVector

/// The frequency tiles of a difference between two pictures and how they are shrunk.
///
/// Tiles of 16 x 16 with a sine window on both ways overlap by half; each coefficient is multiplied by
/// `max(0, 1 - c P / E)`, where `P` is the power of noise and `E` the coefficient's own power averaged with that of
/// neighbouring frequencies and tiles.
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
  /// Pixels around a unit that its tiles and the tiles beside them cover.
  static let halo = 16
  /// Pixels along the side of a unit with its halo.
  static let span = unit + 2 * halo
  /// Floats that ``cv_energy16x16`` works in.
  static let energyScratch = 18 * 24

  /// How many times noise is taken for what it is: brightness, colour.
  static let strength: (luma: Float, chroma: Float) = (3, 6)

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

/// Buffers of one thread for one unit.
struct TileScratch {
  /// Coefficients of three rows of tiles with a tile more on either side.
  var coefficients: [Float]
  /// Powers of the same row, and sums of three neighbours of three rows.
  var powers: [Float]
  var sums: [Float]
  var noise = [Float](repeating: 0, count: DifferenceTiles.area)
  var energy = [Float](repeating: 0, count: DifferenceTiles.energyScratch)

  init() {
    let (area, across) = (DifferenceTiles.area, DifferenceTiles.across)
    coefficients = [Float](repeating: 0, count: 3 * (across + 2) * area)
    powers = [Float](repeating: 0, count: (across + 2) * area)
    sums = [Float](repeating: 0, count: 3 * across * area)
  }
}

/// Shrinks the difference of one plane in one unit.
struct TileShrinkage: Sendable {
  let spectra: NoiseSpectra
  /// 0 brightness, 1 and 2 colour.
  let plane: Int
  /// Noise spectra by level, times what noise is taken for.
  private let noise: [[Float]]

  init(_ spectra: NoiseSpectra, plane: Int, smoothness: Float) {
    (self.spectra, self.plane) = (spectra, plane)
    let strength = (plane == 0 ? DifferenceTiles.strength.luma : DifferenceTiles.strength.chroma) * smoothness
    noise = spectra.levels.map { level in
      zip(level.detail[plane], level.composite[plane]).map { strength * ($0 + $1) }
    }
  }

  /// Adds the shrunk difference to `out`.
  ///
  /// - Parameters:
  ///   - difference: `span` x `span` samples.
  ///   - brightness: roots of brightness, as large.
  ///   - out: as large; only its unit is complete.
  ///   - taken: one value a tile, added to: the mean factor.
  func run(
    _ difference: UnsafePointer<Float>, brightness: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>,
    taken: UnsafeMutablePointer<Float>, scratch: inout TileScratch
  ) {
    let across = DifferenceTiles.across
    for row in -1...across {
      transform(difference, row, &scratch)
      if row >= 1 { shrink(row - 1, brightness, out, taken, &scratch) }
    }
  }

  /// Where tile `index` starts in the unit with its halo.
  @inline(__always)
  private func start(_ index: Int) -> Int { index * DifferenceTiles.hop + DifferenceTiles.hop }

  private func transform(_ difference: UnsafePointer<Float>, _ row: Int, _ scratch: inout TileScratch) {
    let (area, across, span) = (DifferenceTiles.area, DifferenceTiles.across, DifferenceTiles.span)
    let slot = (row + 3) % 3
    scratch.coefficients.withUnsafeMutableBufferPointer { coefficients in
      scratch.powers.withUnsafeMutableBufferPointer { powers in
        scratch.energy.withUnsafeMutableBufferPointer { energy in
          DifferenceTiles.window.withUnsafeBufferPointer { window in
            for column in -1...across {
              let to = coefficients.baseAddress! + (slot * (across + 2) + column + 1) * area
              let from = difference + start(row) * span + start(column)
              cv_dct16x16(from, span, window.baseAddress!, to)
              cv_energy16x16(to, powers.baseAddress! + (column + 1) * area, energy.baseAddress!)
            }
          }
        }
        scratch.sums.withUnsafeMutableBufferPointer { sums in
          let to = sums.baseAddress! + slot * across * area
          let p = powers.baseAddress!
          for index in 0..<across * area { to[index] = p[index] + p[index &+ area] + p[index &+ 2 &* area] }
        }
      }
    }
  }

  private func shrink(
    _ row: Int, _ brightness: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
    _ taken: UnsafeMutablePointer<Float>, _ scratch: inout TileScratch
  ) {
    let (area, across, span) = (DifferenceTiles.area, DifferenceTiles.across, DifferenceTiles.span)
    let slot = row % 3
    scratch.coefficients.withUnsafeMutableBufferPointer { coefficients in
      scratch.sums.withUnsafeBufferPointer { sums in
        scratch.noise.withUnsafeMutableBufferPointer { own in
          DifferenceTiles.window.withUnsafeBufferPointer { window in
            for column in 0..<across {
              let place = start(row) * span + start(column)
              prepareNoise(Self.level(brightness + place, span), own.baseAddress!)
              let tile = coefficients.baseAddress! + (slot * (across + 2) + column + 1) * area
              let near = sums.baseAddress! + column * area
              let factors = cv_shrink16x16(
                tile, near, near + across * area, near + 2 * across * area, own.baseAddress!)
              taken[row * across + column] += factors * (1 / Float(area))
              if factors > 0 { cv_add_inverse_dct16x16(tile, window.baseAddress!, out + place, span) }
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
