import ImageCore
import Synthesis
import Testing

@testable import HDRMerge

@Suite("Composites: light with variance")
struct CompositeTests {
  private func mosaic(_ composite: MergeComposite) throws -> (light: Image<Float>, variance: Image<Float>) {
    guard case .mosaic(let mosaic, let variance) = composite.samples else {
      Issue.record("the composite of mosaics is none")
      throw MergeError.tooFewFrames(found: 0)
    }
    return (mosaic.plane, variance)
  }

  @Test("A composite is the merged photo before rounding")
  func sameAsMerged() throws {
    let frames = [-2.0, 0, 2].map { TestBracket.frame(stops: $0) }
    let merged = try BracketMerger.merge(frames)
    let composite = try BracketMerger.composite(frames, resources: Resources(workers: Workers(count: 3)))
    let (light, _) = try mosaic(composite)
    let rounded = TestBracket.light(merged.photo, headroom: merged.report.headroom)
    let step = Float(composite.range) / Float(MergeRun.white - MergeRun.black)
    for y in 0..<light.height {
      for x in 0..<light.width where rounded[x, y] < 0.99 * Float(composite.range) {
        let d = abs(light[x, y] - rounded[x, y])
        #expect(d < 0.6 * step, "(\(x), \(y)): \(light[x, y]) became \(rounded[x, y])")
      }
    }
    #expect(composite.report == merged.report)
  }

  @Test(
    "Rounding to counts adds next to nothing to the noise, in shadows too",
    arguments: [[0.0, 0, 0, 0, 0, 0, 0, 0], [-2, 0, 2], [-2, 0, 2, -2, 0, 2]])
  func rounding(stops: [Double]) throws {
    let frames = stops.enumerated().map { index, stops in TestBracket.frame(stops: stops, noise: UInt64(index)) }
    let composite = try BracketMerger.composite(frames)
    let (light, variance) = try mosaic(composite)
    let rounded = TestBracket.light(composite.rounded(), headroom: composite.report.headroom)
    var (added, noise, count) = (0.0, 0.0, 0)
    for y in 0..<light.height {
      for x in 0..<light.width where light[x, y] < 0.004 {
        let d = Double(rounded[x, y] - light[x, y])
        added += d * d
        noise += Double(variance[x, y])
        count += 1
      }
    }
    #expect(count > 500)
    #expect(added < 0.02 * noise, "rounding adds \(added / noise) of the variance of \(noise / Double(count))")
  }

  @Test("One frame alone is its own light, with the variance of its noise model")
  func oneFrame() throws {
    let frame = TestBracket.frame(stops: 0)
    let composite = try BracketMerger.composite([frame])
    let (light, variance) = try mosaic(composite)
    let single = TestBracket.light(frame, headroom: 0)
    let truth = TestBracket.truth()
    let noise = try #require(frame.noise).planes[0]
    var (expected, found) = (0.0, 0.0)
    for y in 0..<light.height {
      for x in 0..<light.width where truth[x, y] < 0.8 && single[x, y] < 0.85 {
        #expect(abs(light[x, y] - single[x, y]) < 1e-5, "(\(x), \(y)) changed")
        expected += noise.scale * Double(truth[x, y]) + noise.offset
        found += Double(variance[x, y])
      }
    }
    #expect(abs(found / expected - 1) < 0.03, "mean variance is \(found / expected) of the sensor's")
  }

  @Test(
    "The variance is what light differs from the truth, at equal and at different exposures",
    arguments: [[-2.0, 0, 2], [0, 0, 0], [-2, 0, 0, 2]])
  func varianceHolds(stops: [Double]) throws {
    let frames = stops.enumerated().map { index, stops in TestBracket.frame(stops: stops, noise: UInt64(index)) }
    var options = MergeOptions()
    options.reference = stops.firstIndex(of: 0)
    let composite = try BracketMerger.composite(frames, options: options)
    let (light, variance) = try mosaic(composite)
    let truth = TestBracket.truth()
    // Dim, medium and bright parts apart: the variance must hold in each.
    for (low, high) in [(0.0005, 0.02), (0.02, 0.1), (0.1, 0.5)] {
      var (expected, found, count) = (0.0, 0.0, 0)
      for y in 8..<light.height - 8 {
        for x in 8..<light.width - 8 where truth[x, y] > Float(low) && truth[x, y] < Float(high) {
          let d = Double(light[x, y] - truth[x, y])
          expected += Double(variance[x, y])
          found += d * d
          count += 1
        }
      }
      #expect(count > 500)
      let ratio = found / expected
      #expect(ratio > 0.85 && ratio < 1.2, "light \(low)...\(high): squared error is \(ratio) of the variance")
    }
  }

  @Test("Pictures have three variances a pixel")
  func picture() throws {
    let size = PixelSize(width: 65, height: 49)
    let frames = [0.25, 1].map { gain in
      var photo = TestBracket.frame(stops: 0, size: size)
      let image = Image<RGB<UInt16>>(size) { x, y in
        let base = Float((x * 7 + y * 13) % 50 + 10) * 200 * Float(gain)
        return RGB(UInt16(base), UInt16(base * 1.5), UInt16(base * 0.5))
      }
      photo.pixels = .linear(
        LinearPicture(
          samples: image,
          levels: SensorLevels(black: BlackLevel(uniform: 0, planes: 3), white: [65535, 65535, 65535])))
      return photo
    }
    let composite = try BracketMerger.composite(frames)
    guard case .linear(let light, let variance) = composite.samples else {
      Issue.record("the composite of pictures is a mosaic")
      return
    }
    #expect(light.size == size && variance.size == size)
    let expected = Float((3 * 7 + 2 * 13) % 50 + 10) * 200 / 65535
    #expect(abs(light[3, 2].red / expected - 1) < 0.01 && abs(light[3, 2].blue / expected - 0.5) < 0.01)
    #expect(variance[3, 2].green > 0)
  }
}
