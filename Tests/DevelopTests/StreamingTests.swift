import ImageCore
import Synchronization
import Testing

@testable import Develop

/// Rows that are handed on while others are developed are those of the whole picture, in order.
struct StreamingTests {
  /// So wide that upright pictures take several steps; turned ones take two.
  private static let size = PixelSize(width: 4200, height: 401)

  private static func developer(_ cfa: CFAPattern, _ size: PixelSize, detail: Double) throws -> Developer {
    let samples = Image<UInt16>(size) { x, y in
      let hash = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663) &* 2_654_435_761
      return UInt16(1000 + (x / 9 + y / 7) % 2 * 20000 + Int(hash >> 18))
    }
    let photo = RawPhoto(
      pixels: .mosaic(Mosaic(samples: samples, cfa: cfa, levels: SensorLevels(black: 1000, white: 61000))),
      calibration: ColourCalibration(asShotWhite: .neutral([1, 1, 1])),
      noise: NoiseProfile(planes: [.init(scale: 4e-3, offset: 1e-5)]))
    var options = DevelopOptions.standard
    options.detail = detail
    return try Developer(photo, options: options)
  }

  /// Developed in pieces, each of a single step: nothing of what is tested.
  private static func pieces(_ developer: Developer, _ rect: PixelRect) -> Image<RGB<UInt8>> {
    var whole = Image<RGB<UInt8>>(uninitialized: rect.size)
    for x in stride(from: 0, to: rect.width, by: 700) {
      let part = PixelRect(x: rect.x + x, y: rect.y, width: 700, height: rect.height).intersection(rect)
      var piece = Image<RGB<UInt8>>(uninitialized: part.size)
      developer.render(part, orientation: .up, into: &piece, resources: Resources(workers: Workers(count: 2)))
      let length = part.width
      whole.withMutableRows { rows in
        piece.withRows { for y in 0..<$0.height { (rows.row(y) + x).update(from: $0.row(y), count: length) } }
      }
    }
    return whole
  }

  private static let rect = PixelRect(x: 3, y: 1, width: 4190, height: 397)
  private static let developers = Result { try [0.0, 1.0].map { try developer(.rggb, size, detail: $0) } }
  private static let expected = developers.map { $0.map { pieces($0, rect) } }

  /// An image that rows are put into as they come.
  private final class Rows: Sendable {
    struct State {
      var image: Image<RGB<UInt8>>
      var count = 0
      var inside = 0
      var overlaps = 0
    }
    let state: Mutex<State>

    init(_ size: PixelSize) { state = Mutex(State(image: Image(size, repeating: RGB(0, 0, 0)))) }

    func take(_ rows: PixelRows<RGB<UInt8>>) {
      state.withLock {
        $0.inside += 1
        $0.overlaps += $0.inside > 1 ? 1 : 0
      }
      state.withLock { state in
        let first = state.count
        state.count += rows.height
        state.inside -= 1
        guard state.count <= state.image.height, rows.width == state.image.width else { return }
        state.image.withMutableRows {
          for y in 0..<rows.height { $0.row(first + y).update(from: rows.row(y), count: rows.width) }
        }
      }
    }
  }

  @Test(arguments: Orientation.allCases, [0, 1])
  func streamedRowsAreTheWholePicture(_ orientation: Orientation, _ detail: Int) throws {
    let expected = try Self.expected.get()[detail].oriented(orientation)
    try check(
      try Self.developers.get()[detail], Self.rect, orientation, expected, workers: 2, "detail \(detail)")
  }

  @Test(arguments: [Orientation.up, .down, .right, .left], ["quad-rggb", "xtrans"])
  func arraysOfManyColoursToo(_ orientation: Orientation, _ name: String) throws {
    let rect = PixelRect(x: 0, y: 0, width: 403, height: 203)
    let developer = try Self.developer(try #require(CFAPattern(named: name)), rect.size, detail: 1)
    let expected = Self.pieces(developer, rect).oriented(orientation)
    for workers in [1, 3] { try check(developer, rect, orientation, expected, workers: workers, name) }
  }

  private func check(
    _ developer: Developer, _ rect: PixelRect, _ orientation: Orientation, _ expected: Image<RGB<UInt8>>,
    workers: Int, _ what: String
  ) throws {
    let rows = Rows(expected.size)
    try developer.stream(
      rect, orientation: orientation, resources: Resources(workers: Workers(count: workers))
    ) { (part: PixelRows<RGB<UInt8>>) throws(Full) in rows.take(part) }
    let found = rows.state.withLock { $0 }
    #expect(found.overlaps == 0, "rows were handed on by two threads at once")
    #expect(found.count == expected.height, "\(found.count) rows of \(expected.size)")
    guard found.image != expected else { return }
    let y = (0..<expected.height).first { y in
      let line = PixelRect(x: 0, y: y, width: expected.width, height: 1)
      return found.image.cropped(to: line) != expected.cropped(to: line)
    }
    Issue.record("\(what), \(orientation), \(workers) workers: row \(y ?? -1) is the first that differs")
  }

  struct Full: Error, Equatable { var call: Int }

  @Test(arguments: [1, 2, 9], [1, 3])
  func aTakerThatIsFullEndsTheRun(_ last: Int, _ workers: Int) throws {
    let calls = Mutex(0)
    for developer in try Self.developers.get() {
      calls.withLock { $0 = 0 }
      #expect(throws: Full(call: last)) {
        try developer.stream(
          PixelRect(Self.size), orientation: .up, resources: Resources(workers: Workers(count: workers))
        ) { (_: PixelRows<RGB<UInt16>>) throws(Full) in
          let call = calls.withLock {
            $0 += 1
            return $0
          }
          if call == last { throw Full(call: call) }
        }
      }
      #expect(calls.withLock { $0 } == last, "rows were handed on after the failure")
    }
  }

  @Test(arguments: Orientation.allCases)
  func stepsComeInTheOrderOfTheResult(_ orientation: Orientation) {
    let sweep = Sweep(orientation)
    for rect in [PixelRect(x: 5, y: 2, width: 9001, height: 1203), PixelRect(x: 0, y: 8, width: 1, height: 1)] {
      let steps = sweep.steps(TileGrid.tiles(of: rect), of: rect)
      var next = 0
      for step in steps {
        let rows = sweep.resultRows(step.lines, of: rect)
        #expect(rows.lowerBound == next, "\(orientation): rows \(rows) follow row \(next)")
        next = rows.upperBound
        let area = step.tiles.reduce(0) { $0 + $1.size.area }
        #expect(area == sweep.part(step.lines, of: rect).size.area, "the tiles of \(step.lines) are not its lines")
      }
      #expect(next == orientation.applied(to: rect.size).height, "\(orientation) of \(rect)")
    }
  }
}
