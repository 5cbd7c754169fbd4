/// Whether the detail frame shows at least what the composite shows: its middle frequencies over the composite's, where
/// these stand far above the composite's noise.
///
/// A frame of single photosites has all that their clusters' means have: the ratio is 1. One that was enlarged from a
/// frame of the composite's size by straight lines has less (0.65 to 0.9), whatever noise was added to it, and so has a
/// frame that shake or focus blurred: merging would take detail away. Enlarging by cubic curves loses too little there
/// to be told from what demosaicing loses.
///
/// The ratio is found in two ways, of which the larger counts: what both have in common over the composite's energy, in
/// which the frame's noise, however large, has no part; and the frame's energy less its noise over the composite's, in
/// which misplacement has none.
struct DetailEvidence {
  /// Composite pixels along a window's side, and around it what the filters reach.
  private static let side = 24
  private static let reach = 5
  private static let span = side + 2 * reach + 2
  /// Windows looked at, evenly spread.
  private static let mostWindows = 400
  /// Energy of a window's band in variances of the composite's noise, at least.
  private static let leastEnergy = 16.0
  /// Windows of so much structure that tell anything.
  private static let fewest = 12
  /// Ratio below which the frame has nothing to give: half way from what interpolation by straight lines leaves to what
  /// noise, demosaicing and registration leave of 1.
  static let least = 0.9

  let light: FusionLight
  let spectra: NoiseSpectra
  let flow: TileFlow?

  /// The medians of the windows' ratios, the larger; `nil` when too few windows have structure, which is no evidence of
  /// anything.
  ///
  /// - Parameter grey: roots of the detail frame's brightness on the composite's grid.
  func ratio(_ grey: Image<Float>, _ composite: Image<RGB<Float>>) -> Double? {
    let (columns, rows) = (
      (grey.width - Self.span) / Self.side, (grey.height - Self.span) / Self.side
    )
    guard columns > 0, rows > 0 else { return nil }
    let step = max(1, Int((Double(columns * rows) / Double(Self.mostWindows)).squareRoot().rounded(.up)))
    var window = EvidenceWindow(span: Self.span, reach: Self.reach)
    var (common, energies): ([Double], [Double]) = ([], [])
    for row in stride(from: 0, to: rows, by: step) {
      for column in stride(from: 0, to: columns, by: step) {
        let (x, y) = (column * Self.side, row * Self.side)
        guard load(grey, composite, x, y, &window) else { continue }
        let found = window.compared(side: Self.side)
        let noise = Double(spectra.band(Float(found.level), \.band))
        let energy = found.square - noise
        guard energy > Self.leastEnergy * noise, found.detailLevel > 0, found.level > 0 else { continue }
        // Roots of all light are larger by one factor where the frame has more of it.
        let unit = found.level / found.detailLevel
        common.append(found.product / energy * unit)
        let own = found.detailSquare - Double(spectra.band(Float(found.level), \.detailBand))
        energies.append(max(0, own / energy).squareRoot() * unit)
      }
    }
    guard common.count >= Self.fewest else { return nil }
    return max(Self.median(common), Self.median(energies))
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// Both pictures in one window, the composite where the flow finds it; false where it is not or something is
  /// saturated.
  private func load(
    _ grey: Image<Float>, _ composite: Image<RGB<Float>>, _ x: Int, _ y: Int, _ window: inout EvidenceWindow
  ) -> Bool {
    let d = displacement(Double(x) + Double(Self.span) / 2, Double(y) + Double(Self.span) / 2)
    let (wholeX, wholeY) = (Int(d.x.rounded(.down)), Int(d.y.rounded(.down)))
    let (left, top) = (x + wholeX, y + wholeY)
    guard left >= 0, top >= 0, left + Self.span < composite.width, top + Self.span < composite.height else {
      return false
    }
    let most = light.ceiling
    let limit = 0.25 * most.x + 0.5 * most.y + 0.25 * most.z
    let balance = light.domain.balance
    var brightest: Float = 0
    for v in 0..<Self.span {
      grey.withRow(y + v) { row in
        for u in 0..<Self.span {
          window.detail[v * Self.span + u] = row[x + u]
          brightest = max(brightest, row[x + u])
        }
      }
      composite.withRow(top + v) { row in
        for u in 0..<Self.span {
          let p = row[left + u]
          window.composite[v * Self.span + u] = light.grey(
            SIMD4(p.red * balance.x, p.green * balance.y, p.blue * balance.z, 0))
        }
      }
    }
    window.shift(x: d.x - Float(wholeX), y: d.y - Float(wholeY))
    return brightest < Self.dimmest * limit
  }

  /// Part of the root at the detail frame's ceiling that a window must stay below.
  private static let dimmest: Float = 0.97

  private func displacement(_ x: Double, _ y: Double) -> (x: Float, y: Float) {
    guard let flow else { return (0, 0) }
    var (lineX, lineY) = ([Float](), [Float]())
    flow.line(y: y, x: &lineX, y: &lineY)
    return flow.displacement(x: x, lineX, lineY)
  }

  /// Variance of an even picture's middle frequencies, as windows have them.
  static func bandVariance(_ grey: Image<Float>) -> Float {
    var window = EvidenceWindow(span: span, reach: reach)
    var (sum, count) = (0.0, 0.0)
    // Every other window of each row and column is enough for a few percent.
    for y in stride(from: 0, through: grey.height - span, by: 2 * side) {
      for x in stride(from: 0, through: grey.width - span, by: 2 * side) {
        for v in 0..<span {
          grey.withRow(y + v) { row in
            for u in 0..<span { window.composite[v * span + u] = row[x + u] }
          }
        }
        window.detail = window.composite
        sum += window.compared(side: side).square
        count += 1
      }
    }
    return Float(sum / max(1, count))
  }
}
