import ImageCore
import Testing

@testable import HDRMerge

@Suite("Local tone")
struct ToneTests {
  @Test("Midtones keep the reference's brightness, the lamp comes below white")
  func keepsBrightness() throws {
    let frames = [-2.0, 0, 2].map { TestBracket.frame(stops: $0) }
    let merged = try BracketMerger.merge(frames)
    let toned = TestBracket.light(LocalTone.compressed(merged.photo), headroom: 0)
    let before = TestBracket.light(merged.photo, headroom: merged.report.headroom)
    var (kept, count, clipped, measured) = (0, 0, 0, 0)
    for y in 0..<toned.height {
      for x in 0..<toned.width {
        if before[x, y] > 0.1 && before[x, y] < 0.4 {
          count += 1
          let gain = toned[x, y] / before[x, y]
          if gain > 0.7 && gain < 1.6 { kept += 1 }
        }
        if before[x, y] > 1.2 && before[x, y] < 3 {
          measured += 1
          if toned[x, y] >= 1 { clipped += 1 }
        }
      }
    }
    #expect(Double(kept) > 0.9 * Double(count), "\(kept) of \(count) midtones keep their brightness")
    #expect(clipped * 20 < measured, "\(clipped) of \(measured) samples above the reference's white are white again")
  }

  @Test("Light that saturated every frame stays neutral")
  func clippedStaysNeutral() throws {
    let frames = [-1.0, 1].map { TestBracket.frame(stops: $0) }
    let merged = try BracketMerger.merge(frames).photo
    let toned = TestBracket.light(LocalTone.compressed(merged), headroom: 0)
    guard case .neutral(let neutral) = merged.calibration.asShotWhite else {
      Issue.record("synthetic captures record their white")
      return
    }
    // The middle of the lamp.
    let (x, y) = (Int(0.89 * 320) & ~1, Int(0.22 * 240) & ~1)
    let green = toned[x + 1, y]
    #expect(green > 0.9, "the lamp is white, not \(green)")
    #expect(abs(toned[x, y] / green - Float(neutral[0])) < 0.02, "red")
    #expect(abs(toned[x + 1, y + 1] / green - Float(neutral[2])) < 0.02, "blue")
  }

  @Test("All colours of a cell get one gain")
  func oneGain() throws {
    let photo = TestBracket.frame(stops: -1)
    let toned = TestBracket.light(LocalTone.compressed(photo), headroom: 0)
    let before = TestBracket.light(photo, headroom: 0)
    for y in stride(from: 20, to: 60, by: 2) {
      for x in stride(from: 20, to: 100, by: 2) {
        let cell = [(0, 0), (1, 0), (0, 1), (1, 1)].filter { before[x + $0.0, y + $0.1] > 0.05 }
        let gains = cell.map { toned[x + $0.0, y + $0.1] / before[x + $0.0, y + $0.1] }
        guard let least = gains.min(), let most = gains.max(), most * 0.05 < 1 else { continue }
        #expect(most / least < 1.01, "(\(x), \(y)): gains \(gains)")
      }
    }
  }

  @Test("A flat field stays flat, whatever the size", arguments: [(7, 5), (64, 48), (533, 41)])
  func flat(width: Int, height: Int) {
    let samples = Image<UInt16>(PixelSize(width: width, height: height), repeating: 9000)
    let levels = SensorLevels(black: 1000, white: 17000)
    let photo = RawPhoto(pixels: .mosaic(Mosaic(samples: samples, cfa: .rggb, levels: levels)))
    let toned = TestBracket.mosaic(LocalTone.compressed(photo)).samples
    var (least, most) = (UInt16.max, UInt16.min)
    for y in 0..<height {
      for x in 0..<width { (least, most) = (min(least, toned[x, y]), max(most, toned[x, y])) }
    }
    #expect(most - least <= 2, "values from \(least) to \(most)")
  }
}
