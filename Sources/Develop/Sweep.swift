import ImageCore

/// In which order a rectangle of a photo is developed, so that rows of the result come from top to bottom: stripes of
/// whole stored rows or, where these become columns, of whole stored columns.
struct Sweep: Sendable, Hashable {
  /// What a stripe consists of.
  enum Line: Sendable, Hashable { case row, column }

  let line: Line
  /// Whether the last stored row or column becomes the first row of the result.
  let isReversed: Bool

  init(_ orientation: Orientation) {
    line = orientation.transposes ? .column : .row
    isReversed = orientation.transposes ? orientation.mirrorsColumns : orientation.mirrorsRows
  }

  /// The stored rows or columns of a rectangle.
  func lines(of rect: PixelRect) -> Range<Int> { line == .row ? rect.rows : rect.columns }

  /// The part of a rectangle that some of its lines are.
  func part(_ lines: Range<Int>, of rect: PixelRect) -> PixelRect {
    line == .row
      ? PixelRect(x: rect.x, y: lines.lowerBound, width: rect.width, height: lines.count)
      : PixelRect(x: lines.lowerBound, y: rect.y, width: lines.count, height: rect.height)
  }

  /// The rows of the result that some lines of a rectangle become.
  func resultRows(_ lines: Range<Int>, of rect: PixelRect) -> Range<Int> {
    let all = self.lines(of: rect)
    return isReversed
      ? all.upperBound - lines.upperBound..<all.upperBound - lines.lowerBound
      : lines.lowerBound - all.lowerBound..<lines.upperBound - all.lowerBound
  }

  /// Tiles that are developed together, and the lines they cover.
  struct Step {
    var tiles: [PixelRect]
    var lines: Range<Int>
  }

  /// Pixels of a step at least, as far as it has not the fewest lines: enough for many threads.
  private static let stepArea = 1 << 20
  /// Lines of a step at least: many against those held for the next step's surroundings.
  private static let fewestLines = 128

  /// Tiles of a lattice that covers `rect`, put together to steps in the order in which they are needed.
  func steps(_ tiles: [PixelRect], of rect: PixelRect) -> [Step] {
    let across = max(1, line == .row ? rect.width : rect.height)
    let enough = max(Self.fewestLines, Self.stepArea / across / Self.fewestLines * Self.fewestLines)
    var steps: [Step] = []
    for tile in tiles.sorted(by: precedes) {
      let lines = lines(of: tile)
      if let last = steps.indices.last, steps[last].lines.overlaps(lines) || steps[last].lines.count < enough {
        steps[last].tiles.append(tile)
        let held = steps[last].lines
        steps[last].lines =
          min(held.lowerBound, lines.lowerBound)..<max(held.upperBound, lines.upperBound)
      } else {
        steps.append(Step(tiles: [tile], lines: lines))
      }
    }
    return steps
  }

  private func precedes(_ a: PixelRect, _ b: PixelRect) -> Bool {
    let (first, second) = (lines(of: a).lowerBound, lines(of: b).lowerBound)
    if first != second { return (first < second) != isReversed }
    return line == .row ? a.x < b.x : a.y < b.y
  }
}
