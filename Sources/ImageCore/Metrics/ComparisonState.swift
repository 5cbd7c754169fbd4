/// Rows of one picture that a slab and its halo need.
final class ComparisonSlab: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let bytesPerRow: Int
  /// Rows of the picture that are held.
  private(set) var rows = 0..<0

  init(_ picture: ComparedPicture) {
    bytesPerRow = picture.size.width * picture.format.bytesPerPixel
    base = .allocate(byteCount: bytesPerRow * (ComparisonGrid.slabHeight + 2 * ComparisonGrid.halo), alignment: 64)
  }

  deinit { base.deallocate() }

  /// A row that is held.
  func row(_ y: Int) -> UnsafeRawPointer { UnsafeRawPointer(base + (y - rows.lowerBound) * bytesPerRow) }

  /// Lets go of the rows above and reads those below.
  func move<Rows: ComparedRows>(
    to slab: Range<Int>, halo: Int, of height: Int, _ source: Rows
  ) throws(Rows.Failure) {
    let wanted = max(0, slab.lowerBound - halo)..<min(height, slab.upperBound + halo)
    let kept = max(0, rows.upperBound - wanted.lowerBound)
    if kept > 0 {
      base.copyMemory(from: base + (wanted.lowerBound - rows.lowerBound) * bytesPerRow, byteCount: kept * bytesPerRow)
    }
    let missing = wanted.count - kept
    if missing > 0 { try source.read(rows: missing, into: base + kept * bytesPerRow, bytesPerRow: bytesPerRow) }
    rows = wanted
  }
}

/// A comparison under way: sums so far, and memory that slabs reuse.
final class ComparisonState {
  let slabs: [ComparisonSlab]
  private(set) var tally = TileTally()
  /// Bins of a hundredth of a CIEDE2000 and of 1/4096 of FLIP.
  private(set) var colours = Histogram(step: 0.01, top: 120)
  private(set) var flips = Histogram(step: 1.0 / 4096, top: 1)
  /// Luma less a half at half size, and whole for pictures that are small.
  private(set) var halves: [Image<Float>] = []
  private(set) var wholes: [Image<Float>] = []
  private let comparer: TileComparer
  private let resources: Resources
  private let planes: UnsafeMutablePointer<Float>
  private let planeCount: Int

  init(_ comparer: TileComparer, _ pictures: [ComparedPicture], _ resources: Resources) {
    self.comparer = comparer
    self.resources = resources
    slabs = pictures.map(ComparisonSlab.init)
    let size = comparer.size
    planeCount = size.width * min(size.height, ComparisonGrid.slabHeight)
    planes = .allocate(capacity: Self.planesHeld * planeCount)
    guard comparer.needsLuma else { return }
    if comparer.metrics.contains(.alignment) && size.area <= LumaPyramid.wholeAlignmentArea {
      wholes = (0..<2).map { _ in Image(uninitialized: size, in: resources.pool) }
    }
    let half = PixelSize(width: size.width / 2, height: size.height / 2)
    if half.area > 0 { halves = (0..<2).map { _ in Image(uninitialized: half, in: resources.pool) } }
  }

  deinit { planes.deallocate() }

  /// CIEDE2000, FLIP, what is drawn of samples.
  private static let planesHeld = 3

  private func withLuma<Result>(_ body: (TileComparer.Outputs) -> Result) -> Result {
    var outputs = TileComparer.Outputs()
    outputs.colour = planes
    outputs.flip = planes + planeCount
    outputs.map = planes + 2 * planeCount
    return Self.withRows(of: &halves) { halves in
      Self.withRows(of: &wholes) { wholes in
        (outputs.halves, outputs.wholes) = (halves, wholes)
        return body(outputs)
      }
    }
  }

  /// Lends the rows of two images, or none.
  private static func withRows<Result>(
    of images: inout [Image<Float>], _ body: ([MutablePixelRows<Float>]) -> Result
  ) -> Result {
    guard images.count == 2 else { return body([]) }
    // Taken out, so that each is the only owner of its pixels and nothing is copied.
    var right = images.removeLast()
    var left = images.removeLast()
    defer { images = [left, right] }
    return left.withMutableRows { a in right.withMutableRows { b in body([a, b]) } }
  }

  /// Adds the rows that ``slabs`` hold.
  func compare(_ slab: Range<Int>) {
    let width = comparer.size.width
    let (comparer, slabs) = (comparer, slabs)
    let tallies = withLuma { outputs in
      resources.workers.map(count: ComparisonGrid.tilesAcross(width), scratch: ComparisonScratch.init) {
        index, scratch in
        comparer.compare(
          ComparisonTile(index: index, slab: slab, width: width), rows: slab, row: { slabs[$0].row($1) }, scratch,
          outputs)
      }
    }
    for one in tallies { tally.add(one) }
    if comparer.metrics.contains(.colour) { colours.add(planes, count: slab.count * width) }
    if comparer.metrics.contains(.flip) { flips.add(planes + planeCount, count: slab.count * width) }
  }

  /// What is drawn of a slab that was compared last.
  func mapRows(_ slab: Range<Int>) -> UnsafeBufferPointer<Float>? {
    guard let map = comparer.map else { return nil }
    let plane =
      switch map {
      case .colour: planes
      case .flip: planes + planeCount
      case .samples: planes + 2 * planeCount
      }
    return UnsafeBufferPointer(start: plane, count: slab.count * comparer.size.width)
  }
}
