/// The samples that an opcode concerns: every so many rows and columns of a rectangle, in some planes. DNG 1.7,
/// chapter 7: the first eight numbers of each opcode that works on an area.
struct OpcodeArea: Sendable, Hashable {
  let top: Int
  let left: Int
  let bottom: Int
  let right: Int
  /// The first plane concerned, and how many.
  let plane: Int
  let planes: Int
  /// Every how many rows and columns.
  let rowPitch: Int
  let columnPitch: Int

  /// `nil` when bytes are missing or contradict themselves.
  init?(_ reader: inout OpcodeReader) {
    let count = 8
    guard let numbers = reader.integers(count) else { return nil }
    (top, left, bottom, right) = (numbers[0], numbers[1], numbers[2], numbers[3])
    (plane, planes, rowPitch, columnPitch) = (numbers[4], numbers[5], numbers[6], numbers[7])
    guard rowPitch > 0, columnPitch > 0, planes > 0, bottom >= top, right >= left else { return nil }
  }

  /// The planes of a picture that are concerned.
  func planes(of total: Int) -> Range<Int> { plane..<max(plane, min(plane + planes, total)) }
}
