import Develop
import Glibc
import HDRMerge
import ImageCore
import Synthesis

/// Stages that promise a bound. They print what they made too: on one machine it does not depend on threads.
enum BoundedStages {
  static let all: [SelfTest.Stage] = numbers + pictures + merging

  /// Units in the last place are 2e-16; these are a few dozen operations away.
  private static let numbers: [SelfTest.Stage] = [
    SelfTest.Stage(name: "float.elementary", promise: .atMost(2e-14), unit: "largest relative error") {
      (_, _) throws(JobFailure) in
      var worst = 0.0
      for step in 1...400 {
        let x = Double(step) / 97
        worst = max(worst, abs(Elementary.exp2(x) / exp2(x) - 1), abs(Elementary.power(x, 2.4) / pow(x, 2.4) - 1))
        if x != 1 { worst = max(worst, abs(Elementary.log2(x) / log2(x) - 1)) }
      }
      return .init(worst)
    },
    SelfTest.Stage(name: "float.matrix", promise: .atMost(1e-12), unit: "largest error of a times its inverse") {
      (_, _) throws(JobFailure) in
      let matrix = OutputColourSpace.sRGB.toXYZ
      guard let inverse = matrix.inverse else { throw JobFailure(.badData, "the matrix of sRGB has no inverse") }
      let product = matrix * inverse
      let errors = zip(product.values, Matrix.identity(3).values).map { abs($0 - $1) }
      return .init(errors.max() ?? .infinity)
    },
    // Sharma, Wu and Dalal 2005, "The CIEDE2000 color-difference formula", table 1: pairs 1, 7 and 34, four decimals.
    SelfTest.Stage(name: "float.ciede2000", promise: .atMost(5e-5), unit: "largest error") {
      (_, _) throws(JobFailure) in
      let pairs: [(LabColour, LabColour, Double)] = [
        (LabColour(50, 2.6772, -79.7751), LabColour(50, 0, -82.7485), 2.0425),
        (LabColour(50, 0, 0), LabColour(50, -1, 2), 2.3669),
        (LabColour(2.0776, 0.0795, -1.1350), LabColour(0.9033, -0.0636, -0.5514), 0.9082),
      ]
      return .init(pairs.map { abs($0.ciede2000(to: $1) - $2) }.max() ?? .infinity)
    },
  ]

  private static let pictures: [SelfTest.Stage] = [
    SelfTest.Stage(name: "float.develop", promise: .atLeast(32), unit: "dB against the scene's light") {
      (inputs, resources) throws(JobFailure) in
      let capture = try inputs.capture("rggb", resources: resources)
      var options = DevelopOptions.standard
      options.tone = .linear
      let developer = try SizedDeveloper(capture.photo, options)
      var image = Image<RGB<Float>>(uninitialized: developer.bounds.size, in: resources.pool)
      developer.developer.render(developer.bounds, orientation: .up, into: &image, resources: resources)
      let truth = Image<RGB<Float>>(image.size) { x, y in
        let light = capture.truth[x, y]
        return RGB(encoded(light.red), encoded(light.green), encoded(light.blue))
      }
      return .init(PixelDifference(image, truth, border: 8).cpsnr, StageBytes(image))
    },
    SelfTest.Stage(name: "develop.stripes", promise: .atMost(0), unit: "largest difference from the whole") {
      (inputs, resources) throws(JobFailure) in
      var worst = 0.0
      for cfa in ["rggb", "quad-rggb"] {
        let developer = try SizedDeveloper(try inputs.capture(cfa, resources: resources).photo, .standard)
        var whole = Image<RGB<UInt16>>(uninitialized: developer.bounds.size, in: resources.pool)
        developer.developer.render(developer.bounds, orientation: .up, into: &whole, resources: resources)
        for height in [1, 7, 64] {
          worst = max(worst, difference(of: stripes(developer, height, resources), from: whole))
        }
      }
      return .init(worst)
    },
  ]

  private static func difference(of parts: [(PixelRect, Image<RGB<UInt16>>)], from whole: Image<RGB<UInt16>>)
    -> Double
  {
    parts.map { rect, part in PixelDifference(part, whole.cropped(to: rect)).largest }.max() ?? 0
  }

  /// The top of a picture, developed in stripes of a height.
  private static func stripes(
    _ developer: SizedDeveloper, _ height: Int, _ resources: Resources
  ) -> [(PixelRect, Image<RGB<UInt16>>)] {
    let rows = min(developer.bounds.height, height * 4)
    return stride(from: 0, to: rows, by: height).map { y in
      let rect = PixelRect(
        x: 0, y: y, width: developer.bounds.width, height: min(height, developer.bounds.height - y))
      var part = Image<RGB<UInt16>>(uninitialized: rect.size, in: resources.pool)
      developer.developer.render(rect, orientation: .up, into: &part, resources: resources)
      return (rect, part)
    }
  }

  /// IEC 61966-2-1, light to stored value.
  private static func encoded(_ light: Float) -> Float {
    let value = Double(max(0, min(1, light)))
    return Float(value <= 0.0031308 ? value * 12.92 : 1.055 * Elementary.power(value, 1 / 2.4) - 0.055)
  }

  private static let merging: [SelfTest.Stage] = [
    SelfTest.Stage(name: "float.merge.ratio", promise: .atMost(0.03), unit: "largest relative error of an exposure") {
      (inputs, resources) throws(JobFailure) in
      let merged = try merged(inputs, resources)
      let reference = SelfTestInputs.stops[merged.report.reference]
      let errors = merged.report.frames.map { frame in
        abs(frame.exposure / Elementary.exp2(SelfTestInputs.stops[frame.index] - reference) - 1)
      }
      return .init(errors.max() ?? .infinity, samples(merged.photo))
    },
    SelfTest.Stage(name: "float.merge.shift", promise: .atMost(0.1), unit: "pixels of error of a shift") {
      (inputs, resources) throws(JobFailure) in
      let report = try merged(inputs, resources).report
      let moved = SelfTestInputs.stops.count - 1
      let errors = report.frames.map { frame in
        let sign = Double((frame.index == moved ? 1 : 0) - (report.reference == moved ? 1 : 0))
        return max(
          abs(frame.shiftX - sign * SelfTestInputs.motion.x), abs(frame.shiftY - sign * SelfTestInputs.motion.y))
      }
      return .init(errors.max() ?? .infinity)
    },
    SelfTest.Stage(name: "float.localtone", promise: .atMost(1), unit: "brightest sample, parts of white") {
      (inputs, resources) throws(JobFailure) in
      let photo = LocalTone.compressed(try merged(inputs, resources).photo, resources: resources)
      guard case .mosaic(let mosaic) = photo.pixels else { throw JobFailure(.badData, "no mosaic came out") }
      var brightest = 0.0
      for y in 0..<mosaic.samples.height {
        for x in 0..<mosaic.samples.width { brightest = max(brightest, Double(mosaic.samples[x, y])) }
      }
      return .init(brightest / Double(mosaic.levels.white.max() ?? 1), samples(photo))
    },
  ]

  private static func merged(_ inputs: SelfTestInputs, _ resources: Resources) throws(JobFailure) -> MergeResult {
    do { return try BracketMerger.merge(inputs.bracket(resources: resources), resources: resources) } catch {
      throw JobFailure(error, names: SelfTestInputs.stops.map { "\($0) EV" })
    }
  }

  private static func samples(_ photo: RawPhoto) -> StageBytes? {
    guard case .mosaic(let mosaic) = photo.pixels else { return nil }
    return StageBytes(mosaic.samples)
  }
}
