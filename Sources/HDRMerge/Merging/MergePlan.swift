import ImageCore

/// All that is settled before the first tile: frames from the shortest exposure to the longest, and how each is read.
struct MergePlan: Sendable {
  var frames: [SourceFrame]
  /// How each frame is brought into register with the reference.
  var placements: [FramePlacement]
  /// Index of the reference in ``frames``.
  var reference: Int
  var deghosts: Bool
  /// White balance of red, green and blue: lets colours be compared when samples are interpolated.
  var balance: [Float] = [1, 1, 1]
  /// Relative difference that is no motion.
  var tolerance = MotionTest.tolerance
  let layout: TileLayout

  init(frames: [SourceFrame], placements: [FramePlacement], reference: Int, deghosts: Bool) {
    self.frames = frames
    self.placements = placements
    self.reference = reference
    self.deghosts = deghosts
    layout = TileLayout(frames[reference])
  }
}

/// Where a frame's cells are found for the cells of the reference.
enum FramePlacement: Sendable {
  /// Moved by whole cells: samples are taken as they are.
  case cells(x: Int, y: Int)

  /// Displaced by parts of a pixel, in units of cells: samples are interpolated.
  case flow(TileFlow)

  static let identity = FramePlacement.cells(x: 0, y: 0)
}
