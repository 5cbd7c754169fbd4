import ImageCore

/// How much more light one frame gathered than another of the same view, from the pixels alone.
enum LightRatio {
  /// Blocks across and down, and photosites looked at along a block's side.
  private static let columns = 32
  private static let rows = 24
  private static let samples = 8
  /// Light above this, in parts of white, may be clipped; below the other it is mostly black level and noise.
  private static let brightest: Float = 0.9
  private static let darkest: Float = 0.002
  private static let fewestBlocks = 12

  /// Green light of `frame` over that of `other`, each in parts of its own white; `nil` when they share too little
  /// usable light.
  static func measure(_ frame: RawPhoto, over other: RawPhoto) -> Double? {
    let pairs = zip(means(frame), means(other))
    let ratios = pairs.compactMap { a, b in a.flatMap { a in b.map { Double(a / $0) } } }.sorted()
    return ratios.count < fewestBlocks ? nil : ratios[ratios.count / 2]
  }

  /// Mean green light of each block; `nil` where it is clipped or too dark.
  private static func means(_ photo: RawPhoto) -> [Float?] {
    let size = photo.pixels.size
    var result: [Float?] = []
    withGreen(of: photo) { green in
      for row in 0..<rows {
        for column in 0..<columns {
          var (sum, count, peak) = (Float(0), 0, Float(0))
          for step in 0..<samples * samples {
            let x = ((column * samples + step % samples) * 2 + 1) * size.width / (columns * samples * 2)
            let y = ((row * samples + step / samples) * 2 + 1) * size.height / (rows * samples * 2)
            guard let value = green(x, y) else { continue }
            sum += value
            count += 1
            peak = max(peak, value)
          }
          let mean = sum / Float(max(1, count))
          result.append(count > 0 && peak < brightest && mean > darkest ? mean : nil)
        }
      }
    }
    return result
  }

  /// Calls `body` with a reader of normalised green light at or beside a place.
  private static func withGreen(of photo: RawPhoto, _ body: ((Int, Int) -> Float?) -> Void) {
    switch photo.pixels {
    case .mosaic(let mosaic):
      let (cfa, black) = (mosaic.cfa, mosaic.levels.black.mean)
      let scale = 1 / max(mosaic.levels.white[0] - black, 1)
      mosaic.samples.withRows { rows in
        body { x, y in
          // The nearest green photosite to the right in this row, or in the rows below.
          for step in 0..<cfa.width * cfa.height {
            let (column, row) = (x + step % cfa.width, y + step / cfa.width)
            guard column < rows.width, row < rows.height else { continue }
            if cfa[column, row] == .green { return (Float(rows.row(row)[column]) - black) * scale }
          }
          return nil
        }
      }
    case .linear(let picture):
      let green = 1
      let black = picture.levels.black.values[green]
      let scale = 1 / max(picture.levels.white[green] - black, 1)
      picture.samples.withRows { rows in body { x, y in (Float(rows.row(y)[x].green) - black) * scale } }
    }
  }
}
