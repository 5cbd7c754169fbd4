import ImageCore
import Testing

@testable import HDRMerge

@Suite("Interpolating displaced frames")
struct WarpTests {
  /// Catmull–Rom between the middle two of four samples, as written in the paper.
  private func cubic(_ t: Double, _ p: [Double]) -> Double {
    let a = -0.5 * p[0] + 1.5 * p[1] - 1.5 * p[2] + 0.5 * p[3]
    let b = p[0] - 2.5 * p[1] + 2 * p[2] - 0.5 * p[3]
    return ((a * t + b) * t + 0.5 * (p[2] - p[0])) * t + p[1]
  }

  private func down(_ x: Double) -> Int { Int(x.rounded(.down)) }

  @Test(
    "Eight Bayer cells at a time are what their places show one by one, whether they share a whole pixel or not",
    arguments: [CFAPattern.rggb, CFAPattern(width: 2, height: 2, colours: [.green, .red, .blue, .green])!],
    [Float(0), 0.3, 2.5])
  func lanes(pattern: CFAPattern, spread: Float) {
    let cell = SampleCell(pattern)
    let frame = TestBracket.frame(stops: 0, cfa: pattern)
    let source = SourceFrame(frame)
    let layout = TileLayout(source, hasBursts: false)
    let patch = WarpPatch(layout)
    let target = PixelRect(x: 20, y: 20, width: 24, height: 16)
    source.withSamples { patch.load(source, $0, target: target, least: (-8, -8), most: (8, 8)) }
    let bayer = BayerInterpolation(patch: patch, cell: cell, balance: [2, 1, 1.5])
    bayer.prepare()
    let dx = (0..<8).map { 1.7 + spread * Float(($0 * 5) % 8 - 4) / 4 }
    let dy = (0..<8).map { -0.4 + spread * Float(($0 * 3) % 8 - 4) / 4 }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 32)
    defer { memory.deallocate() }
    dx.withUnsafeBufferPointer { across in
      dy.withUnsafeBufferPointer { down in
        bayer.sample(
          12, 14, places: (across.baseAddress!, down.baseAddress!), into: Plane(base: memory, stride: 16), column: 0,
          row: 0)
      }
    }
    let gains: [Double] = cell.colours.map { $0 == .red ? 2 : $0 == .blue ? 1.5 : 1 }
    for lane in 0..<8 {
      let (x, y) = (Double(12 + dx[lane]) + Double(2 * lane), Double(14 + dy[lane]))
      for phase in 0..<4 {
        let (px, py) = (phase % 2, phase / 2)
        let (left, top) = (down(x) + px, down(y) + py)
        let lines = (-1...2).map { row in
          cubic(x - x.rounded(.down), (-1...2).map { Double(patch.green.row(top + row)[left + $0]) })
        }
        var value = cubic(y - y.rounded(.down), lines)
        if cell.colours[phase] != .green {
          let (column, row) = (2 * down(x / 2) + px, 2 * down(y / 2) + py)
          let (u, v) = (x / 2 - (x / 2).rounded(.down), y / 2 - (y / 2).rounded(.down))
          func site(_ dx: Int, _ dy: Int) -> Double { Double(patch.difference.row(row + 2 * dy)[column + 2 * dx]) }
          let upper = site(0, 0) + u * (site(1, 0) - site(0, 0))
          value += upper + v * (site(0, 1) + u * (site(1, 1) - site(0, 1)) - upper)
        }
        value /= gains[phase]
        let found = Double(memory[16 * py + 2 * lane + px])
        #expect(abs(found - value) < 1e-5, "cell \(lane), site \(phase): \(found) instead of \(value)")
      }
    }
  }
}
