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
  /// Frames of one exposure, which become one each.
  let groups: [ExposureGroup]
  /// Frames that stand for themselves or for their group, from the shortest exposure to the longest.
  let active: [Int]
  let layout: TileLayout

  init(
    frames: [SourceFrame], placements: [FramePlacement], reference: Int, deghosts: Bool,
    averaging: MergeOptions.Averaging = .blocks
  ) {
    self.frames = frames
    self.placements = placements
    self.reference = reference
    self.deghosts = deghosts
    groups = averaging == .samples ? [] : ExposureGroup.find(frames, placements, reference: reference)
    let members = Set(groups.flatMap(\.members))
    active = frames.indices.filter { !members.contains($0) }
    layout = TileLayout(frames[reference], hasBursts: !groups.isEmpty)
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
