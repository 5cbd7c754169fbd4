import CVector

/// Row loops of the wavelet bands. Pointers address column 0 of a padded row; ranges are columns.
enum DetailKernels {
  /// One row of the B3 spline with taps `step` apart.
  @inline(__always)
  static func spread(
    _ from: UnsafePointer<Float>, step: Int, _ columns: Range<Int>, into out: UnsafeMutablePointer<Float>
  ) {
    let taps = DetailBands.taps
    let (far, near, middle, nearer, farther) = (from - 2 * step, from - step, from, from + step, from + 2 * step)
    for x in columns {
      out[x] = taps.middle * middle[x] + (taps.near * (near[x] + nearer[x]) + taps.outer * (far[x] + farther[x]))
    }
  }

  /// The same down the columns; `fine` is what the smooth row has not of `row`.
  @inline(__always)
  static func split(
    _ row: UnsafePointer<Float>,
    _ far: UnsafePointer<Float>, _ near: UnsafePointer<Float>, _ middle: UnsafePointer<Float>,
    _ nearer: UnsafePointer<Float>, _ farther: UnsafePointer<Float>, _ columns: Range<Int>,
    fine: UnsafeMutablePointer<Float>, smooth: UnsafeMutablePointer<Float>
  ) {
    let taps = DetailBands.taps
    for x in columns {
      let value =
        taps.middle * middle[x] + (taps.near * (near[x] + nearer[x]) + taps.outer * (far[x] + farther[x]))
      smooth[x] = value
      fine[x] = row[x] - value
    }
  }

  /// Sums of the squares of three rows.
  @inline(__always)
  static func energy(
    _ above: UnsafePointer<Float>, _ row: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ columns: Range<Int>,
    into out: UnsafeMutablePointer<Float>
  ) {
    for x in columns { out[x] = row[x] * row[x] + (above[x] * above[x] + below[x] * below[x]) }
  }

  /// What Wiener's filter leaves of a band of luma, sharpened where it stands out of the noise, added to `sum`.
  ///
  /// - Parameters:
  ///   - energy: ``energy(_:_:_:_:into:)`` of the band, one column more on each side.
  ///   - smooth: root of light without the band.
  @inline(__always)
  static func shrink(
    _ band: UnsafePointer<Float>, energy: UnsafePointer<Float>, smooth: UnsafePointer<Float>, _ noise: BandNoise,
    gain: Float, count: Int, onto sum: UnsafeMutablePointer<Float>
  ) {
    // Nine squares are summed, so nine variances are compared; the rest is one division for both fractions.
    let (floor, rise) = (9 * DetailBands.lumaStrictness * noise.floor, 9 * DetailBands.lumaStrictness * noise.rise)
    let extra = gain - 1
    let (left, right) = (energy - 1, energy + 1)
    for x in 0..<count {
      let light = smooth[x] * smooth[x] + RootLight.offset
      let found = (energy[x] + (left[x] + right[x])) * light + 1e-12
      let share = 1 - (floor * light + rise) / found
      let kept = share > DetailBands.grain ? share : DetailBands.grain
      sum[x] += band[x] * (kept * (1 + extra * (kept * kept)))
    }
  }

