/// Saturated light: one white for all colours, and no difference where neither picture knows more.
extension FusionUnit {
  /// Part of white from which a pixel of the result is white in all colours: interpolation leaves so much beside the
  /// rim of a saturated area. A choice: the step to white is half a code of 255 in a developed picture.
  private static let whole: Float = 0.985

  /// Puts the composite's roots in place of the detail frame's in colours in which both are saturated, so that their
  /// whites, which gains and exposures put a little apart, make no difference.
  ///
  /// - Parameters:
  ///   - y: row of the part of the result that is inside unit and halo.
  ///   - composite: roots of red, green and blue.
  ///   - detail: the same of the detail frame, matched.
  func settleSaturated(
    _ y: Int, composite: [UnsafeMutablePointer<Float>], detail: [UnsafeMutablePointer<Float>]
  ) {
    guard scratch.patch.isSaturated, let planes = merger.planes else { return }
    let light = merger.plan.light
    let own = domain.root(FusionDomain.saturated)
    for colour in 0..<3 {
      let theirs = domain.code(domain.root(min(light.white[colour], 1) * FusionLight.saturated))
      let (base, to) = (composite[colour], detail[colour])
      planes[colour].withRow(inside.y + y) { codes in
        for x in 0..<inside.width where codes[inside.x + x] >= theirs && base[x] >= own { to[x] = base[x] }
      }
    }
  }

  /// Makes saturated pixels of a row of the result white at full scale in all colours, as saturated photosites are:
  /// then they are white under any white balance.
  func whiten(_ y: Int, _ out: UnsafeMutablePointer<RGB<UInt16>>) {
    guard scratch.patch.isSaturated else { return }
    let at = (y + DifferenceTiles.halo) * scratch.span + DifferenceTiles.halo
    let (r, g, b) = (scratch.base[0] + at, scratch.base[1] + at, scratch.base[2] + at)
    let (least, white) = (domain.root(Self.whole), UInt16(Fusion.white))
    for x in 0..<core.width where min(r[x], g[x], b[x]) >= least { out[x] = RGB(white, white, white) }
  }
}
