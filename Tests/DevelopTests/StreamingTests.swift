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
      for y in 0..<part.height {
        for column in 0..<part.width { whole[x + column, y] = piece[column, y] }
      }
    }
    return whole
  }

  private final class Rows: Sendable {
    struct State {
      var pixels: [RGB<UInt8>] = []
      var calls = 0
      var inside = 0
      var overlaps = 0
    }
    let state = Mutex(State())

    func take(_ rows: PixelRows<RGB<UInt8>>) {
      state.withLock {
        $0.inside += 1
        $0.overlaps += $0.inside > 1 ? 1 : 0
      }
      let pixels = (0..<rows.height).flatMap { y in (0..<rows.width).map { x in rows.row(y)[x] } }
      state.withLock {
        $0.pixels += pixels
        $0.calls += 1
        $0.inside -= 1
      }
    }
  }

  @Test(arguments: Orientation.allCases, [0.0, 1.0])
  func streamedRowsAreTheWholePicture(_ orientation: Orientation, _ detail: Double) throws {
    let developer = try Self.developer(.rggb, Self.size, detail: detail)
    let rect = PixelRect(x: 3, y: 1, width: 4190, height: 397)
    try check(developer, rect, orientation, workers: 2, "detail \(detail)")
  }

  @Test(arguments: [Orientation.up, .down, .right, .left], ["quad-rggb", "xtrans"])
  func arraysOfManyColoursToo(_ orientation: Orientation, _ name: String) throws {
    let size = PixelSize(width: 1203, height: 303)
    let developer = try Self.developer(try #require(CFAPattern(named: name)), size, detail: 1)
    for workers in [1, 3] { try check(developer, PixelRect(size), orientation, workers: workers, name) }
  }

  private func check(
    _ developer: Developer, _ rect: PixelRect, _ orientation: Orientation, workers: Int, _ what: String
  ) throws {
    let expected = Self.pieces(developer, rect).oriented(orientation)
    let rows = Rows()
    try developer.stream(
      rect, orientation: orientation, resources: Resources(workers: Workers(count: workers))
    ) { (part: PixelRows<RGB<UInt8>>) throws(Full) in rows.take(part) }
    let found = rows.state.withLock { ($0.pixels, $0.overlaps) }
    #expect(found.1 == 0, "rows were handed on by two threads at once")
    #expect(found.0.count == expected.size.area, "\(found.0.count) pixels of \(expected.size)")
    guard found.0.count == expected.size.area else { return }
    var different: String?
    expected.withRows { all in
      for y in 0..<all.height where different == nil {
        for x in 0..<all.width where found.0[y * all.width + x] != all.row(y)[x] {
          different = "(\(x), \(y)): \(found.0[y * all.width + x]), not \(all.row(y)[x])"
          break
        }
      }
    }
    #expect(different == nil, "\(what), \(orientation), \(workers) workers")
  }

  struct Full: Error, Equatable { var call: Int }

  @Test(arguments: [1, 2, 9], [1, 3])
  func aTakerThatIsFullEndsTheRun(_ last: Int, _ workers: Int) throws {
    let calls = Mutex(0)
    for detail in [0.0, 1.0] {
      calls.withLock { $0 = 0 }
      let developer = try Self.developer(.rggb, Self.size, detail: detail)
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