  /// Energies of two chroma bands in units of their noise, three rows summed.
  @inline(__always)
  static func chromaEnergy(
    _ red: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
    _ blue: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>), light: UnsafePointer<Float>,
    _ redNoise: BandNoise, _ blueNoise: BandNoise, _ columns: Range<Int>, into out: UnsafeMutablePointer<Float>
  ) {
    for x in columns {
      let l = light[x]
      let r = red.1[x] * red.1[x] + (red.0[x] * red.0[x] + red.2[x] * red.2[x])
      let b = blue.1[x] * blue.1[x] + (blue.0[x] * blue.0[x] + blue.2[x] * blue.2[x])
      let (p, q) = (redNoise.floor * l + redNoise.rise, blueNoise.floor * l + blueNoise.rise)
      out[x] = l * (r * q + b * p) / (p * q + 1e-20)
    }
  }

  /// What is taken from two chroma bands, as negative values, added to `red` and `blue`.
  @inline(__always)
  static func takeChroma(
    _ redBand: UnsafePointer<Float>, _ blueBand: UnsafePointer<Float>, energy: UnsafePointer<Float>,
    _ columns: Range<Int>, red: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>
  ) {
    // Two planes of nine squares.
    let expected = 18 * DetailBands.chromaStrictness
    let (left, right) = (energy - 1, energy + 1)
    for x in columns {
      let found = energy[x] + (left[x] + right[x]) + 1e-6
      let noise = expected / found
      let taken = noise < 1 ? noise : 1
      red[x] -= redBand[x] * taken
      blue[x] -= blueBand[x] * taken
    }
  }

  /// Means of two by two pixels: cell `x` has the columns `2x` and `2x + 1`.
  @inline(__always)
  static func halve(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ cells: Range<Int>,
    into out: UnsafeMutablePointer<Float>
  ) {
    let first = cells.lowerBound
    cv_halve_f32(upper + 2 * first, lower + 2 * first, cells.count, out + first)
  }

  /// Roots → light with ``RootLight/offset``, as noise is counted by.
  @inline(__always)
  static func square(_ row: UnsafeMutablePointer<Float>, _ cells: Range<Int>) {
    for x in cells { row[x] = row[x] * row[x] + RootLight.offset }
  }

  /// A half-resolution row between two, by weights 3/4 and 1/4.
  @inline(__always)
  static func between(
    _ near: UnsafePointer<Float>, _ far: UnsafePointer<Float>, _ columns: Range<Int>,
    into out: UnsafeMutablePointer<Float>
  ) {
    for x in columns { out[x] = 0.75 * near[x] + 0.25 * far[x] }
  }

  /// A half-resolution row doubled along itself by weights 3/4 and 1/4: `out[2x]`, `out[2x + 1]` lie in cell `x`.
  @inline(__always)
  static func double(_ half: UnsafePointer<Float>, cells: Int, into out: UnsafeMutablePointer<Float>) {
    cv_double_f32(half, cells, out)
  }

  /// The finest band of chroma shrunk, and what the coarser ones lost.
  ///
  /// - Parameters:
  ///   - luma: finished.
  ///   - chroma: as it came, red and blue.
  ///   - smooth: the half-resolution planes, doubled.
  ///   - lost: what was taken from them, doubled.
  @inline(__always)
  static func finishChroma(
    _ chroma: (UnsafePointer<Float>, UnsafePointer<Float>), luma: UnsafePointer<Float>,
    smooth: (UnsafePointer<Float>, UnsafePointer<Float>), lost: (UnsafePointer<Float>, UnsafePointer<Float>),
    _ redNoise: BandNoise, _ blueNoise: BandNoise, count: Int, into red: UnsafeMutablePointer<Float>,
    _ blue: UnsafeMutablePointer<Float>
  ) {
    let expected = 2 * DetailBands.fineChromaStrictness
    for x in 0..<count {
      let light = luma[x] * luma[x] + RootLight.offset
      let (fineRed, fineBlue) = (chroma.0[x] - smooth.0[x], chroma.1[x] - smooth.1[x])
      let (p, q) = (redNoise.floor * light + redNoise.rise, blueNoise.floor * light + blueNoise.rise)
      let found = light * (fineRed * fineRed * q + fineBlue * fineBlue * p) + 1e-20
      let noise = expected * (p * q) / found
      let taken = noise < 1 ? noise : 1
      red[x] = chroma.0[x] + (lost.0[x] - fineRed * taken)
      blue[x] = chroma.1[x] + (lost.1[x] - fineBlue * taken)
    }
  }

  /// Keeps a row within the range of its neighbourhood before finishing, widened by ``DetailBands/overshoot``.
  @inline(__always)
  static func limit(
    _ row: UnsafeMutablePointer<Float>, above: UnsafePointer<Float>, _ middle: UnsafePointer<Float>,
    below: UnsafePointer<Float>, low: UnsafeMutablePointer<Float>, high: UnsafeMutablePointer<Float>, count: Int
  ) {
    for x in 0..<count + 2 {
      let (a, b, c) = (above[x - 1], middle[x - 1], below[x - 1])
      low[x] = smaller(a, smaller(b, c))
      high[x] = larger(a, larger(b, c))
    }
    for x in 0..<count {
      let least = smaller(low[x], smaller(low[x + 1], low[x + 2]))
      let most = larger(high[x], larger(high[x + 1], high[x + 2]))
      let room = (most - least) * DetailBands.overshoot
      row[x] = smaller(larger(row[x], least - room), most + room)
    }
  }

  @inline(__always)
  static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
  @inline(__always)
  static func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}
