import Develop
import ImageCore
import RawFiles
import Synthesis

/// Stages that promise the same bits everywhere.
enum ExactStages {
  static let all: [SelfTest.Stage] = synth + sensor + geometry + developed

  private static let patterns = ["rggb", "quad-rggb", "nona-gbrg", "xtrans"]

  private static let synth = patterns.map { cfa in
    SelfTest.Stage(name: "synth.\(cfa)", promise: .bits) { (inputs, resources) throws(JobFailure) in
      SelfTest.Outcome(StageBytes(try inputs.mosaic(cfa, resources: resources).samples))
    }
  }

  private static let sensor: [SelfTest.Stage] =
    [("quad-rggb", BinMode.mean), ("quad-rggb", .sum), ("nona-gbrg", .mean)].map { cfa, mode in
      SelfTest.Stage(name: "bin.\(cfa).\(mode.rawValue)", promise: .bits) { (inputs, resources) throws(JobFailure) in
        .init(StageBytes(try binned(try inputs.mosaic(cfa, resources: resources), mode, resources).samples))
      }
    } + [
      SelfTest.Stage(name: "probe", promise: .bits) { (inputs, resources) throws(JobFailure) in
        var found: [String] = []
        for cfa in patterns {
          let mosaic = try inputs.mosaic(cfa, resources: resources)
          found.append(CFAProbe().measure(mosaic, workers: resources.workers).pattern?.description ?? "none")
        }
        return .init(StageBytes(found.joined(separator: " ")))
      },
      SelfTest.Stage(name: "sitegains", promise: .bits) { (inputs, resources) throws(JobFailure) in
        let mosaic = try unequal(try inputs.mosaic("quad-rggb", resources: resources))
        guard let gains = SiteGains.estimate(mosaic, resources: resources) else {
          throw JobFailure(.badData, "unequal photosites were not noticed")
        }
        return .init(StageBytes(gains.applied(to: mosaic, resources: resources).samples))
      },
      SelfTest.Stage(name: "remosaic.quad-rggb", promise: .bits) { (inputs, resources) throws(JobFailure) in
        .init(
          StageBytes(try remosaiced(try inputs.capture("quad-rggb", resources: resources).photo, resources).samples))
      },
    ]

  private static func binned(_ mosaic: Mosaic, _ mode: BinMode, _ resources: Resources) throws(JobFailure) -> Mosaic {
    do { return try ClusterBinning(mosaic, mode: mode).mosaic(resources: resources) } catch {
      throw JobFailure(error)
    }
  }

  private static func remosaiced(_ photo: RawPhoto, _ resources: Resources) throws(JobFailure) -> Mosaic {
    do { return try Remosaicer(photo).mosaic(resources: resources) } catch { throw JobFailure(error) }
  }

  /// The first photosite of each cluster 4 % more sensitive, in whole numbers.
  private static func unequal(_ mosaic: Mosaic) throws(JobFailure) -> Mosaic {
    var mosaic = mosaic
    let samples = mosaic.samples
    mosaic.samples = Image(samples.size) { x, y in
      let count = Int(samples[x, y])
      return x % 2 == 0 && y % 2 == 0 ? UInt16(min(4095, count + (count - 528) / 25)) : UInt16(count)
    }
    return mosaic
  }

  private static let geometry: [SelfTest.Stage] = [
    SelfTest.Stage(name: "orient.8bit", promise: .bits) { (inputs, resources) throws(JobFailure) in
      let image = try developed(inputs, "rggb", .fast, resources) as Image<RGB<UInt8>>
      return .init(turned(image, resources))
    },
    SelfTest.Stage(name: "orient.16bit", promise: .bits) { (inputs, resources) throws(JobFailure) in
      let image = try developed(inputs, "rggb", .fast, resources) as Image<RGB<UInt16>>
      return .init(turned(image, resources))
    },
    SelfTest.Stage(name: "orient.mosaic", promise: .bits) { (inputs, resources) throws(JobFailure) in
      .init(turned(try inputs.mosaic("rggb", resources: resources).samples, resources))
    },
    SelfTest.Stage(name: "crop", promise: .bits) { (_, _) throws(JobFailure) in .init(crops) },
    SelfTest.Stage(name: "resample.8bit", promise: .bits) { (inputs, resources) throws(JobFailure) in
      let image = try developed(inputs, "rggb", .fast, resources) as Image<RGB<UInt8>>
      return .init(StageBytes(image.resampled(to: PixelSize(width: 117, height: 77), resources: resources)))
    },
    SelfTest.Stage(name: "resample.16bit", promise: .bits) { (inputs, resources) throws(JobFailure) in
      let image = try developed(inputs, "rggb", .fast, resources) as Image<RGB<UInt16>>
      return .init(StageBytes(image.resampled(to: PixelSize(width: 117, height: 77), resources: resources)))
    },
  ]

  private static func turned<Pixel>(_ image: Image<Pixel>, _ resources: Resources) -> StageBytes {
    var bytes = StageBytes()
    for orientation in Orientation.allCases { bytes.add(image.oriented(orientation, resources: resources)) }
    return bytes
  }

  /// The rectangles of many crops.
  private static var crops: StageBytes {
    var bytes = StageBytes()
    let ratios = [(1, 1), (4, 3), (3, 4), (16, 9), (9, 16), (7, 5)].compactMap { AspectRatio(width: $0, height: $1) }
    for size in [PixelSize(width: 4032, height: 3024), PixelSize(width: 997, height: 1003)] {
      for ratio in ratios {
        for orientation in Orientation.allCases {
          let rect = AspectCrop.storedRect(
            in: size, orientation: orientation, ratio: ratio, gravity: .southEast,
            period: PixelSize(width: 2, height: 2))
          bytes.add(rect.map { [$0.x, $0.y, $0.width, $0.height] } ?? [])
        }
      }
    }
    return bytes
  }

  private static let developed: [SelfTest.Stage] = patterns.flatMap { cfa in
    DemosaicQuality.allCases.map { quality in
      SelfTest.Stage(name: "develop.\(cfa).\(quality.rawValue)", promise: .bits) {
        (inputs, resources) throws(JobFailure) in
        .init(StageBytes(try developed(inputs, cfa, quality, resources) as Image<RGB<UInt16>>))
      }
    }
  }

  /// A developed capture, in 8 bits.
  static func developed(
    _ inputs: SelfTestInputs, _ cfa: String, _ quality: DemosaicQuality, _ resources: Resources
  ) throws(JobFailure) -> Image<RGB<UInt8>> {
    let developer = try developer(inputs, cfa, quality, resources)
    var image = Image<RGB<UInt8>>(uninitialized: developer.bounds.size, in: resources.pool)
    developer.developer.render(developer.bounds, orientation: .up, into: &image, resources: resources)
    return image
  }

  /// The same in 16 bits.
  static func developed(
    _ inputs: SelfTestInputs, _ cfa: String, _ quality: DemosaicQuality, _ resources: Resources
  ) throws(JobFailure) -> Image<RGB<UInt16>> {
    let developer = try developer(inputs, cfa, quality, resources)
    var image = Image<RGB<UInt16>>(uninitialized: developer.bounds.size, in: resources.pool)
    developer.developer.render(developer.bounds, orientation: .up, into: &image, resources: resources)
    return image
  }

  private static func developer(
    _ inputs: SelfTestInputs, _ cfa: String, _ quality: DemosaicQuality, _ resources: Resources
  ) throws(JobFailure) -> SizedDeveloper {
    var options = DevelopOptions.standard
    options.demosaic = quality
    return try SizedDeveloper(try inputs.capture(cfa, resources: resources).photo, options)
  }
}
