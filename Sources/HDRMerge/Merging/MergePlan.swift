import ImageCore

/// All that is settled before the first tile: frames from the shortest exposure to the longest, and how each is read.
struct MergePlan: Sendable {
  var frames: [SourceFrame]
  /// How each frame is brought into register with the reference.
  var placements: [FramePlacement]
  /// Index of the reference in ``frames``.
  var reference: Int
  var deghosts: Bool
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

  static let identity = FramePlacement.cells(x: 0, y: 0)
}
