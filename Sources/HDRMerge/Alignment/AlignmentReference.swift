import ImageCore

/// The reference as alignment looks at it, for all frames that share one encoding with it: found once for many.
struct AlignmentReference {
  let frame: SourceFrame
  let encoding: GreyFrame.Encoding
  let pyramid: GreyPyramid
  /// Rows from one that tiles look at to the next.
  private let rowStep: Int
  private var tiles: TileStructure?

  /// - Parameters:
  ///   - others: the frames that are to be aligned.
  ///   - isOneOfMany: tiles are placed by every other row: half the work, 1.4 times the error of each frame.
  init(_ frame: SourceFrame, with others: [SourceFrame], isOneOfMany: Bool, resources: Resources) {
    self.frame = frame
    rowStep = isOneOfMany ? 2 : 1
    encoding = GreyFrame.Encoding(frame, others)
    pyramid = GreyPyramid(GreyFrame.image(of: frame, encoding, resources: resources), resources: resources)
  }

  /// The tiles of the reference; made when they are first asked for.
  mutating func structure(_ workers: Workers) -> TileStructure {
    if let tiles { return tiles }
    let made = TileStructure(pyramid, rowStep: rowStep, workers: workers)
    tiles = made
    return made
  }
}
