import ImageCore

/// Tells pictures from what decoders leave behind when data are missing. Every test stops at the first sample that
/// speaks for a picture, so that good files cost nothing.
enum Plausibility {
  /// A trailing run of zero rows of this part of the height means that the data ended early.
  private static let emptyPart = 8

  /// - Parameters:
  ///   - rowSamples: samples of a row: columns times planes.
  ///   - black: the lowest black level, counts.
  ///   - white: the highest white level, counts: a plane that is saturated all over is a picture, if no good one.
  static func check(
    _ base: UnsafePointer<UInt16>, rowSamples: Int, stride: Int, height: Int, black: Float, white: Float
  ) throws(RawReadError) {
    let first = base[0]
    var constant = true
    var aboveBlack = false
    search: for y in 0..<height {
      let row = base + y * stride
      for x in 0..<rowSamples {
        if row[x] != first { constant = false }
        if Float(row[x]) > black { aboveBlack = true }
        if !constant && aboveBlack { break search }
      }
    }
    if constant && Float(first) >= white && aboveBlack { return }
    if constant { throw .constantPlane(value: Int(first)) }
    if !aboveBlack { throw .damaged("no photosite is brighter than the black level") }
    var empty = 0
    while empty < height {
      let row = base + (height - 1 - empty) * stride
      if (0..<rowSamples).contains(where: { row[$0] != 0 }) { break }
      empty += 1
    }
    if empty > 0, empty * emptyPart >= height {
      throw .damaged("the last \(empty) of \(height) rows are empty")
    }
  }
}
