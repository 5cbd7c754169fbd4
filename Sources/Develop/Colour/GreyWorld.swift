import ImageCore

/// A white for captures that record none: what the scene is on average is taken to be grey.
///
/// Buchsbaum 1980, "A spatial processor model for object colour perception". Blocks with a photosite at or near
/// saturation are left out, since clipped colours are not in proportion.
enum GreyWorld {
  /// Side of a block in photosites; a multiple of the common periods 2 and 4.
  private static let block = 8
  /// Share of the white level from which a photosite counts as saturated.
  private static let saturation: Float = 0.98

  /// Camera values of grey in the order of `colours`, largest 1; `nil` when no block is usable.
  static func neutral(of mosaic: Mosaic, colours: [CFAColour]) -> [Double]? {
    let levels = mosaic.levels
    let ceiling = levels.black.mean + saturation * (levels.white[0] - levels.black.mean)
    var sums = [Double](repeating: 0, count: CFAColour.allCases.count)
    var counts = sums
    mosaic.samples.withRows { rows in
      for top in stride(from: 0, to: rows.height - block + 1, by: block) {
        for left in stride(from: 0, to: rows.width - block + 1, by: block) {
          let isClipped = (top..<top + block).contains { y in
            (left..<left + block).contains { x in Float(rows.row(y)[x]) >= ceiling }
          }
          if isClipped { continue }
          for y in top..<top + block {
            for x in left..<left + block {
              let colour = Int(mosaic.cfa[x, y].rawValue)
              sums[colour] += Double(Float(rows.row(y)[x]) - levels.black.value(x: x, y: y))
              counts[colour] += 1
            }
          }
        }
      }
    }
    let means = colours.map { sums[Int($0.rawValue)] / max(1, counts[Int($0.rawValue)]) }
    guard let largest = means.max(), means.allSatisfy({ $0 > 0 }) else { return nil }
    return means.map { $0 / largest }
  }
}
