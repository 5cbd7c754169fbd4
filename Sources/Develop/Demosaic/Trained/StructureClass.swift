/// Sorts pixels by the structure around them: 8 orientations x 3 coherences x 4 strengths x 3 chroma activities.
///
/// The class follows Romano, Isidoro & Milanfar 2017, "RAISR: Rapid and accurate image super resolution", section IV,
/// with the chroma's share added.
enum StructureClass {
  /// tan(π / 8): orientations are told apart half way between multiples of 45° of the doubled angle.
  private static let halfSector: Float = 0.41421356
  private static let coherences: (Float, Float) = (0.25, 0.55)
  /// Codes of 255.
  private static let strengths: (Float, Float, Float) = (2, 6, 15)
  /// Squares of the ratios 0.3 and 0.7.
  private static let chromas: (Float, Float) = (0.09, 0.49)
  /// Keeps the coherence of a flat neighbourhood finite.
  private static let flat: Float = 1e-3

  /// How the fields of a pixel must be changed to be those of its canonical neighbour.
  struct Turn: Sendable {
    /// -1 when exactly one axis is mirrored.
    let product: Float
    /// -1 when the axes are exchanged.
    let difference: Float
  }

  /// - Parameter turns: of the four columns of a block, from column `range.lowerBound` on if that is a multiple of 4.
  static func find(
    _ row: TensorRow, _ range: Range<Int>, _ turns: (Turn, Turn, Turn, Turn), into out: UnsafeMutablePointer<Int32>
  ) {
    let (d0, d1, d2, d3) = (turns.0.difference, turns.1.difference, turns.2.difference, turns.3.difference)
    let (p0, p1, p2, p3) = (turns.0.product, turns.1.product, turns.2.product, turns.3.product)
    for x in range {
      let phase = x & 3
      let dx = phase < 2 ? (phase == 0 ? d0 : d1) : (phase == 2 ? d2 : d3)
      let px = phase < 2 ? (phase == 0 ? p0 : p1) : (phase == 2 ? p2 : p3)
      out[x] = index(
        trace: row.xx[x] + row.yy[x], difference: (row.xx[x] - row.yy[x]) * dx, product: 2 * row.xy[x] * px,
        chroma: row.chroma[x])
    }
  }

  @inline(__always)
  private static func index(trace: Float, difference: Float, product: Float, chroma: Float) -> Int32 {
    let root = (difference * difference + product * product).squareRoot()
    let strong = (0.5 * (trace + root)).squareRoot()
    let less = 0.5 * (trace - root)
    let weak = (less > 0 ? less : 0).squareRoot()
    let (p, q) = (abs(difference), abs(product))
    // Sector of the doubled angle: 0 along x, 2 at 45°, 4 along y, 6 at -45°, odd ones between.
    let axis: Int32 = difference >= 0 ? 0 : 4
    let diagonal: Int32 = product > 0 ? 2 : 6
    let between: Int32 = difference >= 0 ? (product > 0 ? 1 : 7) : (product > 0 ? 3 : 5)
    let sector = q <= halfSector * p ? axis : (p <= halfSector * q ? diagonal : between)
    let sum = strong + weak + flat
    let apart = strong - weak
    let coherence: Int32 = (apart >= coherences.0 * sum ? 1 : 0) &+ (apart >= coherences.1 * sum ? 1 : 0)
    let strength: Int32 =
      (strong >= strengths.0 ? 1 : 0) &+ (strong >= strengths.1 ? 1 : 0) &+ (strong >= strengths.2 ? 1 : 0)
    let base = trace + 1
    let colour: Int32 = (chroma >= chromas.0 * base ? 1 : 0) &+ (chroma >= chromas.1 * base ? 1 : 0)
    return ((sector &* 3 &+ coherence) &* 4 &+ strength) &* 3 &+ colour
  }
}
