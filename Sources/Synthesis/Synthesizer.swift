public import ImageCore

/// Photographs synthetic scenes: captures whose truth is known.
public enum Synthesizer {
  private static let rowsPerBand = 16
  private static let noiseStream: UInt32 = 1
  /// Light beyond this, relative to saturation, gets no more noise: it is clipped anyhow.
  private static let brightest = 1.5

  /// Takes a picture.
  ///
  /// The noise of a photosite depends on the seed and its stored place alone, so the number of threads changes nothing.
  public static func capture(
    _ scene: Scene, sensor: SensorRecipe, resources: Resources = Resources()
  ) -> SyntheticCapture {
    precondition(sensor.white > sensor.black && sensor.black >= 0 && sensor.white <= 65535, "levels are out of order")
    let truth = Optics.apply(sensor, to: scene.light, resources: resources)
    return SyntheticCapture(photo: photo(of: truth, sensor: sensor, resources: resources), truth: truth)
  }

  /// What the sensor makes of light that optics and exposure are done with.
  static func photo(of light: Image<RGB<Float>>, sensor: SensorRecipe, resources: Resources) -> RawPhoto {
    let noise = sensor.noise ?? SensorModel.noise(iso: sensor.iso, size: light.size)
    let declared = sensor.declaredCFA ?? sensor.cfa
    let mosaic = Mosaic(
      samples: expose(light, sensor, noise, resources), cfa: declared,
      levels: SensorLevels(black: Float(sensor.black), white: Float(sensor.white)))
    return RawPhoto(
      pixels: .mosaic(mosaic), calibration: SensorModel.calibration(declared),
      noise: sensor.hasNoise ? NoiseProfile(planes: [noise]) : nil, orientation: sensor.orientation,
      facts: facts(sensor))
  }

  private static func facts(_ sensor: SensorRecipe) -> CaptureFacts {
    var facts = CaptureFacts()
    facts.make = "DuoSynth"
    facts.model = sensor.model ?? SensorModel.name(sensor.cfa)
    facts.exposureTime = ExactMath.exp2(sensor.exposureEV) / 120
    facts.fNumber = 1.78
    facts.iso = Double(sensor.iso)
    facts.focalLength = 6.86
    facts.dateTime = "2026:01:02 03:04:05"
    facts.exposureBias = sensor.exposureEV
    return facts
  }

  /// Counts of the photosites, stored so that the orientation makes them upright.
  private static func expose(
    _ truth: Image<RGB<Float>>, _ sensor: SensorRecipe, _ noise: NoiseProfile.Plane, _ resources: Resources
  ) -> Image<UInt16> {
    let lay = sensor.orientation.inverse
    let upright = truth.size
    let stored = lay.applied(to: upright)
    let cfa = sensor.cfa
    let responses = cfa.colours.map { colour in
      let row = SensorModel.response(colour)
      return SIMD3(row[0], row[1], row[2])
    }
    let black = Double(sensor.black)
    let white = Double(sensor.white)
    let readNoise = noise.offset.squareRoot()
    var counts = Image<UInt16>(uninitialized: stored, in: resources.pool)
    truth.withRows { light in
      counts.withMutableRows { rows in
        resources.workers.forEachBand(of: stored.height, rowsPerBand: rowsPerBand) { band in
          for y in band {
            let row = rows.row(y)
            let phase = (y % cfa.height) * cfa.width
            for x in 0..<stored.width {
              let place = lay.source(x: x, y: y, in: upright)
              let pixel = light.row(place.y)[place.x]
              let weights = responses[phase + x % cfa.width]
              var value =
                weights.x * Double(pixel.red) + weights.y * Double(pixel.green) + weights.z * Double(pixel.blue)
              if sensor.hasNoise {
                var random = CounterRandom(seed: sensor.seed, x: x, y: y, stream: noiseStream)
                let drawn = random.poissonAndNormal(max(0, min(value, brightest)) / noise.scale)
                value = drawn.count * noise.scale + drawn.normal * readNoise
              }
              let count = (black + value * (white - black)).rounded(.toNearestOrEven)
              row[x] = UInt16(max(0, min(white, count)))
            }
          }
        }
      }
    }
    return counts
  }
}
